"""What one pass, a deal or East's discard makes of the racks: whether it explains the table after, and if not, why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from referee.differences import Difference, DifferenceKind, lost, places
from referee.flow import Matrix, Racks, blind_matrices, explained, straight
from referee.place import PILE
from referee.play import ORDER, Event
from referee.stages import BLIND_PASSES, DIRECTIONS, NOT_DEALT, SIX_PASSES, Direction, Seat, Stage
from referee.table import Place, Table
from referee.tiles import HIDDEN, Tiles, heap


class Passage(NamedTuple):
    """Whether the two tables alone prove that one follows the other, and where the tiles went wrong."""

    proven: bool = False
    differences: tuple[Difference, ...] = ()


def passage(before: Table, after: Table) -> Passage:
    """Return what there is to say where just a deal, one pass or East's discard lies between; nothing elsewhere.

    The plain checks have nothing against the two tables.
    """
    if before.stage in NOT_DEALT:
        return Passage(after.stage is Stage.FIRST_RIGHT and _bare(after))
    if before.stage is Stage.OPENING and after.stage is Stage.PLAY and not before.debts:
        return Passage(_seen(before) and _seen(after), tuple(_discarded(before, after)))
    if not _one_pass(before, after):
        return Passage()
    found = _explained(before, after, DIRECTIONS[before.stage])
    return Passage(found is True, tuple(_went(before, after)) if found is False else ())


def _bare(table: Table) -> bool:
    return not table.debts and all(place == Place(rack=place.rack) for place in table.places)


def _seen(table: Table) -> bool:
    return all(HIDDEN not in place.tiles for place in table.places)


def _one_pass(before: Table, after: Table) -> bool:
    """Tell whether just the pass of one stage lies between, with nothing of it on either table."""
    follows = {ORDER.get((before.stage, event)) for event in (Event.LOOKED, Event.PAIRS_DONE)}
    passes = before.stage in SIX_PASSES or before.stage is Stage.COURTESY
    drawn = sum(len(place.rack) for place in before.places) != sum(len(place.rack) for place in after.places)
    seen = _seen(before) and _seen(after)
    return passes and after.stage in follows and _bare(before) and _bare(after) and seen and not drawn


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
        ways = blind_matrices((receiver(Seat.EAST) - Seat.EAST) % 4)
        ends = "ring.ends" in before.house  # four blind threes, which move nothing, end the passing there
        return explained((way for way in ways if any(map(any, way)) or not ends), *racks)
    return explained([straight(receiver, PILE)], *racks)


def _both(one: Matrix, other: Matrix) -> Matrix:
    return tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(one, other, strict=True))


def _went(before: Table, after: Table) -> Iterator[Difference]:
    """Yield, seat by seat, what came in that its giver did not give, where one pass does not explain it."""
    other_ways = [way for way in Direction if way is not DIRECTIONS[before.stage]]
    went = next((way for way in other_ways if _explained(before, after, way)), None)
    rule = "order.direction" if went else ""
    lacks, extra = _unlike(before, after)
    if not any(lacks.values()) and not any(extra.values()):
        yield Difference(DifferenceKind.FLOW, "after", rule="courtesy.fewer" if _pairs(before) else "pass.three")
    for seat in before.turn:
        if lacks[seat] or extra[seat]:
            path, short, over = f"after.{seat.name.lower()}.rack", _heap(lacks[seat]), _heap(extra[seat])
            yield Difference(DifferenceKind.FLOW, path, short, over, seat=seat, rule=rule, went=went)


def _pairs(table: Table) -> bool:
    return table.stage is Stage.COURTESY


def _unlike(before: Table, after: Table) -> tuple[dict[Seat, Counter[int]], dict[Seat, Counter[int]]]:
    """Return by seat the tiles of its giver that it lacks, and those that it has and its giver did not give."""
    gave = {seat: Counter(lost(before.place(seat), after.place(seat))) for seat in before.turn}
    got = {seat: Counter(lost(after.place(seat), before.place(seat))) for seat in before.turn}
    lacks = {seat: gave[before.giver(seat)] - got[seat] for seat in before.turn}
    extra = {seat: got[seat] - gave[before.giver(seat)] for seat in before.turn}
    # A face that a seat passes and gets shows on neither of its racks: who passed it on is not at fault.
    for seat in (*before.turn, *before.turn):
        receiver, rack = before.receiver(seat), Counter(before.place(seat).rack)
        for face in lacks[seat] & extra[receiver]:
            if gave[seat][face] < rack[face] and gave[seat].total() < PILE:
                gave[seat][face] += 1
                lacks[seat] -= Counter([face])
                extra[receiver] -= Counter([face])
    return lacks, extra


def _heap(tiles: Counter[int]) -> Tiles:
    return heap(tiles.elements())


def _discarded(before: Table, after: Table) -> Iterator[Difference]:
    for seat, was, now in places(before, after):
        path = f"after.{seat.name.lower()}.rack"
        discards = 1 if seat is Seat.EAST else 0
        draws = 1 if before.short(seat) or (discards and before.east_draws) else 0
        gone, new = lost(was, now), lost(now, was)
        if (leaves := len(was.rack) + draws - discards) != len(now.rack):
            yield Difference(DifferenceKind.FLOW, path, leaves, len(now.rack), seat=seat, rule="play.east")
        elif len(gone) > discards or len(new) > draws or any(before.left(tile) <= 0 for tile in new):
            yield Difference(DifferenceKind.FLOW, path, gone, new, seat=seat)
