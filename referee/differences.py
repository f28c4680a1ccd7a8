"""What speaks against one table's being the lawful successor of another, by the plain checks that any tables allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from referee.judge import judge
from referee.place import PILE
from referee.play import ORDER, Event
from referee.ruling import FactValue
from referee.stages import DIRECTIONS, IN_HAND, NOT_DEALT, SEATS, Direction, Seat, Stage
from referee.table import Place, Table
from referee.tiles import HIDDEN, JOKER, Tiles, heap
from referee.unreachable import Fault, Reason


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


def checked(before: Table, after: Table, faults: Iterable[Fault]) -> Iterator[Difference]:
    """Yield what is wrong by the plain checks: reach (what `table_faults` has found after), stage, counts, tiles,
    Jokers."""
    for fault in faults:
        kind = DifferenceKind.TILES if fault.reason is Reason.TOO_MANY_OF_A_FACE else DifferenceKind.UNREACHABLE
        yield Difference(kind, f"after.{fault.path}", actual=fault.sentence, seat=_seat(fault.path))
    if not _reaches(before.stage, after.stage):
        yield Difference(DifferenceKind.STAGE, "after.stage", before.stage, after.stage, rule="order.stage")
    for name, table in (("before", before), ("after", after)):
        yield from _counted(name, table)
    if before.stage not in NOT_DEALT and after.stage not in NOT_DEALT:
        yield from _conserved(before, after)
        yield from _changed(before, after)
        yield from _jokers(before, after)
    if before.rulebook != after.rulebook:
        yield Difference(DifferenceKind.FIELD, "after.rulebook", before.rulebook, after.rulebook)
    if before.house != after.house:
        yield Difference(DifferenceKind.FIELD, "after.house", str(before.house), str(after.house))


def lost(was: Place, now: Place) -> Tiles:
    """Return the named tiles that were here and are not, nor can be among what lies face down here now."""
    gone = heap(tile for tile in (Counter(was.tiles) - Counter(now.tiles)).elements() if tile != HIDDEN)
    return gone[now.tiles.count(HIDDEN) :]


def _seat(path: str) -> Seat | None:
    return next((seat for seat in SEATS if path.startswith(seat.name.lower())), None)


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
    kept = 1 if "east.declares" in before.house else 0  # East may have declared instead of discarding
    change = now.total() - was.total()
    faces_fit = HIDDEN in was or HIDDEN in now or ((now - was).total() <= drawn and (was - now).total() <= discarded)
    if not (-discarded <= change <= drawn - discarded * (1 - kept) and faces_fit):
        missing, extra = heap((was - now).elements()), heap((now - was).elements())
        yield Difference(DifferenceKind.TILES, "after", missing, extra)


def _changed(before: Table, after: Table) -> Iterator[Difference]:
    """Yield the seats more of whose tiles have changed than the passes in between can account for."""
    passes = sum(before.stage <= stage < after.stage for stage in DIRECTIONS)
    if before.stage is after.stage or any(place.moved for place in after.places):
        passes += 1  # the tiles of the stage after have moved too
    # What is paid for Jokers, and what is drawn and discarded, is more than passes.
    beside = 1 if after.stage is Stage.PLAY or before.house.ids else 0
    most = PILE * passes + beside + sum(debt.tiles for debt in before.debts)
    for seat, was, now in places(before, after):
        if (changed := max(len(lost(was, now)), len(lost(now, was)))) > most:
            yield Difference(DifferenceKind.TILES, f"after.{seat.name.lower()}.rack", most, changed, seat=seat)


def _jokers(before: Table, after: Table) -> Iterator[Difference]:
    drawn = sum(id in before.house for id in ("east.13", "left.draws"))
    for seat, was, now in places(before, after):
        if HIDDEN in was.tiles or HIDDEN in now.tiles:
            continue
        held, holds = was.tiles.count(JOKER), now.tiles.count(JOKER)
        discarded = 1 if after.stage is Stage.PLAY and seat is Seat.EAST else 0
        # A debt that is still open tells of Jokers that were handed back.
        new = [debt for debt in after.debts if debt not in before.debts]
        back = sum(debt.tiles for debt in new if debt.debtor is seat)
        found = sum(debt.tiles for debt in new if debt.creditor is seat)
        if not held - discarded - found <= holds <= held + drawn + back:
            path = f"after.{seat.name.lower()}.rack"
            yield Difference(DifferenceKind.JOKER, path, held, holds, seat=seat, rule="joker.passed")
