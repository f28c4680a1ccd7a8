"""From the wire, the short way: tables and acts out of bytes, where these are written as every protobuf library does.

Fields stand in order, tags and almost all numbers are one byte, tiles are packed: a rack is then a slice. Whatever is
different, malformed or merely strange is Unusual, and goes the long way through protobuf (`reading`), which alone says
what is wrong. The law between the two: what is read here is exactly what is read there. Every number is checked before
it is believed; where a length goes beyond what there is, the end is missed, which is Unusual too.
"""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.message import DecodeError

from charleston.referee.v1 import table_pb2
from referee.codec.fields import Fields
from referee.codec.malformed import Malformed
from referee.codec.reading import house_of
from referee.house import LARGEST_SET, NO_HOUSE, HouseRules
from referee.place import PILE
from referee.stages import NOT_DEALT, Seat, Stage
from referee.table import NEWEST_RULEBOOK, Debt, Place, SetOut, Table
from referee.tiles import Tile, Tiles

SEAT = (None, *Seat)
STAGE = (None, *Stage)
_KNOWN = bytes(Tile)
_PLACES = b"\x22\x2a\x32\x3a"
_DEBT = (0x42, 6, 0x08, 0x10, 0x18)
_DEBT_SIZE = 8
_HIGH = tuple(int.from_bytes(b"\x80" * size, "big") for size in range(5 * 128))


class Unusual(Exception):
    """Bytes that have to go the long way."""


def read_table(body: bytes) -> Table:
    """Read a table, whether play can reach it or not, and tidy it; raise Unusual, IndexError or ValueError."""
    at = 0
    if body[0] == 0x08:
        if body[1] != NEWEST_RULEBOOK:
            raise Unusual
        at = 2
    house = NO_HOUSE
    if body[at] == 0x12:
        end = at + 2 + short(body[at + 1])
        house = _house(body[at + 2 : end])
        at = end
    stage = STAGE[body[at + 1]]
    if body[at] != 0x18 or stage is None:
        raise Unusual
    at += 2
    if at == len(body) and stage in NOT_DEALT:
        return Table(stage, rulebook=NEWEST_RULEBOOK, house=house)
    heaps: list[Tiles] = []
    places = []
    for tag in _PLACES:
        size = body[at + 1]
        if body[at] != tag or size > 127:
            raise Unusual
        begin, at = at + 2, at + 2 + size
        if body[begin] == 0x0A and body[begin + 1] == size - 2:
            rack = body[begin + 2 : at]
            heaps.append(rack)
            places.append(Place(rack))
        else:
            places.append(_place(body[begin:at], heaps))
    debts: list[Debt] = []
    while at < len(body):
        debts.append(_debt(body[at : at + _DEBT_SIZE]))
        at += _DEBT_SIZE
    if at != len(body) or len(debts) > LARGEST_SET:
        raise Unusual
    east, south, west, north = places
    table = Table(stage, (east, south, west, north), tuple(debts), NEWEST_RULEBOOK, house)
    return table if _tidy(heaps) else table.tidied()


def _tidy(heaps: list[Tiles]) -> bool:
    """Tell whether each heap is in tile order; raise Unusual if there is no tile of some number in them.

    All of them are looked at as one number, a byte for each tile and a zero between two heaps. To each byte 128 is
    added and the byte before it is taken away: where less than 128 is left a tile is lower than the one before it, as
    it should be where a heap ends and nowhere else.
    """
    tiles, ends = b"\0".join(heaps), len(heaps) - 1
    if len(tiles.translate(None, _KNOWN)) != ends:
        raise Unusual
    if b"" in heaps:
        return False  # nothing is lower than where nothing lies
    number, high = int.from_bytes(tiles, "big"), _HIGH[len(tiles)]
    lower = ~((number | high) - (number >> 8)) & high
    return lower.bit_count() == ends


def short(size: int) -> int:
    """Return a number if it is one byte long; raise Unusual."""
    if size > 127:
        raise Unusual
    return size


@lru_cache(maxsize=256)
def _house(body: bytes) -> HouseRules:
    """Read house rules; a few hundred tables in a row have the same, and one table never has others."""
    fields = Fields()
    try:
        house = house_of(fields, "house", table_pb2.HouseRules.FromString(body))
    except (DecodeError, Malformed):
        raise Unusual from None
    if fields.violations:
        raise Unusual
    return house


def known(tiles: Tiles) -> Tiles:
    """Return tiles if there is a tile of every number; raise Unusual."""
    if tiles.translate(None, _KNOWN):
        raise Unusual
    return tiles


def _place(body: bytes, heaps: list[Tiles]) -> Place:
    """Read a place of fewer than 128 bytes, so that no length in it can be longer than a byte and right; add what lies
    in heaps to them, to be looked at together."""
    size = len(body)
    body += b"\0\0"  # ends every field, for no tag is 0
    at = 0
    rack = incoming = b""
    if body[0] == 0x0A:
        at = 2 + body[1]
        rack = body[2:at]
        heaps.append(rack)
    set_out = None
    if body[at] == 0x12:
        end = at + 2 + body[at + 1]
        set_out = _set_out(body[at + 2 : end])
        at = end
    if body[at] == 0x1A:
        end = at + 2 + body[at + 1]
        incoming = body[at + 2 : end]
        heaps.append(incoming)
        at = end
    looked = body[at] == 0x20
    if looked:
        if body[at + 1] != 1:
            raise Unusual
        at += 2
    offer = None
    if body[at] == 0x28:
        offer = short(body[at + 1])
        at += 2
    if at != size:
        raise Unusual
    return Place(rack, set_out, incoming, looked, offer)


def _set_out(body: bytes) -> SetOut:
    tiles, blind, picks, end = pile(body)
    if end != len(body):
        raise Unusual
    return SetOut(tiles, blind, tuple(sorted(picks)) if picks else picks)


def pile(body: bytes) -> tuple[Tiles, int, tuple[int, ...], int]:
    """Read what a SetOut and a Pass have in common, tiles, blind and picks, and return where it ends."""
    size = len(body)
    body += b"\0\0"
    at = blind = 0
    tiles = b""
    picks: tuple[int, ...] = ()
    if body[0] == 0x0A:
        at = 2 + body[1]
        tiles = known(body[2:at])
        if at == size:
            return tiles, 0, (), at
    if body[at] == 0x10:
        blind = short(body[at + 1])
        at += 2
    if body[at] == 0x1A:
        end = at + 2 + body[at + 1]
        picks = tuple(body[at + 2 : end])
        if not all(1 <= pick <= PILE for pick in picks):
            raise Unusual
        at = end
    return tiles, blind, picks, at


def _debt(body: bytes) -> Debt:
    tag, size, of_debtor, debtor, of_creditor, creditor, of_tiles, tiles = body
    owes, owed = SEAT[debtor], SEAT[creditor]
    if (tag, size, of_debtor, of_creditor, of_tiles) != _DEBT or not owes or not owed or not 0 < tiles < 128:
        raise Unusual
    return Debt(owes, owed, tiles)
