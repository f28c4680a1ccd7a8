"""What speaks against one table's being the lawful successor of another: the plain checks, and where the tiles went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from referee.flow import Matrix, Racks, blind_matrices, explained, straight
from referee.judge import judge
from referee.play import ORDER, Event
from referee.ring import PILE
from referee.ruling import FactValue
from referee.table import (
    BLIND_PASSES,
    DIRECTIONS,
    IN_HAND,
    NOT_DEALT,
    SEATS,
    SIX_PASSES,
    Direction,
    Place,
    Seat,
    Stage,
    Table,
)
from referee.tiles import HIDDEN, JOKER, Tiles, heap
from referee.unreachable import Reason, table_faults


class DifferenceKind(IntEnum):
    """In what the table after is not what it should be."""

    UNREACHABLE = 1
    STAGE = 2
    COUNT = 3
    TILES = 4
    JOKER = 5
    FLOW = 6
    FIELD = 7


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that speaks against a transition: at which seat (None: at none), under which path, and by which
    article if there is one. What was expected and what is there are numbers, names or tiles; `went` is the way the
    tiles took."""

    kind: DifferenceKind
    path: str
    expected: FactValue = ""
    actual: FactValue = ""
    seat: Seat | None = None
    rule: str = ""
    went: Direction | None = None


def places(before: Table, after: Table) -> Iterator[tuple[Seat, Place, Place]]:
    """Yield each seat with its place before and after."""
    return zip(SEATS, before.places, after.places, strict=True)


def checked(before: Table, after: Table) -> Iterator[Difference]:
    """Yield what is wrong by the plain checks: reach, stage, counts, tiles, Jokers."""
    for fault in table_faults(after):
        if fault.reason is Reason.UNREACHABLE:
            yield Difference(DifferenceKind.UNREACHABLE, f"after.{fault.path}", actual=fault.sentence)
    for name, was, now in (("rulebook", before.rulebook, after.rulebook), ("house", before.house, after.house)):
        if was != now:
            yield Difference(DifferenceKind.FIELD, f"after.{name}", str(was), str(now))
    if not _reaches(before.stage, after.stage):
        yield Difference(DifferenceKind.STAGE, "after.stage", before.stage, after.stage, rule="order.stage")
    for name, table in (("before", before), ("after", after)):
        yield from _counted(name, table)
    if before.stage not in NOT_DEALT and after.stage not in NOT_DEALT:
        yield from _conserved(before, after)
        yield from _changed(before, after)
        yield from _jokers(before, after)


def _reaches(start: Stage, end: Stage) -> bool:
    """Tell whether the order of play leads from a stage to another, or it is the same."""
    reached, new = {start}, {start}
    while new:
        new = {then for (stage, _), then in ORDER.items() if stage in new} - reached
        reached |= new
    return end in reached and (end in _hands(start) or end is Stage.THROWN_IN)


def _hands(start: Stage) -> frozenset[Stage]:
    """Return the stages of the same hand from a stage on: a new deal is another hand."""
    reached, new = {start}, {start}
    while new:
        new = {then for (stage, event), then in ORDER.items() if stage in new and event is not Event.MISDEALT} - reached
        reached |= new
    return frozenset(reached)


def _counted(name: str, table: Table) -> Iterator[Difference]:
    if table.stage in IN_HAND:
        for finding in judge(table).ruling.broken:
            seat, facts = finding.seat, dict(finding.facts)
            assert seat is not None, "a count is a seat's"
            path = f"{name}.{seat.name.lower()}.rack"
            yield Difference(DifferenceKind.COUNT, path, facts["dealt"], facts["counted"], seat=seat, rule=finding.rule)


def _conserved(before: Table, after: Table) -> Iterator[Difference]:
    was = Counter(tile for place in before.places for tile in place.tiles)
    now = Counter(tile for place in after.places for tile in place.tiles)
    discarded = 1 if after.stage is Stage.PLAY and before.stage is not Stage.PLAY else 0
    drawn = sum(id in before.house for id in ("east.13", "left.draws"))
    change = now.total() - was.total()
    faces_fit = HIDDEN in was or HIDDEN in now or ((now - was).total() <= drawn and (was - now).total() <= discarded)
    if not (-discarded <= change <= drawn and faces_fit):
        missing, extra = heap((was - now).elements()), heap((now - was).elements())
        yield Difference(DifferenceKind.TILES, "after", missing, extra)


def _changed(before: Table, after: Table) -> Iterator[Difference]:
    """Yield the seats more of whose tiles have changed than the passes in between can account for."""
    passes = sum(before.stage <= stage < after.stage for stage in DIRECTIONS)
    if before.stage is after.stage:
        passes = 1  # tiles set out, moved or taken up
    most = PILE * passes
    for seat, was, now in places(before, after):
        lost, gained = _lost(was, now), _lost(now, was)
        # What goes to and fro for Jokers, and what is drawn and discarded, is more than passes.
        beside = 1 if after.stage is Stage.PLAY or before.house.ids else 0
        if max(len(lost), len(gained)) > most + beside:
            path = f"after.{seat.name.lower()}.rack"
            yield Difference(DifferenceKind.TILES, path, most, max(len(lost), len(gained)), seat=seat)


