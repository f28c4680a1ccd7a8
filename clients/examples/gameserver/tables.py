"""Where tables come from, and where they are kept between two acts."""

from __future__ import annotations

import random

from charleston.referee.v1 import table_pb2


class Store:
    """Keeps tables in memory, each with a version. Here goes the database; nothing else of the server knows it."""

    def __init__(self) -> None:
        """Begin with no hand."""
        self._rows: dict[str, tuple[int, bytes]] = {}

    async def load(self, hand: str) -> tuple[int, table_pb2.Table]:
        """Return the version of a hand and its table; version 0 is a new hand, with nothing dealt.

        SELECT version, tiles FROM hands WHERE hand = $1
        """
        # The server sees every face, so nobody's word is taken for a count or a Joker.
        new = table_pb2.Table(stage=table_pb2.STAGE_UNDEALT, house=table_pb2.HouseRules(ids=["claims.closed"]))
        version, tiles = self._rows.get(hand, (0, new.SerializeToString()))
        return version, table_pb2.Table.FromString(tiles)

    async def swap(self, hand: str, version: int, table: table_pb2.Table) -> bool:
        """Store a table if the stored version is still this one; tell whether it was.

        UPDATE hands SET version = version + 1, tiles = $3 WHERE hand = $1 AND version = $2
        """
        if self._rows.get(hand, (0, b""))[0] != version:
            return False
        self._rows[hand] = version + 1, table.SerializeToString()
        return True


def shuffled() -> table_pb2.Deal:
    """Deal from a shuffled set of 152 tiles: fourteen to East, thirteen to everybody else."""
    faces = range(table_pb2.TILE_BAM_1, table_pb2.TILE_HIDDEN)
    wall = [table_pb2.Tile.ValueType(face) for face in faces for _ in range(8 if face >= table_pb2.TILE_FLOWER else 4)]
    random.SystemRandom().shuffle(wall)
    racks = wall[:14], wall[14:27], wall[27:40], wall[40:53]
    east, south, west, north = (table_pb2.Rack(tiles=tiles) for tiles in racks)
    return table_pb2.Deal(east=east, south=south, west=west, north=north)
