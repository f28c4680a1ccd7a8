"""The 36 faces, and racks as heaps of them.

Tiles are bytes, one a tile: its number. A heap is in tile order: bams, craks, dots, winds, dragons, flower, Joker. Two
racks with the same tiles are therefore equal, and nothing can change one in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Tile(IntEnum):
    """A face of the set, or HIDDEN for a tile that lies face down to the asker; the order is the order of racks."""

    __hash__ = int.__hash__  # an enum is hashed by name, but a tile is looked up by its number too

    BAM_1 = 1
    BAM_2 = 2
    BAM_3 = 3
    BAM_4 = 4
    BAM_5 = 5
    BAM_6 = 6
    BAM_7 = 7
    BAM_8 = 8
    BAM_9 = 9
    CRAK_1 = 10
    CRAK_2 = 11
    CRAK_3 = 12
    CRAK_4 = 13
    CRAK_5 = 14
    CRAK_6 = 15
    CRAK_7 = 16
    CRAK_8 = 17
    CRAK_9 = 18
    DOT_1 = 19
    DOT_2 = 20
    DOT_3 = 21
    DOT_4 = 22
    DOT_5 = 23
    DOT_6 = 24
    DOT_7 = 25
    DOT_8 = 26
    DOT_9 = 27
    EAST = 28
    SOUTH = 29
    WEST = 30
    NORTH = 31
    RED = 32
    GREEN = 33
    SOAP = 34
    FLOWER = 35
    JOKER = 36
    HIDDEN = 37


Tiles = bytes
"""Tiles in some order, one byte each: the number of its face. What comes of looking at one is that number, an int."""

FLOWER = Tile.FLOWER
JOKER = Tile.JOKER
HIDDEN = Tile.HIDDEN
FACES = tuple(tile for tile in Tile if tile is not HIDDEN)
COPIES: dict[int, int] = {face: 8 if face in (FLOWER, JOKER) else 4 for face in FACES}
SET_SIZE = sum(COPIES.values())
ONE: tuple[Tiles, ...] = tuple(bytes((number,)) for number in range(HIDDEN + 1))
"""One tile, by its number."""


def heap(tiles: Iterable[int]) -> Tiles:
    """Return the tiles in tile order."""
    return bytes(sorted(tiles))


def unnamed(rack: Tiles, tiles: Tiles) -> tuple[Tiles, int]:
    """Return those of the tiles that the rack does not show, and how many of its face-down tiles could be them."""
    left = bytearray(rack)
    short = bytearray()
    for tile in tiles:
        if tile in left:
            left.remove(tile)
        else:
            short.append(tile)
    return heap(short), left.count(HIDDEN)


def shows(rack: Tiles, tiles: Tiles) -> bool:
    """Tell whether the rack shows the tiles, as many of each as there are."""
    left = bytearray(rack)
    try:
        for tile in tiles:
            left.remove(tile)
    except ValueError:
        return False
    return True


def take(rack: Tiles, tiles: Tiles) -> Tiles:
    """Return the rack without the tiles, each of which it shows or has among its face-down ones."""
    left = bytearray(rack)
    for tile in tiles:
        try:
            left.remove(tile)
        except ValueError:
            left.remove(HIDDEN)
    return bytes(left)


def add(rack: Tiles, tiles: Tiles) -> Tiles:
    """Return the rack with the tiles put among its own."""
    return bytes(sorted(rack + tiles))


def without_jokers(tiles: Tiles) -> Tiles:
    """Return the tiles that are no Jokers, in the order given."""
    return tiles.replace(ONE[JOKER], b"")
