"""A referee to ask, served by this process, and every face that asks one."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest

from charleston import Referee
from referee.server import running
from referee.settings import Settings
from tests.clients.faces import FACES, REMOTE, Face


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Serve while tests ask, and give the address."""
    with running(Settings(listen="127.0.0.1:0", metrics=""), out=BytesIO()) as server:
        yield server.address


@pytest.fixture(params=FACES)
def face(request: pytest.FixtureRequest) -> Face:
    """Give each face in turn."""
    return FACES[request.param]


@pytest.fixture(params=REMOTE)
def remote(request: pytest.FixtureRequest) -> Face:
    """Give each face that asks over the wire, in turn."""
    return REMOTE[request.param]


@pytest.fixture
def referee(face: Face, address: str) -> Iterator[Referee]:
    """Give a referee to ask through each face in turn."""
    with face(address) as asked:
        yield asked
