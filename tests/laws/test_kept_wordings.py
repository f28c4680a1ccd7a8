"""What the codec keeps of its answers: nothing of a ruling that names a tile."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest

from charleston.referee.v1 import service_pb2
from referee.codec import rulings, write_act, write_table
from referee.notation import parse_act, parse_table
from referee.service import referee
from referee.shape import Kept

JUDGE = referee()["Judge"]
TABLE = """
table at FIRST_RIGHT
EAST rack 1b 1b 2b 3c 3c 5c 6d 7d F F E N J J
SOUTH rack 1b 2b 4b 5b 6b 7b 8b 9b 1c 1c 2c 4c 5c
WEST rack 6c 7c 8c 9c 1d 2d 3d 4d 5d 6d 7d 8d 9d
NORTH rack E S S W W N N R R G G O O
"""
Asking = Callable[[str], int]


@pytest.fixture
def kept_after(monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Return how to ask about an act at the table, and how many rulings and wordings are kept then."""
    kept: Kept[bytes] = Kept()
    wording = lru_cache(rulings.wording)
    monkeypatch.setattr(rulings, "RULINGS", kept)
    monkeypatch.setattr(rulings, "kept_wording", wording)

    def ask(act: str) -> int:
        request = service_pb2.JudgeRequest(table=write_table(parse_table(TABLE)), act=write_act(parse_act(act)))
        JUDGE(request.SerializeToString(), "")
        return len(kept) + wording.cache_info().currsize

    return ask


def test_a_ruling_that_names_no_tile_is_kept(kept_after: Asking) -> None:
    """A ruling is kept once, whatever the tiles of the act; also of a Joker, for it says how many."""
    assert [2, 2, 4] == [
        kept_after(act) for act in ("SOUTH passes 1b 2b 4b", "SOUTH passes 5b 6b 7b", "EAST passes 1b F J")
    ]


def test_a_ruling_that_names_tiles_is_not_kept(kept_after: Asking) -> None:
    """A ruling that says of which tiles a seat has too few is made anew each time, and nothing of it is kept."""
    assert [0, 0] == [kept_after(act) for act in ("SOUTH passes 9d 9d 9d", "SOUTH passes 9d 1b")]
