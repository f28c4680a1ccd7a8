"""Replicas for the tests of what stands before them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.loss.ports import free_port
from tests.deploy.loss.replicas import Replica


@pytest.hookimpl(tryfirst=True)  # before xdist reads what is marked here
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file together, for they share what is made once; losses are long, and each goes by itself."""
    for item in items:
        if item.path.name != "losses.py":
            # One store of images, one worker.
            group = "containers" if item.path.name in ("image.py", "manifests.py") else item.path.name
            item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="module")
def replicas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Replica]]:
    """Serve three replicas on this machine."""
    place: Path = tmp_path_factory.mktemp("replicas")
    up = [Replica(place, f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}") for _ in range(3)]
    try:
        for replica in up:
            replica.start()
        yield up
    finally:
        for replica in up:
            replica.end()
