"""Notation: what is printed reads back equal, what players type is read, and what cannot be read says where and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.acts import Act
from referee.codec import write_act, write_table
from referee.notation import (
    Claim,
    Game,
    Line,
    NotationError,
    act_text,
    formatted,
    game_text,
    parse_act,
    parse_game,
    parse_table,
    parse_tiles,
    table_text,
    tiles_text,
)
from referee.stages import SEATS, Stage
from referee.table import Debt, Place, SetOut, Table
from referee.tiles import COPIES, HIDDEN, ONE, Tile, Tiles
from tests.laws.acting import acts_on_the_wire, picks
from tests.laws.tables import tables
from tests.notation.goldens import goldens
from tests.test_real_games import GAMES

LAWS = settings(derandomize=True, deadline=None, max_examples=200)
tiles = st.lists(st.sampled_from(Tile), max_size=20).map(bytes)
numbers = st.sampled_from([0, 1, 2, 3, 4, 14, 152, 2**32 - 1])


@st.composite
def odd_tables(draw: st.DrawFn) -> Table:
    """Any table that can be written, whether or not it can be reached."""
    if draw(st.booleans()):
        return Table(draw(st.sampled_from([Stage.UNDEALT, Stage.THROWN_IN])))
    places = []
    for _ in SEATS:
        blind = draw(numbers)
        set_out = SetOut(draw(tiles), blind, picks(draw, blind)) if draw(st.booleans()) else None
        offer = draw(st.sampled_from([None, 0, 3, 2**32 - 1]))
        places.append(Place(draw(tiles), set_out, draw(tiles), draw(st.booleans()), offer))
    east, south, west, north = places
    seats = st.sampled_from(SEATS)
    debts = draw(st.lists(st.builds(Debt, seats, seats, numbers), max_size=3))
    stage = draw(st.sampled_from([stage for stage in Stage if stage not in (Stage.UNDEALT, Stage.THROWN_IN)]))
    return Table(stage, (east, south, west, north), tuple(debts), draw(st.sampled_from([1, 1, 2, 7])))


@pytest.mark.parametrize("tile", Tile)
def test_a_tile_reads_back(tile: Tile) -> None:
    """Every tile reads back from its text, in lower case and in upper case too."""
    text = tiles_text(ONE[tile])

    assert ONE[tile] == parse_tiles(text) == parse_tiles(text.lower()) == parse_tiles(text.upper())


@LAWS
@given(tiles)
def test_tiles_read_back(some: Tiles) -> None:
    """Tiles read back in the order printed."""
    assert some == parse_tiles(tiles_text(some))


@LAWS
@given(acts_on_the_wire())
def test_an_act_reads_back(act: Act) -> None:
    """An act reads back equal, with every odd number that the wire can carry."""
    assert act == parse_act(act_text(act))
    assert act_text(act) == act_text(parse_act(act_text(act)))


@LAWS
@given(st.one_of(tables(), odd_tables()))
def test_a_table_reads_back(table: Table) -> None:
    """A table reads back equal, whether or not it can be reached."""
    assert table == parse_table(table_text(table))


@LAWS
@given(
    st.lists(st.one_of(acts_on_the_wire(), st.builds(Claim, st.sampled_from(SEATS), tiles)), max_size=4),
    st.one_of(st.none(), tables(), odd_tables()),
)
def test_a_game_reads_back(entries: list[Act | Claim], table: Table | None) -> None:
    """A game reads back equal: acts and claims in order, and the table they start from."""
    game = Game(tuple(map(Line, entries)), table)

    assert game == parse_game(game_text(game))
    assert game_text(game) == game_text(parse_game(game_text(game))) == formatted(game_text(game))


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.charleston"))[:20], ids=lambda path: path.stem)
def test_a_real_game_reads_back(path: Path) -> None:
    """A game that another program wrote is the same game after it is printed."""
    game = parse_game(path.read_text())

    assert game == parse_game(game_text(game))


@LAWS
@given(
    st.one_of(st.text(), st.text(alphabet="1bcdEJ?*39/|#,:; \t\neastsouth hold passes blind of at to deal rack out ·"))
)
def test_any_text_is_read_or_refused(text: str) -> None:
    """Any text is a game, or an error that names lines and columns within it."""
    lines = text.splitlines()
    try:
        parse_game(text)
    except NotationError as error:
        assert error.problems
        for problem in error.problems:
            assert 1 <= problem.line <= len(lines)
            assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
            assert problem.message


@pytest.mark.parametrize("golden", goldens("tiles"), ids=lambda golden: golden["typed"])
def test_tiles_as_players_type_them(golden: dict[str, Any]) -> None:
    """Tiles are read in any case, spelt out, with commas, and repeated."""
    assert golden["printed"] == tiles_text(parse_tiles(golden["typed"]))


@pytest.mark.parametrize("golden", goldens("act"), ids=lambda golden: golden["typed"])
def test_acts_as_players_type_them(golden: dict[str, Any]) -> None:
    """Every kind of act is read, with what it may end with."""
    act = parse_act(golden["typed"])

    assert golden["read"] == json_format.MessageToDict(write_act(act))
    assert golden["printed"] == act_text(act)


@pytest.mark.parametrize("golden", goldens("table"), ids=lambda golden: golden["printed"].splitlines()[0])
def test_tables_as_players_type_them(golden: dict[str, Any]) -> None:
    """A table has a line a seat, in any order, and the debts; house rules come first."""
    table = parse_table(golden["typed"])

    assert golden["read"] == json_format.MessageToDict(write_table(table))
    assert golden["printed"] == table_text(table)


@pytest.mark.parametrize("golden", goldens("text"), ids=lambda golden: golden["text"][:40])
def test_an_error_says_where_and_what_was_expected(golden: dict[str, Any]) -> None:
    """Every line that cannot be read is named, with its column, what was expected there and what may be meant."""
    with pytest.raises(NotationError) as caught:
        parse_game(golden["text"])

    assert golden["problems"] == [problem._asdict() for problem in caught.value.problems]
    assert [f"line {p.line}, column {p.column}: {p.message}" for p in caught.value.problems] == list(
        map(str, caught.value.problems)
    )


def test_a_word_of_any_length_is_shown_short() -> None:
    """What is shown of a word has an end, however long the word is."""
    with pytest.raises(NotationError) as caught:
        parse_game(f"EAST {'x' * 100000}")

    assert caught.value.problems[0].message.endswith(f", not '{'x' * 20}…'")


def test_an_act_is_one_line_and_no_claim() -> None:
    """A claim is no act, a table is no game's act, and a game is no table."""
    for text in ("EAST holds 1b", "table at FIRST_LEFT", ""):
        with pytest.raises(NotationError):
            parse_act(text)
    for text in ("EAST stops", "table at FIRST_LEFT\nEAST stops", ""):
        with pytest.raises(NotationError):
            parse_table(text)


def test_no_repetition_outgrows_the_set() -> None:
    """As many of a tile as the set has tiles can be written in one word, and no more."""
    assert ONE[HIDDEN] * sum(COPIES.values()) == parse_tiles("?*152")
