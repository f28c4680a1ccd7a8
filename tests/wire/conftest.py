"""What tests over the wire share."""

from __future__ import annotations

import pytest

from referee import polled


@pytest.fixture(params=[True, False], ids=["polled", "threaded"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have calls carried both ways: by the polling thread, and as grpcio's pages say."""
    assert polled.FOUND, "grpcio keeps elsewhere what referee.polled needs"
    monkeypatch.setattr(polled, "FOUND", request.param)
