"""Notation in its canonical form and in its errors: nothing is lost, and the caret stands where it hurts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.notation import NotationError, excerpt, formatted, parse_game

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


def test_a_table_keeps_its_lines_as_they_stand() -> None:
    """The lines of a table stay in their order, with their notes, and a version that is named stays named."""
    form = formatted(
        "  # Seen on Friday.\n"
        "Table at first-left, rulebook 1 # the header\n"
        "\n"
        "north owes north 1# a debt\n"
        "East rack 1B*2, 2b|out 3b 4b blind 1 of 2\n"
        "south rack ?*2 | looked | out 1b 2b 3b\n"
        "  EAST holds nothing\n"
    )

    assert form == (
        "# Seen on Friday.\n"
        "table at FIRST_LEFT rulebook 1  # the header\n"
        "\n"
        "NORTH owes NORTH 1  # a debt\n"
        "EAST rack 1b 1b 2b | out 3b 4b blind 1 of 2\n"
        "SOUTH rack ? ? | out 1b 2b 3b | looked\n"
        "EAST holds nothing\n"
    )


def test_what_cannot_be_read_has_no_form() -> None:
    """A text that is no game is refused with every problem."""
    with pytest.raises(NotationError) as wrong:
        formatted("EAST pusses\nSOUTH stops\nWEST looks x")

    assert [(1, 6), (3, 12)] == [(line, column) for line, column, _ in wrong.value.problems]
    assert "" == formatted("")


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("EAST pusses 1b", "expected what the seat does, such as ", ", not 'pusses'; did you mean 'passes'?"),
        ("norht passes 1b", "expected a seat, 'deal' or 'everyone'", ", not 'norht'; did you mean 'NORTH'?"),
        ("dael EAST 1b", "expected a seat, 'deal' or 'everyone'", ", not 'dael'; did you mean 'deal'?"),
        ("EAST stops at FRIST_LEFT", "expected a stage ", ", not 'FRIST_LEFT'; did you mean 'FIRST_LEFT'?"),
        ("EAST passes 1b to soth", "expected a seat (EAST", ", not 'soth'; did you mean 'SOUTH'?"),
        ("EAST passes 10b", "expected a tile such as ", ", not '10b'"),
        ("EAST out", "expected what the seat does", ", not 'out'"),
        ("EAST offers", "expected how many tiles are offered", ", but the line ends"),
        ("EAST \x1b[31mred", "expected what the seat does", ", not '�[31mred'"),
        (f"EAST {'x' * 100000}", "expected what the seat does", f", not '{'x' * 20}…'"),
    ],
)
def test_an_error_says_what_was_expected_and_what_may_be_meant(text: str, begins: str, ends: str) -> None:
    """An error says what was expected, what stands there, and the word that may have been meant if one is near."""
    with pytest.raises(NotationError) as wrong:
        parse_game(text)
    (problem,) = wrong.value.problems

    assert problem.message.startswith(begins)
    assert problem.message.endswith(ends)


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("EAST pusses 1b", 6, "EAST pusses 1b\n     ^"),
        ("EAST offers", 12, "EAST offers\n           ^"),
        ("\tEAST pusses", 7, " EAST pusses\n      ^"),
        ("# 東 é\u0301 pusses", 8, "# 東 é\u0301 pusses\n       ^"),
        ("EAST \x1b[31mred", 6, "EAST �[31mred\n     ^"),
        ("", 1, "\n^"),
        ("abcdefghijklmnop", 1, "abcdefgh…\n^"),
        ("abcdefghijklmnop", 8, "…defghijk…\n     ^"),
        ("abcdefghijklmnop", 16, "…ijklmnop\n        ^"),
        ("abcdefghijklmnop", 17, "…ijklmnop\n         ^"),
    ],
)
def test_the_caret_stands_under_the_column(line: str, column: int, expected: str) -> None:
    """The caret stands under the letter meant, and a long line is cut around it; nothing moves the cursor."""
    assert expected == excerpt(line, column, columns=max(8, len(line)) if len(line) < 16 else 8)
