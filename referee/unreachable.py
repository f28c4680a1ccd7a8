"""Tables that no play can reach, and acts that do not fit their table: the closed list of what is malformed.

A wrong count is never malformed; it is a misdeal. Paths are those of the protocol, under the table or the act. The
table is taken as it was sent, so that an index points at the tile that was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from referee.acts import Act, Deal, Draw, Look
from referee.faults import Faces, Fault, Reason, picks_fault, place_faults, under, unreachable
from referee.place import PILE
from referee.shape import Kept
from referee.stages import COURTESY, EAST, IN_HAND, NOT_DEALT, SEATS, SIX_PASSES, SOUTH
from referee.table import EMPTY, Table
from referee.tiles import HIDDEN, JOKER, Tiles, unnamed

_JOKER = int(JOKER)

__all__ = ["Fault", "Reason", "act_faults", "picks_fault", "reached", "table_faults"]


def table_faults(table: Table) -> Iterable[Fault]:
    """Return what is malformed about a table, in field order; nothing if play can reach it, right counts or not."""
    return () if reached(table) else _table_faults(table)


def reached(table: Table) -> bool:
    """Tell whether there is nothing malformed about a table, as of nearly every one."""
    if table.stage in NOT_DEALT:
        return not table.debts and all(place == EMPTY for place in table.places)
    tiles = b""
    for place in table.places:
        moving, pile = place.incoming, place.set_out
        if pile is not None:
            moving += pile.tiles
        if moving:
            if _JOKER in moving:
                return False
            tiles += moving
        tiles += place.rack
    if not table.house.has(tiles):
        return False
    shape = table.shape
    if shape is None:
        return _reached(table)
    known = _TABLES.get(shape)
    return _TABLES.keep(shape, _reached(table)) if known is None else known


def _reached(table: Table) -> bool:
    """Tell the same of a table with no face too many and no Joker where none can lie."""
    if _not_gone_on(table) or (table.debts and any(_debt_faults(table))):
        return False
    moved, in_courtesy, owing = table.moved, table.stage is COURTESY, bool(table.debts)
    for seat, place in zip(SEATS, table.places, strict=True):
        pile = place.set_out
        out = None if pile is None else (len(pile.tiles), pile.blind, pile.picks[: PILE + 1])
        pair = (table.agreed(seat), table.partner(seat).moved) if in_courtesy else None
        owed = table.owed_to_pass(seat) if owing else 0
        key = (table.stage, moved, out, len(place.incoming), place.looked, place.offer, pair, owed)
        known = _PLACES.get(key)
        if known is None:
            # The faces of the whole table have been counted.
            known = _PLACES.keep(key, not any(place_faults(table, seat, place, Faces(table.house, b""))))
        if not known:
            return False
    return True


_TABLES: Kept[bool] = Kept()
"""Whether there is nothing against a table but perhaps its faces, by its shape."""
_PLACES: Kept[bool] = Kept()
"""The same of a place, which serves the tables that are new."""


def _table_faults(table: Table) -> Iterator[Fault]:
    if sentence := _not_gone_on(table):
        yield unreachable("stage", sentence)
    faces = Faces(table.house, b"".join(place.tiles for place in table.places))
    for seat in SEATS:
        name, place = seat.name.lower(), table.place(seat)
        yield from faces.faults(f"{name}.rack", place.rack)
        yield from (under(name, fault) for fault in place_faults(table, seat, place, faces))
    yield from _debt_faults(table)


def _debt_faults(table: Table) -> Iterator[Fault]:
    for index, debt in enumerate(table.debts):
        if table.stage not in IN_HAND:
            yield unreachable(f"debts[{index}]", "Nothing is owed before the deal or after the discard.")
        elif debt.tiles == 0:
            yield unreachable(f"debts[{index}].tiles", "A debt is of one tile or more.")
        elif debt.debtor is debt.creditor:
            if table.place(debt.debtor).set_out is None:
                yield unreachable(f"debts[{index}].creditor", "A debt to a seat's own pass needs a pass set out.")
        elif debt.debtor not in table.sources(debt.creditor):
            yield unreachable(f"debts[{index}].debtor", "No tile of the debtor can have reached the creditor yet.")


def act_faults(table: Table, act: Act) -> Iterable[Fault]:
    """Return what is malformed about an act at this table: faces that the set has not, tiles that did not come in."""
    faults = _ACT_FAULTS.get(type(act))
    return faults(table, act) if faults else ()


def _deal_faults(table: Table, act: Deal) -> Iterator[Fault]:
    faces = Faces(table.house, b"".join(act.racks))
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


def _not_gone_on(table: Table) -> str:
    """Say why the table should have gone on by itself, or nothing."""
    if table.stage in SIX_PASSES and not table.debts:
        east, south, west, north = table.places
        if east.set_out and south.set_out and west.set_out and north.set_out:
            return "All four have set out, so the tiles have moved."
        if east.looked and south.looked and west.looked and north.looked:
            return "All four have looked, so the next stage has begun."
    if table.stage is COURTESY:
        for seat in (EAST, SOUTH):
            both = table.place(seat).set_out is not None and table.place(seat.across).set_out is not None
            if both and not any(debt.touches(seat) for debt in table.debts):
                return "Both of a pair have set out, so their tiles have crossed."
        if not table.debts and table.pair_done(EAST) and table.pair_done(SOUTH):
            return "Both pairs are done, so the opening has come."
    return ""
