"""Notation in its canonical form and in its errors: nothing is lost, and the caret stands where it hurts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.notation import NotationError, excerpt, formatted, parse_game
from tests.notation.goldens import goldens

ROOT = Path(__file__).parents[2]
WRITTEN = [
    *sorted((ROOT / "clients/examples").glob("*.charleston")),
    *(ROOT / "tests/real/games").glob("00?.charleston"),
]
NOTES = ["", "#", " # a note ", "#EAST passes", "# 1b  2b", "\t#\ttabs\t"]


def untidy(text: str, draw: st.DrawFn) -> str:
    """Write a game as somebody in a hurry might, with notes and blank lines in it."""
    lines = []
    for line in text.splitlines():
        notation, mark, note = line.partition("#")
        gap = draw(st.sampled_from([" ", ", ", "\t", "  "]))
        notation = draw(st.sampled_from([str.lower, str.upper, str.title]))(notation).replace(" ", gap)
        lines.append(notation + (mark + note or draw(st.sampled_from(NOTES))))
        lines += [""] * draw(st.integers(0, 1))
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines)


def notes(text: str) -> list[tuple[int, str]]:
    """Return the comments of a text with their lines."""
    found = ((number, line.partition("#")) for number, line in enumerate(text.splitlines(), 1))
    return [(number, f"#{note}".rstrip()) for number, (_, mark, note) in found if mark]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.sampled_from(sorted(WRITTEN)), st.data())
def test_nothing_is_lost_and_once_is_enough(path: Path, data: st.DataObject) -> None:
    """A game in canonical form reads as the same game, has the same comments on the same lines, and stays as it is."""
    text = untidy(path.read_text(), data.draw(st.composite(lambda draw: draw)()))
    form = formatted(text)

    assert parse_game(text) == parse_game(form)
    assert [line.number for line in parse_game(text).lines] == [line.number for line in parse_game(form).lines]
    assert notes(text) == notes(form)
    assert form == formatted(form)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_what_the_project_shows_is_canonical(path: Path) -> None:
    """The games and tables of this project are written as the printer writes them."""
    text = path.read_text()

    assert text == formatted(text)


@pytest.mark.parametrize("golden", goldens("form"), ids=lambda golden: golden["text"].strip()[:40])
def test_lines_keep_their_order_and_notes(golden: dict[str, Any]) -> None:
    """Lines stay in their order, with their notes and blank lines, and a version that is named stays named."""
    assert golden["form"] == formatted(golden["text"])


def test_what_cannot_be_read_has_no_form() -> None:
    """A text that is no game is refused with every problem."""
    with pytest.raises(NotationError) as wrong:
        formatted("EAST pusses\nSOUTH stops\nWEST looks x")

    assert [(1, 6), (3, 12)] == [(line, column) for line, column, _ in wrong.value.problems]


@pytest.mark.parametrize("golden", goldens("excerpt"), ids=lambda golden: f"{golden['line']}:{golden['column']}")
def test_the_caret_stands_under_the_column(golden: dict[str, Any]) -> None:
    """The caret stands under the letter meant, and a long line is cut around it; nothing moves the cursor."""
    assert golden["shown"] == excerpt(golden["line"], golden["column"], columns=golden["columns"])
