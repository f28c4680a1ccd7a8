"""Tables that no play can reach, and acts that do not fit their table: the closed list of what is malformed.

A wrong count is never malformed; it is a misdeal. Paths are those of the protocol, under the table or the act. The
table is taken as it was sent, so that an index points at the tile that was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, NamedTuple

from referee.acts import Act, Deal, Draw, Look
from referee.house import HouseRules
from referee.ring import PILE
from referee.shape import Kept, shape
from referee.stages import BLIND_PASSES, COURTESY, EAST, IN_HAND, NOT_DEALT, SEATS, SIX_PASSES, SOUTH, Seat
from referee.table import EMPTY, Place, Table
from referee.tiles import COPIES, HIDDEN, JOKER, Tiles, unnamed


class Reason(Enum):
    """Why a field is malformed, apart from what only the wire can get wrong."""

    TOO_MANY_OF_A_FACE = "the set has fewer of this face"
    UNREACHABLE = "no play leads to this table"
    MISMATCH = "these are not what the table says"


class Fault(NamedTuple):
    """A malformed field: its path, the reason, and a sentence that names no tile."""

    path: str
    reason: Reason
    sentence: str


_REACHED: Kept[bool] = Kept()


def table_faults(table: Table) -> Iterable[Fault]:
    """Return what is malformed about a table, in field order; nothing if play can reach it, right counts or not."""
    return () if reached(table) else _table_faults(table)


def reached(table: Table) -> bool:
    """Tell whether there is nothing malformed about a table, as of nearly every one.

    That hangs on its shape, on how many there are of each face, and on Jokers lying where they cannot.
    """
    if table.stage in NOT_DEALT:
        return not table.debts and all(place == EMPTY for place in table.places)
    tiles = b""
    for place in table.places:
        moving = place.incoming if place.set_out is None else place.set_out.tiles + place.incoming
        if JOKER in moving:
            return False
        tiles += place.rack + moving
    if not table.house.has(tiles):
        return False
    of = shape(table)
    if of is None:
        return not any(True for _ in _table_faults(table))
    known = _REACHED.get(of)
    return _REACHED.keep(of, not any(True for _ in _table_faults(table))) if known is None else known


def _table_faults(table: Table) -> Iterator[Fault]:
    if sentence := _not_gone_on(table):
        yield _unreachable("stage", sentence)
    faces = _Faces(table.house, b"".join(place.tiles for place in table.places))
    for seat in SEATS:
        name, place = seat.name.lower(), table.place(seat)
        yield from faces.faults(f"{name}.rack", place.rack)
        yield from (_under(name, fault) for fault in _place_faults(table, seat, place, faces))
    for index, debt in enumerate(table.debts):
        if table.stage not in IN_HAND:
            yield _unreachable(f"debts[{index}]", "Nothing is owed before the deal or after the discard.")
        elif debt.tiles == 0:
            yield _unreachable(f"debts[{index}].tiles", "A debt is of one tile or more.")
        elif debt.debtor is debt.creditor:
            if table.place(debt.debtor).set_out is None:
                yield _unreachable(f"debts[{index}].creditor", "A debt to a seat's own pass needs a pass set out.")
        elif debt.debtor not in table.sources(debt.creditor):
            yield _unreachable(f"debts[{index}].debtor", "No tile of the debtor can have reached the creditor yet.")


def act_faults(table: Table, act: Act) -> Iterable[Fault]:
    """Return what is malformed about an act at this table: faces that the set has not, tiles that did not come in."""
    faults = _ACT_FAULTS.get(type(act))
    return faults(table, act) if faults else ()


def _deal_faults(table: Table, act: Deal) -> Iterator[Fault]:
    faces = _Faces(table.house, b"".join(act.racks))
    for seat, rack in zip(SEATS, act.racks, strict=True):
        yield from faces.faults(f"deal.{seat.name.lower()}.tiles", rack)


def _look_faults(table: Table, act: Look) -> Iterator[Fault]:
    if act.seat is not None and act.tiles and act.stage in (None, table.stage):
        incoming = table.place(act.seat).incoming
        if incoming and not _could_be(table, act.tiles, incoming):
            yield Fault("look.tiles", Reason.MISMATCH, "These are not the tiles that came in.")


def _draw_faults(table: Table, act: Draw) -> Iterator[Fault]:
    if act.tile != HIDDEN and table.left(act.tile) <= 0:
        yield Fault("draw.tile", Reason.TOO_MANY_OF_A_FACE, "The set has no copy of this face left to draw.")


_ACT_FAULTS: dict[type, Callable[[Table, Any], Iterator[Fault]]] = {
    Deal: _deal_faults,
    Look: _look_faults,
    Draw: _draw_faults,
}


def _could_be(table: Table, named: Tiles, incoming: Tiles) -> bool:
    """Tell whether the tiles coming in, some face down, can be those named."""
    short, backs = unnamed(incoming, named)
    return len(named) == len(incoming) and len(short) <= backs and all(short.count(t) <= table.left(t) for t in short)


class _Faces:
    """Counts the tiles of a table as they are read, against what the set has."""

    def __init__(self, house: HouseRules, tiles: Tiles) -> None:
        self._right = house.has(tiles)
        self._most = {face: house.copies(face) for face in COPIES}
        self._most[HIDDEN] = house.set_size - len(tiles) + tiles.count(HIDDEN)
        self._used: Counter[int] = Counter()

    def faults(self, path: str, tiles: Tiles) -> Iterator[Fault]:
        """Yield a fault for each tile beyond what the set has of its face, or has left to lie face down."""
        for index, tile in enumerate(() if self._right else tiles):
            self._used[tile] += 1
            if self._used[tile] > self._most[tile]:
                sentence = (
                    "The set has no tile left for this one." if tile == HIDDEN else "The set has no more of this face."
                )
                yield Fault(f"{path}[{index}]", Reason.TOO_MANY_OF_A_FACE, sentence)


def _unreachable(path: str, sentence: str) -> Fault:
    return Fault(path, Reason.UNREACHABLE, sentence)


def _under(name: str, fault: Fault) -> Fault:
    return fault._replace(path=f"{name}.{fault.path}")


def _place_faults(table: Table, seat: Seat, place: Place, faces: _Faces) -> Iterator[Fault]:
    if table.stage in NOT_DEALT and place.rack:
        yield _unreachable("rack", "Nothing is dealt, so no rack has a tile.")
    if place.set_out is not None:
        yield from _set_out_faults(table, seat, place)
        yield from faces.faults("set_out.tiles", place.set_out.tiles)
        yield from _jokers("set_out.tiles", place.set_out.tiles)
        if place.set_out.blind and table.stage not in BLIND_PASSES:
            yield _unreachable("set_out.blind", "Only the last pass of each Charleston can be blind.")
        if place.set_out.picks and (sentence := picks_fault(place.set_out.picks, place.set_out.blind)):
            yield Fault("set_out.picks", Reason.MISMATCH, sentence)
    yield from _incoming_faults(table, seat, place)
    yield from faces.faults("incoming", place.incoming)
    yield from _jokers("incoming", place.incoming)
    if place.looked:
        if place.incoming:
            yield _unreachable("looked", "Tiles coming in have not been looked at.")
        elif table.stage not in SIX_PASSES and not (table.stage is COURTESY and table.agreed(seat)):
            yield _unreachable("looked", "Nothing has come in that could have been looked at.")
    if place.offer is not None:
        if table.stage is not COURTESY:
            yield _unreachable("offer", "Offers are made in the courtesy only.")
        elif place.offer > PILE:
            yield _unreachable("offer", "An offer is none, one, two or three.")


def _jokers(path: str, tiles: Tiles) -> Iterator[Fault]:
    for index, tile in enumerate(tiles):
        if tile == JOKER:
            yield _unreachable(f"{path}[{index}]", "This tile is never set out, and never comes in.")


def _set_out_faults(table: Table, seat: Seat, place: Place) -> Iterator[Fault]:
    pile = place.set_out
    assert pile is not None
    in_courtesy = table.stage is COURTESY
    size = (table.agreed(seat) or 0) if in_courtesy else PILE if table.stage in SIX_PASSES else 0
    if not size:
        yield _unreachable("set_out", "Nothing can be set out here.")
    elif place.moved or table.moved or (in_courtesy and table.place(seat.across).moved):
        yield _unreachable("set_out", "Nothing is set out once the tiles of the stage have moved.")
    elif len(pile.tiles) + pile.blind + table.owed_to_pass(seat) != size:
        yield _unreachable("set_out", "A pass, with what is taken blind and what is owed to it, is of another size.")


def picks_fault(picks: tuple[int, ...], blind: int) -> str:
    """Return what is wrong with picks, or nothing: there are as many as blind tiles, distinct, each from 1 to 3."""
    if len(picks) != blind:
        return "There are as many picks as tiles taken blind, or none."
    if len(set(picks)) != len(picks) or not all(1 <= pick <= PILE for pick in picks):
        return "Picks are distinct places in the pile that comes in, from 1 to 3."
    return ""


def _incoming_faults(table: Table, seat: Seat, place: Place) -> Iterator[Fault]:
    number = len(place.incoming)
    if table.stage is COURTESY:
        agreed = table.agreed(seat) or 0
        crossed = place.moved or table.place(seat.across).moved
        if number and number != agreed:
            yield _unreachable("incoming", "As many tiles come in as the smaller offer of the pair says.")
        elif agreed and crossed and not place.moved and place.set_out is None:
            yield _unreachable(
                "incoming", "The tiles of this pair have crossed, and this seat has none and has not looked."
            )
    elif table.stage in SIX_PASSES:
        sizes = (1, 2, 3) if table.stage in BLIND_PASSES else (PILE,)
        if number and number not in sizes:
            yield _unreachable("incoming", "Another number of tiles comes in on this pass.")
        elif table.moved and not place.moved and place.set_out is None:
            yield _unreachable("incoming", "The tiles have moved, and this seat has none and has not looked.")
    elif number:
        yield _unreachable("incoming", "Nothing can be coming in here.")


def _not_gone_on(table: Table) -> str:
    """Say why the table should have gone on by itself, or nothing."""
    if table.stage in SIX_PASSES and not table.debts:
        if all(place.set_out is not None for place in table.places):
            return "All four have set out, so the tiles have moved."
        if all(place.looked for place in table.places):
            return "All four have looked, so the next stage has begun."
    if table.stage is COURTESY:
        for seat in (EAST, SOUTH):
            both = table.place(seat).set_out is not None and table.place(seat.across).set_out is not None
            if both and not any(debt.touches(seat) for debt in table.debts):
                return "Both of a pair have set out, so their tiles have crossed."
        if not table.debts and table.pair_done(EAST) and table.pair_done(SOUTH):
            return "Both pairs are done, so the opening has come."
    return ""
