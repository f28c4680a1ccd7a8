"""Replicas for the tests of what stands before them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.remote import Producer  # type: ignore[import-untyped]
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from tests.deploy.loss.replicas import Replica
from tests.ports import free_port


class Together(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Keeps the tests of a file in one process, for they share what is made once.

    The marks of `--dist loadgroup` would say the same; xdist 3.8 and pytest 9.2 together pass over them.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0].rpartition("/")[2]
        if file == "losses.py":
            return nodeid  # they are long and share nothing: each goes by itself
        # One store of images, one process.
        return "containers" if file in ("image.py", "manifests.py") else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Together:
    """Tell xdist which tests go together, as `--dist` alone cannot."""
    return Together(config, log)


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
