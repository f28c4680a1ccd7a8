"""The laws of shapes: what was worked out for one table holds for every other of its shape, and no tile is kept."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from charleston.conformance.cases import load
from referee.judge import judge
from referee.next import _worked_out, what_next
from referee.notation import parse_game
from referee.shape import MOST_DEBTS, MOST_KEPT, MOST_PICKS, Kept, shape
from referee.stages import SEATS, Seat, Stage
from referee.table import Debt, Place, SetOut, Table
from referee.tiles import FACES, HIDDEN, ONE
from referee.unreachable import _table_faults, reached, table_faults
from referee.view import as_seen
from tests.lawful import hand
from tests.laws.acting import LARGEST, picks, seeds
from tests.laws.tables import houses, tables
from tests.test_real_games import GAMES

LAWS = settings(derandomize=True, deadline=None, max_examples=400)

anywhere = st.one_of(tables(), houses.flatmap(tables))
some_tiles = st.lists(st.sampled_from([*FACES, HIDDEN]), max_size=4).map(bytes)
numbers = st.sampled_from([0, 1, 2, 3, 4, LARGEST])


@st.composite
def piles(draw: st.DrawFn) -> SetOut:
    """A pile of any size, blind as any number says."""
    blind = draw(numbers)
    chosen = draw(st.sampled_from([(), (1,), (1, 1), (0,), (1, 2, 3, 4), picks(draw, blind)]))
    return SetOut(draw(some_tiles), blind, chosen)


@st.composite
def tampered(draw: st.DrawFn) -> Table:
    """A table in which a thing or two have been changed to what may not be."""
    table = draw(anywhere)
    seat = st.sampled_from(SEATS)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(seat)
        place = table.place(at)
        match draw(st.sampled_from(["stage", "rack", "set_out", "incoming", "looked", "offer", "debts"])):
            case "stage":
                table = table.at(draw(st.sampled_from(Stage)), table.places)
            case "rack":
                table = table.put(at, replace(place, rack=place.rack + draw(some_tiles) * draw(st.integers(1, 3))))
            case "set_out":
                table = table.put(at, replace(place, set_out=draw(st.one_of(st.none(), piles()))))
            case "incoming":
                table = table.put(at, replace(place, incoming=draw(some_tiles)))
            case "looked":
                table = table.put(at, replace(place, looked=not place.looked))
            case "offer":
                table = table.put(at, replace(place, offer=draw(st.one_of(st.none(), numbers))))
            case _:
                more = [Debt(at, draw(seat), draw(numbers)) for _ in range(draw(st.sampled_from([1, 1, MOST_DEBTS])))]
                table = table.owing((*table.debts, *more))
    return table


def known_tables() -> list[Table]:
    """Return the tables of the corpus and of the real games, with what comes of each act."""
    asked = [(case.table(), case.parsed) for case in load() if not (case.question or "error" in case.want)]
    asked += [(game.start, game.acts) for game in (parse_game(path.read_text()) for path in GAMES.glob("*.charleston"))]
    found = []
    for table, acts in asked:
        found.append(table)
        for act in acts:
            table = judge(table, act).table
            found.append(table)
    return found


def test_a_first_look_at_known_tables_tells_what_a_long_one_does() -> None:
    """A table of the corpus or a real game is found reachable at a first look exactly when nothing is against it."""
    found = known_tables()

    assert 3000 < len(found)
    assert [not list(_table_faults(table)) for table in found] == [reached(table) for table in found]


@LAWS
@given(st.one_of(anywhere, tampered()))
def test_a_first_look_tells_what_a_long_one_does(table: Table) -> None:
    """A table is found reachable at a first look exactly when nothing is against it, whatever was asked before."""
    faults = list(_table_faults(table))

    assert (not faults) is reached(table)
    assert faults == list(table_faults(table))


@LAWS
@given(st.one_of(anywhere, tampered()))
def test_what_is_open_is_the_same_for_every_table_of_a_shape(table: Table) -> None:
    """What is kept for the shape of a table is what would be worked out for the table itself."""
    kept, fresh = what_next(table).open, _worked_out(table)
    in_hand = table.stage not in (Stage.UNDEALT, Stage.THROWN_IN, Stage.PLAY)

    assert (kept.acts, kept.waiting_for) == ((fresh.acts, fresh.waiting_for) if in_hand else (((),) * 4, ()))


@LAWS
@given(anywhere, seeds)
def test_a_shape_names_no_tile(table: Table, seed: int) -> None:
    """Whatever the faces of its tiles are, a table has the same shape, and that is public but for picks."""
    faces = Random(seed)

    def other(place: Place) -> Place:
        def anew(tiles: bytes) -> bytes:
            return bytes(faces.choice(FACES) for _ in tiles)

        pile = place.set_out
        out = pile and replace(pile, tiles=anew(pile.tiles))
        return replace(place, rack=anew(place.rack), set_out=out, incoming=anew(place.incoming))

    unpicked = table.at(table.stage, [_unpicked(place) for place in table.places])

    assert shape(table) == shape(table.at(table.stage, map(other, table.places)))
    assert shape(unpicked) == shape(as_seen(table, None))


def _unpicked(place: Place) -> Place:
    return replace(place, set_out=place.set_out and replace(place.set_out, picks=()))


def test_a_hand_has_few_shapes() -> None:
    """A shape is the same for hands that are played alike, so that a few are kept for many hands."""
    shapes = [{shape(table) for table in hand(Random(seed), stops=0).tables} for seed in range(60)]

    assert len(set().union(*shapes)) < sum(map(len, shapes)) * 3 / 4


def test_nothing_large_is_kept() -> None:
    """A table with more debts or picks than play makes has no shape, and is answered all the same."""
    debts = (Debt(Seat.EAST, Seat.SOUTH, 1),) * (MOST_DEBTS + 1)
    owing = Table(Stage.SECOND_LEFT, debts=debts)
    picked = Table(Stage.FIRST_LEFT).put(Seat.WEST, Place(set_out=SetOut(b"", 3, (1,) * (MOST_PICKS + 1))))

    assert [None, None] == [shape(owing), shape(picked)]
    assert [] == list(table_faults(owing))
    assert ["west.set_out.picks"] == [fault.path for fault in table_faults(picked)]
    assert (Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH) == what_next(owing).waiting_for


def test_what_is_kept_has_an_end() -> None:
    """What is kept is forgotten when there is no room for more, and worked out again."""
    kept: Kept[int] = Kept()
    for number in range(MOST_KEPT + 1):
        kept.keep((number,), number)

    assert 1 == len(kept)
    assert [None, MOST_KEPT] == [kept.get((0,)), kept.get((MOST_KEPT,))]


def test_a_set_has_what_it_has() -> None:
    """A set has four of a face, eight flowers and eight Jokers, and what lies face down has to be among the rest."""
    whole = b"".join(ONE[face] * (8 if face.name in ("FLOWER", "JOKER") else 4) for face in FACES)
    house = Table().house

    assert house.has(whole)
    assert house.has(whole[:-3] + ONE[HIDDEN] * 3)
    assert not house.has(whole + ONE[HIDDEN])
    assert [] == [face for face in FACES if house.has(whole + ONE[face])]
