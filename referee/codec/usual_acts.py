"""From the wire, the short way: acts, each kind by a function of its own. See `usual`."""

from __future__ import annotations

from collections.abc import Callable

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.codec.usual import SEAT, STAGE, Unusual, known, pile, short
from referee.stages import Seat, Stage
from referee.tiles import Tile, Tiles
from referee.unreachable import picks_fault

_KIND = (None, *PlayKind)
_TILE = (None, *Tile)


def read_act(body: bytes) -> Act:
    """Read an act of fewer than 128 bytes; raise Unusual, IndexError or ValueError."""
    at = 0
    seat = stage = None
    if body[0] == 0x08:
        seat = SEAT[body[1]]
        at = 2
    if body[at] == 0x10:
        stage = STAGE[body[at + 1]]
        at += 2
    read = _DEEDS.get(body[at])
    if read is None or len(body) > 127 or body[at + 1] != len(body) - at - 2:
        raise Unusual
    return read(body[at + 2 :], seat, stage)


def _deal(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    racks = []
    at = 0
    for tag in b"\x0a\x12\x1a\x22":
        if body[at] != tag:
            raise Unusual
        end = at + 2 + body[at + 1]
        racks.append(_only_tiles(body[at + 2 : end]))
        at = end
    if at != len(body) or seat:
        raise Unusual
    east, south, west, north = racks
    return Deal((east, south, west, north), stage)


def _only_tiles(body: bytes) -> Tiles:
    """Read a message that has tiles and nothing else, of fewer than 128 bytes."""
    if not body:
        return b""
    if body[0] != 0x0A or body[1] != len(body) - 2:
        raise Unusual
    return known(body[2:])


def _pass(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    tiles, blind, picks, at = pile(body)
    receiver = None
    if at < len(body):
        receiver = SEAT[body[at + 1]]
        if body[at] != 0x20 or at + 2 != len(body):
            raise Unusual
    if not seat or at > len(body) or (picks and picks_fault(picks, blind)):
        raise Unusual
    return Pass(seat, tiles, blind, picks, receiver, stage)


def _look(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    if body == b"\x08\x01" and not seat:
        return Look(None, b"", stage)
    if not seat or (body and (body[0] != 0x12 or body[1] != len(body) - 2)):
        raise Unusual
    return Look(seat, known(body[2:]), stage)


def _stop(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    if body or not seat:
        raise Unusual
    return Stop(seat, stage)


def _offer(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    tag, tiles = body
    if tag != 0x08 or not seat:
        raise Unusual
    return Offer(seat, short(tiles), stage)


def _hand_back(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    of_passer, passer, of_jokers, jokers = body
    whose = SEAT[passer]
    if of_passer != 0x08 or of_jokers != 0x10 or not jokers or not whose or not seat:
        raise Unusual
    return HandBack(seat, whose, short(jokers), stage)


def _replace(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    if not seat:
        raise Unusual
    return Replace(seat, _only_tiles(body), stage)


def _draw(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    tag, number = body
    tile = _TILE[number]
    if tag != 0x08 or not tile or not seat:
        raise Unusual
    return Draw(seat, tile, stage)


def _count(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    tag, tiles = body
    if tag != 0x08 or not seat:
        raise Unusual
    return Count(seat, short(tiles), stage)


def _play(body: bytes, seat: Seat | None, stage: Stage | None) -> Act:
    if body[0] != 0x08 or not seat:
        raise Unusual
    kind = _KIND[body[1]]
    if kind is PlayKind.DISCARD:
        _, _, tag, number = body
        tile = _TILE[number]
        if tag == 0x10 and tile and tile is not Tile.HIDDEN:
            return Play(seat, kind, tile, stage)
    elif kind and len(body) == 2:
        return Play(seat, kind, None, stage)
    raise Unusual


_DEEDS: dict[int, Callable[[bytes, Seat | None, Stage | None], Act]] = {
    0x1A: _deal,
    0x22: _pass,
    0x2A: _look,
    0x32: _stop,
    0x3A: _offer,
    0x42: _hand_back,
    0x4A: _replace,
    0x52: _draw,
    0x5A: _count,
    0x62: _play,
}
"""How each kind of act is read, by the tag of its field."""
