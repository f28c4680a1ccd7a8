"""What can be done at a table. Every act may name the stage it was made for; None leaves it unsaid."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from referee.stages import Seat, Stage
from referee.tiles import Tile, Tiles


class PlayKind(IntEnum):
    """What of the game proper is tried: only East's discard has a place here, the rest is named to be refused."""

    DISCARD = 1
    CALL = 2
    EXPOSE = 3
    DECLARE_DEAD = 4
    DECLARE_MAHJONG = 5


@dataclass(slots=True, unsafe_hash=True)
class Deal:
    """Four racks are dealt, East, South, West and North; it is nobody's act."""

    racks: tuple[Tiles, Tiles, Tiles, Tiles]
    stage: Stage | None = None
    seat: None = None


@dataclass(slots=True, unsafe_hash=True)
class Pass:
    """A seat sets out tiles of its own, in this order, and takes some blind; picks name which, by place from 1."""

    seat: Seat
    tiles: Tiles = b""
    blind: int = 0
    picks: tuple[int, ...] = ()
    receiver: Seat | None = None
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class Look:
    """A seat takes up the tiles coming in, perhaps naming them; no seat means everyone who has some."""

    seat: Seat | None
    tiles: Tiles = b""
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class Stop:
    """A seat stops the second Charleston."""

    seat: Seat
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class Offer:
    """A seat offers so many tiles for the courtesy, none being 0."""

    seat: Seat
    tiles: int
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class HandBack:
    """A seat hands Jokers that it found on its rack back to the seat that passed them."""

    seat: Seat
    passer: Seat
    jokers: int
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class Replace:
    """A seat pays its oldest debt with tiles of its rack."""

    seat: Seat
    tiles: Tiles = b""
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class Draw:
    """A seat draws a tile from the wall."""

    seat: Seat
    tile: Tile
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class Count:
    """A seat claims to count so many tiles on its rack."""

    seat: Seat
    tiles: int
    stage: Stage | None = None


@dataclass(slots=True, unsafe_hash=True)
class Play:
    """A seat plays on; only a discard has a tile."""

    seat: Seat
    kind: PlayKind
    tile: Tile | None = None
    stage: Stage | None = None


Act = Deal | Pass | Look | Stop | Offer | HandBack | Replace | Draw | Count | Play
ACTS: tuple[type, ...] = (Deal, Pass, Look, Stop, Offer, HandBack, Replace, Draw, Count, Play)
