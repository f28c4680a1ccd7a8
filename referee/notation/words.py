"""The words of the notation: how tiles and numbers are written, and the other ways of writing them that are read."""

from __future__ import annotations

from referee.tiles import Tile, Tiles

_HONOURS = {
    Tile.EAST: "E",
    Tile.SOUTH: "S",
    Tile.WEST: "W",
    Tile.NORTH: "N",
    Tile.RED: "R",
    Tile.GREEN: "G",
    Tile.SOAP: "O",
    Tile.FLOWER: "F",
    Tile.JOKER: "J",
    Tile.HIDDEN: "?",
}
TILE_TEXT: dict[Tile, str] = {
    tile: _HONOURS.get(tile) or f"{(tile - 1) % 9 + 1}{'bcd'[(tile - 1) // 9]}" for tile in Tile
}
_TEXTS = ("", *TILE_TEXT.values())
_ALSO = {
    "red": Tile.RED,
    "green": Tile.GREEN,
    "soap": Tile.SOAP,
    "flower": Tile.FLOWER,
    "joker": Tile.JOKER,
    "jokers": Tile.JOKER,
}
_SUITS = {
    "b": "b",
    "bam": "b",
    "bams": "b",
    "c": "c",
    "crak": "c",
    "craks": "c",
    "d": "d",
    "dot": "d",
    "dots": "d",
}
READ_TILE: dict[str, Tile] = {
    **{text.lower(): tile for tile, text in TILE_TEXT.items()},
    **_ALSO,
    **{
        f"{number}{suit}": tile
        for tile, text in TILE_TEXT.items()
        for suit, letter in _SUITS.items()
        for number in text[:1]
        if text[1:] == letter
    },
}
READ_NUMBER = {"none": 0, "one": 1, "two": 2, "three": 3}
NOTHING = "nothing"


def tile_text(tile: Tile) -> str:
    """Return a tile as it is written, such as 3b."""
    return TILE_TEXT[tile]


def tiles_text(tiles: Tiles) -> str:
    """Return tiles as they are written, in the order given; the empty string for none."""
    return " ".join([_TEXTS[tile] for tile in tiles])
