"""What is kept of answers: nothing of a ruling that names a tile."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest

from charleston.referee.v1 import service_pb2
from referee.codec import rulings, write_act, write_table
from referee.notation import parse_act, parse_table
from referee.rulebook import ARTICLES, Rulebook
from referee.service import referee

TABLE = """
table at FIRST_RIGHT
EAST rack 1b 1b 2b 3c 3c 5c 6d 7d F F E N J J
SOUTH rack 1b 2b 4b 5b 6b 7b 8b 9b 1c 1c 2c 4c 5c
WEST rack 6c 7c 8c 9c 1d 2d 3d 4d 5d 6d 7d 8d 9d
NORTH rack E S S W W N N R R G G O O
"""
Asking = Callable[[str], tuple[int, int]]


@pytest.fixture
def kept_after(monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Return how to ask about an act at the table, and how many precedents and wordings are kept then."""
    rulebook = Rulebook(ARTICLES)
    judge = referee(rulebook=rulebook)["Judge"]
    wording = lru_cache(rulings.wording)
    monkeypatch.setattr(rulings, "kept_wording", wording)

    def ask(act: str) -> tuple[int, int]:
        request = service_pb2.JudgeRequest(table=write_table(parse_table(TABLE)), act=write_act(parse_act(act)))
        judge(request.SerializeToString(), "")
        return len(rulebook.precedents), wording.cache_info().currsize

    return ask


def test_one_precedent_serves_acts_of_other_tiles(kept_after: Asking) -> None:
    """A ruling that names no tile is kept once, whatever the tiles of the act."""
    assert [(1, 1), (1, 1)] == [kept_after(act) for act in ("SOUTH passes 1b 2b 4b", "SOUTH passes 5b 6b 7b")]


def test_a_precedent_on_jokers_hangs_on_how_many(kept_after: Asking) -> None:
    """A ruling on a pass with Jokers in it is kept by how many there are, for it names no other tile."""
    acts = ("EAST passes 1b F J", "EAST passes 1b 2b J", "EAST passes 1b J J")

    assert [(1, 1), (1, 1), (2, 2)] == [kept_after(act) for act in acts]


def test_a_ruling_that_names_tiles_is_not_kept(kept_after: Asking) -> None:
    """A ruling that says of which tiles a seat has too few is made anew each time, and nothing of it is kept."""
    assert [(0, 0), (0, 0)] == [kept_after(act) for act in ("SOUTH passes 9d 9d 9d", "SOUTH passes 9d 1b")]
