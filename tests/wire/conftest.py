"""What tests over the wire share."""

from __future__ import annotations

from collections.abc import Iterator
from threading import enumerate as enumerate_threads

import pytest

from referee import polled
from tests.wire.asking import SOON


@pytest.fixture(autouse=True)
def none_left() -> Iterator[None]:
    """Let no server of a test live on, nor any that could not be opened: it would meet what the next test spoils."""
    before = {*enumerate_threads()}
    yield
    for thread in {*enumerate_threads()} - before:
        if thread.name.startswith(("log", "patience", "worker-")):
            thread.join(SOON)
            assert not thread.is_alive(), f"The thread {thread.name} was left behind."


@pytest.fixture(params=[True, False], ids=["polled", "threaded"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have calls carried both ways: by the polling thread, and as grpcio's pages say."""
    assert polled.FOUND, "grpcio keeps elsewhere what referee.polled needs"
    monkeypatch.setattr(polled, "FOUND", request.param)
