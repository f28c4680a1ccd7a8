"""Transitions in the middle of a stage: nothing is undone, and what lies out goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import judge
from referee.acts import Look
from referee.notation import parse_table
from referee.ruling import Verdict
from referee.stages import Seat, Stage
from referee.tiles import ONE, Tile
from referee.transition import transition

OUT = """table at FIRST_ACROSS
EAST rack 1b 2b 3b 4b 5b 6b 7b 8b 9b 1c 2c | out 7d 9d N
SOUTH rack 1b 2b 3b 4b 5b 6b 7b 8b 9b 1c | out 1d 2d 3d
WEST rack 1b 2b 3b 4b 5b 6b 7b 8b 9b 1c | out 4d 5d 6d
NORTH rack 2c 3c 4c 5c 6c 7c 8c 9c E S W R G
"""
MOVED = """table at FIRST_ACROSS
EAST rack 1b 2b 3b 4b 5b 6b 7b 8b 9b 1c 2c | in 4d 5d 6d
SOUTH rack 1b 2b 3b 4b 5b 6b 7b 8b 9b 1c | in 2c 3c 4c
WEST rack 1b 2b 3b 4b 5b 6b 7b 8b 9b 1c | in 7d 9d N
NORTH rack 5c 6c 7c 8c 9c E S W R G | in 1d 2d 3d
"""
SWAPPED = MOVED.replace("2c 3c 4c\nW", "7d 9d N\nW").replace("in 7d 9d N\nN", "in 2c 3c 4c\nN")


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        (OUT, MOVED, []),
        (OUT, SWAPPED, ["west.incoming"]),
        (OUT, OUT.replace("1c 2c | out 7d 9d N", "7d 2c | out 1c 9d N"), ["east.set_out"]),
        (OUT, OUT.replace(" 1c | out 1d 2d 3d", " 1c 1d 2d 3d"), ["south.set_out"]),
        (MOVED, OUT, ["east.incoming", "south.incoming", "west.incoming", "north.incoming"]),
    ],
)
def test_what_is_done_in_a_stage_is_not_undone(before: str, after: str, paths: list[str]) -> None:
    """Within a stage a pass set out stays as it is and goes to its receiver, and tiles that have moved stay moved."""
    judged = transition(parse_table(before), parse_table(after))

    assert [f"after.{path}" for path in paths] == [difference.path for difference in judged.differences]
    assert (Verdict.ILLEGAL if paths else Verdict.LEGAL) is judged.verdict


def test_what_came_in_is_taken_up() -> None:
    """When a stage has moved and the next has begun, each rack has what was coming in to it, and nothing else."""
    before = parse_table(MOVED)
    after = judge(before, Look(None)).table
    swapped = after.put(Seat.EAST, replace(after.place(Seat.EAST), rack=after.place(Seat.WEST).rack + ONE[Tile.DOT_4]))

    assert Verdict.LEGAL is transition(before, after).verdict
    assert Verdict.ILLEGAL is transition(before, swapped.tidied()).verdict


def test_no_hand_comes_to_the_game_without_a_discard() -> None:
    """From a stage before the opening the game is reached with one tile fewer on the table."""
    before = parse_table(MOVED)
    taken_up = judge(before, Look(None)).table
    after = taken_up.at(Stage.PLAY, taken_up.places)

    assert Verdict.ILLEGAL is transition(taken_up, after).verdict


def test_a_tile_is_drawn_only_while_the_set_has_one() -> None:
    """A seat that the house lets draw has not drawn a fifth of a face before East discarded one of the four."""
    before = parse_table("""house left.draws
table at OPENING
EAST rack 1b 1b 1b 1b 2b 3b 4b 5b 6b 7b 8b 9b E S
SOUTH rack 2b 3b 4b 5b 6b 7b 8b 9b 1c 2c 3c 4c 5c
WEST rack 2b 3b 4b 5b 6b 7b 8b 9b 1c 2c 3c 4c 5c
NORTH rack 1d 2d 3d 4d 5d 6d 7d 8d 9d E S W
""")
    east, north = before.place(Seat.EAST), before.place(Seat.NORTH)
    discarded = before.put(Seat.EAST, replace(east, rack=east.rack[1:]))
    after = discarded.put(Seat.NORTH, replace(north, rack=ONE[Tile.BAM_1] + north.rack))

    assert Verdict.ILLEGAL is transition(before, after.at(Stage.PLAY, after.places)).verdict
