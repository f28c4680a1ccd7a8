"""To the wire: tables and acts as bytes, the same that protobuf writes where it is told to be deterministic.

Fields stand in order and nothing is written that is nothing. Tiles are on the wire as they are in the core.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, Replace, Stop
from referee.codec.wire import number, packed, sized, text, varint
from referee.house import NO_HOUSE, HouseRules
from referee.stages import NOT_DEALT, Stage
from referee.table import NEWEST_RULEBOOK, Debt, Place, SetOut, Table

_PLACES = (b"\x22", b"\x2a", b"\x32", b"\x3a")
_RACKS = (b"\x0a", b"\x12", b"\x1a", b"\x22")
_FIELDS = [[tag + bytes((size,)) for size in range(128)] for tag in _PLACES]
"""What stands before a place, by seat and size."""
_RACK = [b"\x0a" + bytes((size,)) for size in range(128)]
"""What stands before a rack, by size."""


@lru_cache(maxsize=1024)
def _head(rulebook: int, house: HouseRules, stage: Stage) -> bytes:
    """Return what stands before the places of a table."""
    played = sized(b"\x12", _house(house)) if house != NO_HOUSE else b""
    return number(b"\x08", rulebook) + played + number(b"\x18", stage)


def _house(house: HouseRules) -> bytes:
    body = b"".join(text(b"\x0a", id) for id in house.ids)
    if house.flowers is not None:
        body += b"\x10" + varint(house.flowers)
    if house.jokers is not None:
        body += b"\x18" + varint(house.jokers)
    return body


_HEADS = {stage: _head(NEWEST_RULEBOOK, NO_HOUSE, stage) for stage in Stage}
"""What stands before the places of a table without house rules."""


def table_bytes(table: Table) -> bytes:
    """Return a table; one with nothing dealt has no places."""
    return joined(table, () if table.stage in NOT_DEALT else place_fields(table))


def joined(table: Table, places: Iterable[bytes]) -> bytes:
    """Return a table with these fields for its places."""
    plain = table.house is NO_HOUSE and table.rulebook == NEWEST_RULEBOOK
    head = _HEADS[table.stage] if plain else _head(table.rulebook, table.house, table.stage)
    body = head + b"".join(places)
    return body + b"".join(sized(b"\x42", _debt(debt)) for debt in table.debts) if table.debts else body


def place_fields(table: Table) -> tuple[bytes, bytes, bytes, bytes]:
    """Return the four places of a table as its fields."""
    east, south, west, north = table.places
    return place_field(0, east), place_field(1, south), place_field(2, west), place_field(3, north)


def place_field(index: int, place: Place) -> bytes:
    """Return the place of a seat as a field of a table: East's for 0, then South's, West's and North's."""
    pile, incoming, rack = place.set_out, place.incoming, place.rack
    rest = sized(b"\x12", _pile(pile)) if pile is not None else b""
    if incoming:
        rest += sized(b"\x1a", incoming)
    if place.looked:
        rest += b"\x20\x01"
    if place.offer is not None:
        rest += b"\x28" + varint(place.offer)
    size = len(rack)
    whole = 2 + size + len(rest)
    if rack and whole < 128:
        return _FIELDS[index][whole] + _RACK[size] + rack + rest
    return sized(_PLACES[index], packed(b"\x0a", rack) + rest)


def _pile(pile: SetOut | Pass) -> bytes:
    if pile.blind == 0 and not pile.picks:
        return packed(b"\x0a", pile.tiles)
    picks = b"".join(varint(pick) for pick in pile.picks)
    return packed(b"\x0a", pile.tiles) + number(b"\x10", pile.blind) + packed(b"\x1a", picks)


def _debt(debt: Debt) -> bytes:
    return number(b"\x08", debt.debtor) + number(b"\x10", debt.creditor) + number(b"\x18", debt.tiles)


def act_bytes(act: Act) -> bytes:
    """Return an act, with the stage if it names one."""
    return number(b"\x08", act.seat or 0) + number(b"\x10", act.stage or 0) + _deed(act)


def _deed(act: Act) -> bytes:
    match act:
        case Deal():
            racks = zip(_RACKS, act.racks, strict=True)
            return sized(b"\x1a", b"".join(sized(tag, packed(b"\x0a", rack)) for tag, rack in racks))
        case Pass():
            return sized(b"\x22", _pile(act) + number(b"\x20", act.receiver or 0))
        case Look():
            return sized(b"\x2a", (b"" if act.seat else b"\x08\x01") + packed(b"\x12", act.tiles))
        case Stop():
            return sized(b"\x32", b"")
        case Offer():
            return sized(b"\x3a", b"\x08" + varint(act.tiles))
        case HandBack():
            return sized(b"\x42", number(b"\x08", act.passer) + number(b"\x10", act.jokers))
        case Replace():
            return sized(b"\x4a", packed(b"\x0a", act.tiles))
        case Draw():
            return sized(b"\x52", number(b"\x08", act.tile))
        case Count():
            return sized(b"\x5a", b"\x08" + varint(act.tiles))
        case Play():
            return sized(b"\x62", number(b"\x08", act.kind) + number(b"\x10", act.tile or 0))
