"""What the pages show works as it stands: README has tests of its own.

A block of `python` is run, after those before it on the page; of `sh`, each line is typed. If a block of `text`
follows, it is what is printed. A block of `charleston` is a game or a table, written as the printer writes it. A block
of `json` can be read. What needs tools that are not here is a block of `console`, which is not run.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.notation import NotationError, act_text, game_text, parse_act, parse_game, parse_tiles, tiles_text
from referee.server import Running
from tests.house.pages import ROOT
from tests.house.test_pages import pages

ADDRESS = "127.0.0.1:50051"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
NOTATION = ROOT / "referee" / "notation" / "README.md"


class Block(NamedTuple):
    """A block of code on a page, and what the page says that it prints."""

    kind: str
    code: str
    prints: str | None


def blocks(page: Path) -> list[Block]:
    """Return a page's blocks in order."""
    return [Block(found[1], found[2], found[3]) for found in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def with_examples() -> Iterator[Path]:
    """Yield the pages that have something to run or read, README left out."""
    for page in pages():
        if page != ROOT / "README.md" and page.is_relative_to(ROOT) and set(RUN) & {b.kind for b in blocks(page)}:
            yield page


def run_python(code: str, address: str, names: dict[str, object]) -> str:
    """Run a block after those before it; return what it prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code.replace(ADDRESS, address), "<page>", "exec"), names)
    return out.getvalue()


def run_sh(code: str, address: str, names: dict[str, object]) -> str:
    """Type the lines of a block; return what they print."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        code.replace(ADDRESS, address),
        shell=True,
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ran.returncode in (0, 1) and not ran.stderr, ran.stderr
    return ran.stdout


def run_charleston(code: str, address: str, names: dict[str, object]) -> str:
    """Read a game or a table, which has to be written as it is printed; return nothing."""
    lines = (line.partition("  #")[0].rstrip() for line in code.splitlines())
    said = "".join(f"{line}\n" for line in lines if line and not line.startswith("#"))

    assert said == game_text(parse_game(code))
    return ""


def run_json(code: str, address: str, names: dict[str, object]) -> str:
    """Read every line; return nothing."""
    for line in code.splitlines():
        assert json.loads(line)
    return ""


RUN: dict[str, Callable[[str, str, dict[str, object]], str]] = {
    "python": run_python,
    "sh": run_sh,
    "charleston": run_charleston,
    "json": run_json,
}


@pytest.mark.parametrize("page", list(with_examples()), ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_shows_works(page: Path, server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example of a page runs, and prints what the page says."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(page):
        if run := RUN.get(block.kind):
            printed = run(block.code, server.address, names)

            assert block.prints in (None, printed), block.code


def typed() -> Iterator[tuple[str, str]]:
    """Yield what the page of the notation says can be typed, and how that is printed."""
    for rows in re.findall(
        r"^\| typed \| printed \|\n(.*?)\n\n", NOTATION.read_text("utf-8"), re.DOTALL | re.MULTILINE
    ):
        yield from re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", rows, re.MULTILINE)


@pytest.mark.parametrize(("text", "expected"), list(typed()))
def test_what_is_typed_is_printed_so(text: str, expected: str) -> None:
    """What the page of the notation says is typed is read, and printed as it says."""
    if text.startswith("house"):
        assert expected == game_text(parse_game(text)).strip()
        return
    try:
        printed = act_text(parse_act(text))
    except NotationError:
        printed = tiles_text(parse_tiles(text))

    assert expected == printed
