"""Tiles are bytes, one a tile, wherever they lie: on tables, in acts, in examples and in findings."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from referee.acts import Act, Deal, Look, Pass, Replace
from referee.next import what_next
from referee.notation import parse_act, parse_tiles
from referee.table import Table
from referee.tiles import FACES, HIDDEN, JOKER, ONE, Tile, Tiles, add, heap, take, unnamed, without_jokers
from referee.view import as_seen
from tests.lawful import hand

SEEDS = range(20)


def lying(table: Table) -> Iterator[Tiles]:
    """Yield the tiles of every place of a table, and of the examples there."""
    for place in table.places:
        yield place.rack
        yield place.incoming
        yield place.tiles
        if place.set_out:
            yield place.set_out.tiles
    for entry in what_next(table).seats:
        if entry.example:
            yield from named(entry.example)


def named(act: Act) -> Iterator[Tiles]:
    """Yield the tiles that an act names."""
    match act:
        case Deal():
            yield from act.racks
        case Pass() | Look() | Replace():
            yield act.tiles


@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_are_bytes_wherever_they_lie(seed: int) -> None:
    """On every table of a hand, as it lies and as seats see it, and in every act, tiles are bytes and nothing else."""
    played = hand(Random(seed), jokers=True)
    tables = [*played.tables, *(as_seen(table, seat) for table in played.tables for seat in (None, *table.turn))]
    kinds = {type(tiles) for table in tables for tiles in lying(table)}

    assert {bytes} == kinds | {type(tiles) for act in played.acts for tiles in named(act)}


@pytest.mark.parametrize("tile", Tile)
def test_a_tile_is_found_by_its_number(tile: Tile) -> None:
    """A tile and its number are one and the same to sets and dictionaries, and one tile is one byte."""
    assert {tile} == {tile.value}
    assert "found" == {tile: "found"}[tile.value]  # type: ignore[index]
    assert bytes([tile]) == ONE[tile] == parse_act(f"EAST replaces {word(tile)}").tiles  # type: ignore[union-attr]


def word(tile: Tile) -> str:
    """Return a word that the notation reads as the tile."""
    suit, _, number = tile.name.partition("_")
    winds = {Tile.EAST: "e", Tile.SOUTH: "s", Tile.WEST: "w", Tile.NORTH: "n", HIDDEN: "?"}
    return f"{number}{suit}" if number else winds.get(tile, suit.lower())


def test_a_heap_is_in_tile_order() -> None:
    """Bams come first and Jokers last; what is added goes among the others."""
    assert parse_tiles("1b 9c 1d E R F J ?") == heap(parse_tiles("? J F R E 1d 9c 1b"))
    assert parse_tiles("1b 2b 2b 3b") == add(parse_tiles("1b 2b 3b"), parse_tiles("2b"))


def test_what_is_taken_is_taken_once() -> None:
    """Each tile is taken once, by its name where the rack shows it and else from what lies face down."""
    rack = parse_tiles("1b 1b 2b ? ?")

    assert parse_tiles("1b ? ?") == take(rack, parse_tiles("2b 1b"))
    assert parse_tiles("1b 2b ?") == take(rack, parse_tiles("1b 3b"))
    assert parse_tiles("2b ?") == take(rack, parse_tiles("1b 1b 1b"))


def test_nothing_is_taken_that_is_not_there() -> None:
    """A tile that the rack has neither shown nor face down cannot be taken."""
    for tiles in ("3b", "1b 1b", "1b 2b ?"):
        with pytest.raises(ValueError):
            take(parse_tiles("1b 2b"), parse_tiles(tiles))


def test_what_a_rack_does_not_show() -> None:
    """What is not shown is named in tile order, as often as it lacks, with the number of backs beside it."""
    assert (parse_tiles("1b 3b"), 2) == unnamed(parse_tiles("1b 2b ? ?"), parse_tiles("3b 1b 2b 1b"))
    assert (b"", 0) == unnamed(parse_tiles("1b 2b"), parse_tiles("2b 1b"))


def test_jokers_are_left_out() -> None:
    """Without Jokers the others stay in the order given."""
    assert parse_tiles("3b 1b") == without_jokers(parse_tiles("J 3b J 1b"))
    assert bytes(FACES[:-1]) == without_jokers(bytes(FACES))
    assert b"" == without_jokers(ONE[JOKER] * 8)
