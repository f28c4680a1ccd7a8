"""To the wire: tables and acts as bytes, each the one way in which protobuf writes it too when told to be deterministic.

Fields stand in order and nothing is written that is nothing. Tiles are on the wire as they are in the core.
"""

from __future__ import annotations

from functools import lru_cache

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, Replace, Stop
from referee.codec.wire import number, packed, sized, text, varint
from referee.house import NO_HOUSE, HouseRules
from referee.stages import NOT_DEALT, Stage
from referee.table import NEWEST_RULEBOOK, Debt, Place, SetOut, Table
from referee.tiles import Tiles

_PLACES = (b"\x22", b"\x2a", b"\x32", b"\x3a")
_RACKS = (b"\x0a", b"\x12", b"\x1a", b"\x22")


def table_bytes(table: Table) -> bytes:
    """Return a table; one with nothing dealt has no places."""
    pieces = [_head(table.rulebook, table.house, table.stage)]
    if table.stage not in NOT_DEALT:
        for tag, place in zip(_PLACES, table.places, strict=True):
            pieces.append(sized(tag, place_bytes(place)))
    for debt in table.debts:
        pieces.append(sized(b"\x42", _debt(debt)))
    return b"".join(pieces)


def place_bytes(place: Place) -> bytes:
    """Return a place, whatever lies there."""
    body = packed(b"\x0a", place.rack)
    if place.set_out is not None:
        body += sized(b"\x12", _pile(place.set_out))
    if place.incoming:
        body += packed(b"\x1a", place.incoming)
    if place.looked:
        body += b"\x20\x01"
    if place.offer is not None:
        body += b"\x28" + varint(place.offer)
    return body


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


def _pile(pile: SetOut | Pass) -> bytes:
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
