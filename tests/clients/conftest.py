"""A referee to ask, served by this process."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest

from referee.server import running
from referee.settings import Settings


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Serve while tests ask, and give the address."""
    with running(Settings(listen="127.0.0.1:0", metrics=""), out=BytesIO()) as server:
        yield server.address
