"""What a seat sees: enough to judge its own acts, and nothing that it may not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.acts import Act, Look
from referee.codec import views_bytes
from referee.judge import judge
from referee.ruling import Verdict
from referee.stages import SEATS, Seat
from referee.table import Place, Table
from referee.tiles import HIDDEN, JOKER
from referee.unreachable import act_faults, table_faults
from referee.view import as_seen
from tests.laws.acting import any_act, seeds
from tests.laws.tables import houses, tables

LAWS = settings(derandomize=True, deadline=None, max_examples=400)
VIEWERS = [*SEATS, None]


@st.composite
def played(draw: st.DrawFn) -> tuple[Table, Act]:
    """Draw a table that is accepted, with an act that fits it."""
    table = draw(houses.flatmap(tables)).tidied()
    assume(not list(table_faults(table)))
    act = draw(any_act(table))
    assume(not list(act_faults(table, act)))
    return table, act


@LAWS
@given(played())
def test_a_seat_judges_its_own_acts_alike(question: tuple[Table, Act]) -> None:
    """A seat's own act has the same verdict on what the seat sees as on the whole table, or UNDECIDED."""
    table, act = question
    assume(act.seat is not None)
    whole, seen = judge(table, act).ruling, judge(as_seen(table, act.seat), act).ruling

    assert seen.verdict in (whole.verdict, Verdict.UNDECIDED)
    if seen.verdict is not Verdict.UNDECIDED:
        assert seen.broken == whole.broken


@LAWS
@given(played())
def test_what_a_seat_sees_is_a_table(question: tuple[Table, Act]) -> None:
    """What anybody sees of a table is a table, before an act and after it, and what is seen again is the same."""
    table, act = question
    for viewer in VIEWERS:
        seen = as_seen(table, viewer)
        after = judge(seen, act).table if not list(act_faults(seen, act)) else seen

        assert [] == list(table_faults(seen))
        assert [] == list(table_faults(after))
        assert seen == as_seen(seen, viewer)


@LAWS
@given(played(), st.sampled_from(VIEWERS), seeds)
def test_a_view_tells_nothing_of_faces_that_are_hidden(
    question: tuple[Table, Act], viewer: Seat | None, seed: int
) -> None:
    """Two tables that differ only in faces which a viewer may not see look the same to it, byte for byte."""
    table, act = question
    other = shuffled(table, viewer, Random(seed))

    assert [] == list(table_faults(other))
    assert view(table, viewer) == view(other, viewer)
    if act.seat is not None and act.seat is viewer and not isinstance(act, Look):
        assert view(judge(table, act).table, viewer) == view(judge(other, act).table, viewer)


def view(table: Table, viewer: Seat | None) -> bytes:
    """Return the standing that a viewer is sent."""
    return views_bytes(table)[VIEWERS.index(viewer)]


def shuffled(table: Table, viewer: Seat | None, random: Random) -> Table:
    """Deal the faces that a viewer may not see anew: Jokers among the racks, the others anywhere."""
    hidden = list(_hidden(table, viewer))
    plain = [tile for tile in hidden if tile != JOKER]
    random.shuffle(plain)
    piles = sum(len(place.tiles) - len(place.rack) for place in table.places)
    own = table.place(viewer).set_out if viewer else None
    piles -= len(own.tiles) if own else 0
    for_piles, for_racks = plain[:piles], plain[piles:] + [JOKER] * hidden.count(JOKER)
    random.shuffle(for_racks)
    places = []
    for seat, place in zip(SEATS, table.places, strict=True):
        if seat is not viewer:
            place = replace(place, rack=bytes(for_racks.pop() for _ in place.rack))
            if place.set_out:
                out = replace(place.set_out, tiles=bytes(for_piles.pop() for _ in place.set_out.tiles))
                place = replace(place, set_out=out)
        places.append(replace(place, incoming=bytes(for_piles.pop() for _ in place.incoming)))
    return table.at(table.stage, places).tidied()


def _hidden(table: Table, viewer: Seat | None) -> Iterator[int]:
    for seat, place in zip(SEATS, table.places, strict=True):
        shown = Place(place.rack, place.set_out) if seat is viewer else Place()
        rest = list(place.tiles)
        for tile in shown.tiles:
            rest.remove(tile)
        yield from (tile for tile in rest if tile != HIDDEN)


@LAWS
@given(played())
def test_a_bystander_sees_no_face(question: tuple[Table, Act]) -> None:
    """A bystander is shown backs only."""
    seen = as_seen(question[0], None)

    assert {HIDDEN} >= {tile for place in seen.places for tile in place.tiles}
