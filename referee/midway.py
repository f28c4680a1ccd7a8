"""What speaks against a transition in the middle of a stage: what was done is not undone, and what lies out goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.differences import Difference, DifferenceKind, places
from referee.play import ORDER, Event
from referee.stages import BLIND_PASSES, SIX_PASSES, Seat
from referee.table import Place, SetOut, Table
from referee.tiles import HIDDEN, Tiles, heap


def midway(before: Table, after: Table) -> Iterator[Difference]:
    """Yield what is undone, and tiles set out or coming in that are not where they must have gone.

    The plain checks have nothing against the two tables.
    """
    if before.stage is after.stage:
        for seat, was, now in places(before, after):
            yield from _undone(seat, was, now)
        yield from _carried(before, after)
    elif _just_taken_up(before, after):
        for seat, was, now in places(before, after):
            if was.tiles and heap(was.tiles) != now.rack:
                yield _flow(seat, "rack", heap(was.tiles), now.rack)


def _undone(seat: Seat, was: Place, now: Place) -> Iterator[Difference]:
    if was.offer is not None and (now.offer is None or now.offer > was.offer):
        yield Difference(DifferenceKind.FIELD, _path(seat, "offer"), seat=seat, rule="courtesy.lower")
    if was.moved and not now.moved:
        yield Difference(DifferenceKind.FIELD, _path(seat, "incoming"), seat=seat)
    elif was.looked and not now.looked:
        yield Difference(DifferenceKind.FIELD, _path(seat, "looked"), seat=seat)
    if was.set_out is not None and not now.moved and not _grows(was.set_out, now.set_out):
        yield Difference(DifferenceKind.FIELD, _path(seat, "set_out"), seat=seat, rule="order.once")


def _grows(was: SetOut, now: SetOut | None) -> bool:
    """Tell whether a pile is still there, with no more than a replacement at its end."""
    if now is None or now.blind != was.blind or len(now.tiles) < len(was.tiles):
        return False
    pairs = zip(was.tiles, now.tiles, strict=False)
    return all(one == other or HIDDEN in (one, other) for one, other in pairs)


def _carried(before: Table, after: Table) -> Iterator[Difference]:
    """Yield receivers that have other tiles coming in than their giver had set out."""
    if before.stage in BLIND_PASSES or before.stage not in SIX_PASSES:
        return
    for seat, was, _ in places(before, after):
        receiver = before.receiver(seat)
        incoming = after.place(receiver).incoming
        pile = was.set_out.tiles if was.set_out else b""
        if incoming and HIDDEN not in pile + incoming and Counter(pile) - Counter(incoming):
            yield _flow(receiver, "incoming", heap(pile), incoming)


def _just_taken_up(before: Table, after: Table) -> bool:
    """Tell whether nothing but looks lies between: the tiles of a stage had moved, and the next has just begun."""
    bare = all(place == Place(rack=place.rack) for place in after.places)
    seen = all(HIDDEN not in place.tiles for table in (before, after) for place in table.places)
    begun = before.moved and after.stage is ORDER[before.stage, Event.LOOKED]
    return begun and bare and seen and not before.debts and not after.debts and not before.house.ids


def _flow(seat: Seat, name: str, right: Tiles, there: Tiles) -> Difference:
    lacks = heap((Counter(right) - Counter(there)).elements())
    extra = heap((Counter(there) - Counter(right)).elements())
    return Difference(DifferenceKind.FLOW, _path(seat, name), lacks, extra, seat=seat)


def _path(seat: Seat, name: str) -> str:
    return f"after.{seat.name.lower()}.{name}"
