"""The laws of a first look: it tells what a long one does, and what is kept for it is small and holds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charleston.conformance.cases import load
from referee import next, unreachable
from referee.judge import judge
from referee.next import Open, _worked_out, what_next
from referee.notation import parse_game
from referee.shape import _SHAPES, MOST_DEBTS, MOST_KEPT, Kept
from referee.stages import IN_HAND, SEATS, Seat, Stage
from referee.table import Debt, Place, SetOut, Table
from referee.tiles import FACES, HIDDEN, ONE
from referee.unreachable import _PLACES, _table_faults, reached, table_faults
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
def test_what_is_open_is_what_would_be_worked_out_anew(table: Table) -> None:
    """What is kept as open at a table is what would be worked out for this very table, whatever was asked before."""
    kept, fresh = what_next(table).open, _worked_out(table)

    if table.stage in IN_HAND:
        assert (kept.acts, kept.sources, kept.waiting_for) == (fresh.acts, fresh.sources, fresh.waiting_for)
    else:
        assert (((),) * 4, ((),) * 4, ()) == (kept.acts, kept.sources, kept.waiting_for)


@LAWS
@given(anywhere, seeds)
def test_a_shape_names_no_tile(table: Table, seed: int) -> None:
    """Whatever the faces of its tiles are a table has the same shape, and but for picks a bystander sees the same."""
    faces = Random(seed)

    def anew(tiles: bytes) -> bytes:
        return bytes(faces.choice(FACES) for _ in tiles)

    def other(place: Place) -> Place:
        out = place.set_out and replace(place.set_out, tiles=anew(place.set_out.tiles))
        return replace(place, rack=anew(place.rack), set_out=out, incoming=anew(place.incoming))

    def without_picks(place: Place) -> Place:
        return replace(place, set_out=place.set_out and replace(place.set_out, picks=()))

    unpicked = table.at(table.stage, map(without_picks, table.places))

    assert table.shape is table.at(table.stage, map(other, table.places)).shape
    assert unpicked.shape is as_seen(table, None).shape


def test_few_answers_are_kept_for_many_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands share what is kept: a hundred of them, played at random, leave far fewer answers than they have tables."""
    places: Kept[bool] = Kept()
    reached_before: Kept[bool] = Kept()
    opened: Kept[Open] = Kept()
    monkeypatch.setattr(unreachable, "_PLACES", places)
    monkeypatch.setattr(unreachable, "_TABLES", reached_before)
    monkeypatch.setattr(next, "_OPEN", opened)
    tables = [table for seed in range(100) for table in hand(Random(seed)).tables]
    for table in tables:
        what_next(table)

    assert all(map(reached, tables))
    assert len(places) < 100
    assert len(reached_before) < len(tables) / 2
    assert len(opened) < len(tables) / 4


def test_nothing_large_is_kept() -> None:
    """However many picks and debts a table has, a key is small; and the table is answered."""
    debts = (Debt(Seat.EAST, Seat.SOUTH, 1),) * 10_000
    owing = Table(Stage.SECOND_LEFT, debts=debts)
    picked = Table(Stage.FIRST_LEFT).put(Seat.WEST, Place(set_out=SetOut(b"", 3, (1,) * 10_000)))

    assert [] == list(table_faults(owing))
    assert ["west.set_out.picks"] == [fault.path for fault in table_faults(picked)]
    assert (Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH) == what_next(owing).waiting_for
    assert 1000 > max(len(repr(key)) for kept in (_PLACES, _SHAPES) for key in kept._kept)


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
