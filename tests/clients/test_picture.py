"""The table drawn as text: every tile of it, in the space of a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from charleston.paint import Paint, width
from charleston.picture import picture
from referee.codec import write_table
from referee.judge import judge
from referee.notation import Claim, parse_game, parse_table, tile_text
from referee.stages import Stage
from referee.table import Table
from referee.tiles import Tile

ROOT = Path(__file__).parents[2]
GAMES = [ROOT / "clients" / "examples" / "hand.charleston", *sorted((ROOT / "tests/real/games").glob("*.charleston"))]


def tables(path: Path) -> Iterator[Table]:
    """Yield the tables of a game, one after each act."""
    table = Table()
    for line in parse_game(path.read_text()).lines:
        if not isinstance(line.entry, Claim):
            table = judge(table, line.entry).table
            yield table


def test_the_picture_of_a_joker_caught() -> None:
    """Racks lie round the table as players sit, passes before their seats, stage and debts in the middle."""
    table = parse_table(
        """table at FIRST_ACROSS
        EAST rack 8b 2c 4c 1d 2d 5d 9d S W F J | out 7d 9d N
        SOUTH rack 1c 6c 9c 9d E S W N F F | out 4c O F
        WEST rack 1b 1b 2c 7c 1d 4d 5d 6d 8d R | out 2b 5b 8c
        NORTH rack 2b 7b 9b 1c 1c 5c 7c 2d 2d G J | out 1b W
        NORTH owes NORTH 1"""
    )
    expected = """\
                               WEST  1b 1b 2c 7c 1d 4d 5d 6d 8d R
                      ╭──────────────────────────────────────────────────╮
                      │                 passes 2b 5b 8c                  │
 NORTH                │                                                  │  SOUTH
 2b 7b 9b 1c 1c 5c 7c │                   FIRST ACROSS                   │  1c 6c 9c 9d E S W
 2d 2d G J            │ passes 1b W __                     passes 4c O F │  N F F
                      │        NORTH owes 1 tile to its own pass         │
                      │                  passes 7d 9d N                  │
                      ╰──────────────────────────────────────────────────╯
                               EAST  8b 2c 4c 1d 2d 5d 9d S W F J"""

    assert expected == picture(write_table(table), Paint())


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_tile_is_drawn_and_nothing_sticks_out(path: Path) -> None:
    """Every tile of every table of a real game is drawn once, and no line is wider than 96 columns."""
    texts = {tile_text(tile): tile for tile in Tile}
    for table in tables(path):
        drawn = picture(write_table(table), Paint())
        faces = Counter(texts[word] for word in re.findall(r"(?<!\S)\S+(?!\S)", drawn) if word in texts)
        lying = [tile for p in table.places for pile in (p.rack, p.incoming, p.set_out.tiles if p.set_out else ())
                 for tile in pile]  # fmt: skip

        assert Counter(lying) == faces
        assert all(width(line) <= 96 for line in drawn.splitlines())


@pytest.mark.parametrize("stage", [Stage.UNDEALT, Stage.THROWN_IN])
def test_a_table_with_nothing_dealt_is_drawn_empty(stage: Stage) -> None:
    """Where nothing is dealt there are four seats and no tile."""
    drawn = picture(write_table(Table(stage)), Paint())

    assert all(name in drawn for name in ("EAST", "SOUTH", "WEST", "NORTH", stage.name.replace("_", " ")))


def test_a_rack_of_too_many_tiles_is_drawn_in_more_rows() -> None:
    """However many tiles lie on a rack, no line is wider than 96 columns."""
    text = "table at FIRST_RIGHT\nEAST rack 1b*4 2b*4 3b*4 4b*4 5b*4\nNORTH rack 1c*4 2c*4 3c*4 4c*4 5c*4 6c*4 7c*4"
    drawn = picture(write_table(parse_table(text)), Paint())

    assert 20 == drawn.count("b")
    assert 28 == drawn.count("c")
    assert all(width(line) <= 96 for line in drawn.splitlines())


def test_colour_changes_no_width() -> None:
    """Painted or plain, a picture has the same text."""
    for table in tables(GAMES[0]):
        plain, painted = (picture(write_table(table), Paint(on)) for on in (False, True))

        assert plain == re.sub(r"\x1b\[[0-9;]*m", "", painted)
        assert plain == plain.rstrip()
