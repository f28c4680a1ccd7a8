"""A referee to ask, served by this process, and every face that asks one."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest

from charleston import Referee
from charleston.__main__ import main
from referee.server import running
from referee.settings import Settings
from tests.clients.faces import FACES, REMOTE, Face

Ask = Callable[..., tuple[int, str, str]]


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


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run the command in this process; give its exit status, its output and its complaints."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run(*argv: object, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        try:
            status = main([str(each) for each in argv])
        except SystemExit as ended:  # argparse ends the process itself
            status = int(ended.code or 0)
        told = capsys.readouterr()
        return status, told.out, told.err

    return run
