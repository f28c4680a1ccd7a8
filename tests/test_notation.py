"""Notation: what is printed reads back equal, what players type is read, and what cannot be read says where and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.acts import Act, Count, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
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
from referee.stages import SEATS, Seat, Stage
from referee.table import Debt, Place, SetOut, Table
from referee.tiles import COPIES, FACES, HIDDEN, ONE, Tile, Tiles
from tests.laws.acting import acts_on_the_wire, picks
from tests.laws.tables import tables
from tests.test_real_games import GAMES

LAWS = settings(derandomize=True, deadline=None, max_examples=200)
E, S, W, N = SEATS
faces = st.sampled_from(FACES)
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


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3b, 3bam 3BAMS", "3b 3b 3b"),
        ("5c 5crak 5craks", "5c 5c 5c"),
        ("9D 9dot  9Dots", "9d 9d 9d"),
        ("soap red Green flower joker", "O R G F J"),
        ("e,s,w,n", "E S W N"),
        ("3b*2 F*3", "3b 3b F F F"),
        ("?*13", "? ? ? ? ? ? ? ? ? ? ? ? ?"),
        ("", ""),
        ("nothing", ""),
    ],
)
def test_tiles_as_players_type_them(typed: str, meant: str) -> None:
    """Tiles are read in any case, spelt out, with commas, and repeated."""
    assert meant == tiles_text(parse_tiles(typed))


B1_C3_D9, B1_C3_R, B1_R = parse_tiles("1b 3c 9d"), parse_tiles("1b 3c R"), parse_tiles("1b R")
C3, D9_R, R = parse_tiles("3c"), parse_tiles("9d R"), parse_tiles("R")


@pytest.mark.parametrize(
    ("typed", "act"),
    [
        ("EAST passes 1b 3c 9d", Pass(E, B1_C3_D9)),
        ("east  PASSES 1B, 3crak, 9dots", Pass(E, B1_C3_D9)),
        ("East: passes 1b 3c 9d", Pass(E, B1_C3_D9)),
        ("EAST passes 1b 3c 9d to SOUTH at FIRST_RIGHT", Pass(E, B1_C3_D9, 0, (), S, Stage.FIRST_RIGHT)),
        ("EAST passes 1b 3c 9d at first right", Pass(E, B1_C3_D9, stage=Stage.FIRST_RIGHT)),
        ("WEST passes R blind 2", Pass(W, R, 2)),
        ("SOUTH passes blind 3", Pass(S, b"", 3)),
        ("SOUTH passes blind three", Pass(S, b"", 3)),
        ("NORTH passes 1b R blind 1 of 3", Pass(N, B1_R, 1, (3,))),
        ("NORTH passes R blind 2 of 1 3", Pass(N, R, 2, (1, 3))),
        ("everyone looks", Look(None)),
        ("SOUTH looks", Look(S)),
        ("SOUTH looks 1b 3c R", Look(S, B1_C3_R)),
        ("NORTH stops", Stop(N)),
        ("EAST offers 2", Offer(E, 2)),
        ("EAST offers none", Offer(E, 0)),
        ("SOUTH hands back 1 J to EAST", HandBack(S, E, 1)),
        ("SOUTH hands back two Jokers to EAST", HandBack(S, E, 2)),
        ("EAST replaces 3c", Replace(E, C3)),
        ("WEST counts 12", Count(W, 12)),
        ("NORTH draws 9d", Draw(N, Tile.DOT_9)),
        ("EAST discards 9d  # and the game begins", Play(E, PlayKind.DISCARD, Tile.DOT_9)),
        ("SOUTH calls", Play(S, PlayKind.CALL)),
        ("SOUTH exposes", Play(S, PlayKind.EXPOSE)),
        ("WEST declares dead", Play(W, PlayKind.DECLARE_DEAD)),
        ("EAST declares mahjong", Play(E, PlayKind.DECLARE_MAHJONG)),
    ],
)
def test_acts_as_players_type_them(typed: str, act: Act) -> None:
    """Every kind of act is read, with what it may end with."""
    assert act == parse_act(typed)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("EAST passes 1b 3x 9d", 1, 16),
        ("\n# a note\nEAST passes 1b 3c 9d blind", 3, 27),
        ("EAST passes 1b at NOWHERE", 1, 19),
        ("CENTRE passes 1b", 1, 1),
        ("EAST sings", 1, 6),
        ("EAST stops now", 1, 12),
        ("WEST counts many", 1, 13),
        ("WEST counts 99999999999", 1, 13),
        ("EAST passes 3b*1000", 1, 13),
        ("EAST passes ?*153", 1, 13),
        ("NORTH passes R blind 2 of 1", 1, 28),
        ("deal EAST 1b / SOUTH 2b / WEST 3b", 1, 34),
        ("deal EAST 1b / EAST 2b / WEST 3b / NORTH 4b", 1, 21),
        ("table at FIRST_LEFT\nEAST rack 1b | in 2x", 2, 19),
    ],
)
def test_an_error_says_where(text: str, line: int, column: int) -> None:
    """What cannot be read is named by line and column, each from one."""
    with pytest.raises(NotationError) as caught:
        parse_game(text)

    assert [(line, column)] == [problem[:2] for problem in caught.value.problems]
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


def test_all_errors_are_found() -> None:
    """The parser goes on after an error, and names every line that it cannot read."""
    with pytest.raises(NotationError) as caught:
        parse_game("EAST passes 1x\nSOUTH stops\nWEST flies\n\nNORTH offers")

    assert [1, 3, 5] == [problem.line for problem in caught.value.problems]


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


def test_a_table_as_players_type_it() -> None:
    """A table has a line a seat, in any order, and the debts."""
    typed = """
        # after the across
        table at first left
        west: rack 1b*3, 2b | OUT 9d R blind 1 of 2
        EAST rack soap | in 1b 3c R
        NORTH rack nothing | looked
        SOUTH rack E S W N | offer 2
        EAST owes SOUTH 1
    """
    west = Place(parse_tiles("1b 1b 1b 2b"), SetOut(D9_R, 1, (2,)))
    south = Place(parse_tiles("E S W N"), offer=2)
    places = (Place(parse_tiles("O"), None, B1_C3_R), south, west, Place(looked=True))

    assert Table(Stage.FIRST_LEFT, places, (Debt(Seat.EAST, Seat.SOUTH, 1),)) == parse_table(typed)