def _jokers(before: Table, after: Table) -> Iterator[Difference]:
    drawn = sum(id in before.house for id in ("east.13", "left.draws"))
    for seat, was, now in places(before, after):
        if HIDDEN in was.tiles or HIDDEN in now.tiles:
            continue
        held, holds = was.tiles.count(JOKER), now.tiles.count(JOKER)
        discarded = 1 if after.stage is Stage.PLAY and seat is Seat.EAST else 0
        if not held - discarded <= holds <= held + drawn:
            path = f"after.{seat.name.lower()}.rack"
            yield Difference(DifferenceKind.JOKER, path, held, holds, seat=seat, rule="joker.passed")


def _lost(was: Place, now: Place) -> Tiles:
    """Return the named tiles that were here and are not."""
    return heap(tile for tile in (Counter(was.tiles) - Counter(now.tiles)).elements() if tile is not HIDDEN)


def _one_pass(before: Table, after: Table) -> bool:
    """Tell whether just the pass of one stage lies between, with nothing of it on either table."""
    follows = {ORDER.get((before.stage, event)) for event in (Event.LOOKED, Event.PAIRS_DONE)}
    bare = all(place == Place(rack=place.rack) for table in (before, after) for place in table.places)
    seen = all(HIDDEN not in place.rack for table in (before, after) for place in table.places)
    passes = before.stage in SIX_PASSES or before.stage is Stage.COURTESY
    return passes and after.stage in follows and bare and seen and not before.debts and not after.debts


def _racks(table: Table) -> Racks:
    east, south, west, north = (place.rack for place in table.places)
    return east, south, west, north


def _explained(before: Table, after: Table, turns: int) -> bool | None:
    """Tell whether one pass to the seat that many turns on explains the racks after."""
    racks = _racks(before), _racks(after)

    def receiver(seat: Seat) -> Seat:
        return before.turns_on(seat, turns)

    if before.stage is Stage.COURTESY:
        pairs = ([Seat.EAST, Seat.WEST], [Seat.SOUTH, Seat.NORTH])
        swaps = [(east, south) for east in range(PILE + 1) for south in range(PILE + 1)]
        matrices = [_both(straight(receiver, e, pairs[0]), straight(receiver, s, pairs[1])) for e, s in swaps]
        return explained(matrices, *racks)
    if before.stage in BLIND_PASSES:
        return explained(blind_matrices((receiver(Seat.EAST) - Seat.EAST) % 4), *racks)
    return explained([straight(receiver, PILE)], *racks)


def _both(one: Matrix, other: Matrix) -> Matrix:
    return tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(one, other, strict=True))


def flow(before: Table, after: Table) -> Iterator[Difference]:
    """Yield, seat by seat, what came in that its giver did not give, if one pass between does not explain it."""
    if before.stage is Stage.OPENING and after.stage is Stage.PLAY:
        yield from _discarded(before, after)
    if not _one_pass(before, after) or _explained(before, after, DIRECTIONS[before.stage]) is not False:
        return
    other_ways = [way for way in Direction if way is not DIRECTIONS[before.stage]]
    went = next((way for way in other_ways if _explained(before, after, way)), None)
    rule = "order.direction" if went else ""
    found = False
    for seat in before.turn:
        giver = before.giver(seat)
        gave = Counter(_lost(before.place(giver), after.place(giver)))
        got = Counter(_lost(after.place(seat), before.place(seat)))
        lacks, extra = heap((gave - got).elements()), heap((got - gave).elements())
        if lacks or extra:
            found = True
            path = f"after.{seat.name.lower()}.rack"
            yield Difference(DifferenceKind.FLOW, path, lacks, extra, seat=seat, rule=rule, went=went)
    if not found:
        yield Difference(DifferenceKind.FLOW, "after", rule="pass.three")


def _discarded(before: Table, after: Table) -> Iterator[Difference]:
    for seat, was, now in places(before, after):
        gone = 1 if seat is Seat.EAST else 0
        lost, gained = _lost(was, now), _lost(now, was)
        if len(lost) > gone or gained:
            yield Difference(DifferenceKind.FLOW, f"after.{seat.name.lower()}.rack", lost, gained, seat=seat)


def decided(before: Table, after: Table) -> bool:
    """Tell whether unbroken checks are proof: a deal, one pass that explains all, East's discard."""
    if before.stage in NOT_DEALT:
        return after.stage is Stage.FIRST_RIGHT and all(place == Place(rack=place.rack) for place in after.places)
    if before.stage is Stage.OPENING and after.stage is Stage.PLAY:
        return not before.debts and all(HIDDEN not in place.rack for place in (*before.places, *after.places))
    return _one_pass(before, after) and _explained(before, after, DIRECTIONS[before.stage]) is True


def compared(end: Table, after: Table) -> Iterator[Difference]:
    """Yield where the table after is not the one that the acts lead to."""
    if end.stage is not after.stage:
        yield Difference(DifferenceKind.STAGE, "after.stage", end.stage, after.stage, rule="order.stage")
    for seat, right, now in places(end, after):
        path = f"after.{seat.name.lower()}"
        if right.rack != now.rack:
            lacks = heap((Counter(right.rack) - Counter(now.rack)).elements())
            extra = heap((Counter(now.rack) - Counter(right.rack)).elements())
            yield Difference(DifferenceKind.FLOW, f"{path}.rack", lacks, extra, seat=seat)
        for name in ("set_out", "incoming", "looked", "offer"):
            if getattr(right, name) != getattr(now, name):
                yield Difference(DifferenceKind.FIELD, f"{path}.{name}", seat=seat)
    if end.debts != after.debts:
        yield Difference(DifferenceKind.FIELD, "after.debts", len(end.debts), len(after.debts))
