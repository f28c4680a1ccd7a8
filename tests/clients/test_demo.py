"""The demo runs to its end, fits a screen, says the same each time; and the README's picture of it is fresh."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from charleston.paint import width
from clients.examples.demo import CURL, serving
from clients.examples.picture import PICTURE, excerpt, printed, svg

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def screen() -> str:
    """Run the demo once and keep what it prints."""
    return printed()


def test_the_demo_tells_a_hand_a_misdeal_and_the_games(screen: str) -> None:
    """A Joker is caught, a hand thrown in, and all 98 games judged, on a screen that anybody can read."""
    text = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", screen).split())

    assert "NORTH passes 1b W J JOKER_RETURN" in text
    assert "The Joker goes back to the rack, and North owes the pass another tile." in text
    assert "EAST discards 5b LEGAL" in text
    assert "MISDEAL" in text
    assert "98 games, 2988 acts judged" in text
    assert "52 are lawful from deal to end. In 46 the program" in text
    assert CURL in screen
    assert 60 <= len(screen.splitlines()) <= 90
    assert all(width(line) <= 100 for line in screen.splitlines())


def test_the_picture_in_the_readme_is_fresh(screen: str) -> None:
    """The picture is what the demo prints today; `.venv/bin/python clients/examples/picture.py` renews it."""
    drawn = PICTURE.read_text(encoding="utf-8")

    assert svg(excerpt(screen)) == drawn
    assert {"http://www.w3.org/2000/svg"} == set(re.findall(r"https?://[^\s\"']+", drawn))
    assert "127.0.0.1" not in drawn


def test_what_the_demo_gives_to_paste_works(screen: str) -> None:
    """The line to paste at the end asks a real server through reflection and gets the ruling on a Joker."""
    (line,) = re.findall(r"^\S+buf curl .*\\\n.*$", screen, re.MULTILINE)
    with serving() as address:
        pasted = ["sh", "-c", line.replace("127.0.0.1:50051", address)]
        said = subprocess.run(pasted, cwd=ROOT, capture_output=True, timeout=60)

    assert (0, b"") == (said.returncode, said.stderr)
    assert b"VERDICT_JOKER_RETURN" in said.stdout


def test_a_referee_that_does_not_start_fails_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the referee cannot start, the demo says so and its status is not 0."""
    monkeypatch.setenv("REFEREE_THREADS", "none")
    demo = [sys.executable, str(ROOT / "clients" / "examples" / "demo.py")]
    ended = subprocess.run(demo, capture_output=True, text=True, timeout=60)

    assert (1, "") == (ended.returncode, ended.stdout)
    assert ended.stderr.endswith("demo: The referee did not start.\n")
    assert "Traceback" not in ended.stderr


def test_the_referee_is_stopped_whatever_happens() -> None:
    """When the demo breaks off, nobody listens any more."""
    with pytest.raises(KeyboardInterrupt), serving() as address:
        raise KeyboardInterrupt
    host, port = address.split(":")

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=5)
