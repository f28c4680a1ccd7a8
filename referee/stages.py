"""The seats as a ring, the ways that passes go, and the stages of a hand."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum


class Seat(IntEnum):
    """A seat, in turn order; the seat to a player's right is the next in turn."""

    __hash__ = int.__hash__  # in C: an enum hashes its name in Python, each time that it is looked up

    EAST = 1
    SOUTH = 2
    WEST = 3
    NORTH = 4

    def on(self, steps: int) -> Seat:
        """Return the seat that many turns on."""
        return _RING[self + steps]

    @property
    def across(self) -> Seat:
        """The seat across, the partner in the courtesy."""
        return self.on(2)


SEATS = tuple(Seat)
EAST, SOUTH, WEST, NORTH = SEATS
"""The seats by name, for what is asked of every act: Python 3.11 takes 0.2 us to look up a member in its enum."""
_RING = (Seat.NORTH, *SEATS, *SEATS)
TURN_BY_NORTH = (Seat.EAST, Seat.NORTH, Seat.WEST, Seat.SOUTH)


class Direction(IntEnum):
    """Where a pass goes, as turns on from the seat that passes."""

    RIGHT = 1
    ACROSS = 2
    LEFT = 3


class Stage(IntEnum):
    """Where the hand stands, in the order of play; THROWN_IN is as UNDEALT, after a misdeal."""

    __hash__ = int.__hash__  # as of seats

    UNDEALT = 1
    FIRST_RIGHT = 2
    FIRST_ACROSS = 3
    FIRST_LEFT = 4
    SECOND_LEFT = 5
    SECOND_ACROSS = 6
    SECOND_RIGHT = 7
    COURTESY = 8
    OPENING = 9
    PLAY = 10
    THROWN_IN = 11


STAGES = tuple(Stage)
UNDEALT, FIRST_RIGHT, FIRST_ACROSS, FIRST_LEFT, SECOND_LEFT, SECOND_ACROSS, SECOND_RIGHT = STAGES[:7]
COURTESY, OPENING, PLAY, THROWN_IN = STAGES[7:]
"""The stages by name, as the seats."""
DIRECTIONS = {
    Stage.FIRST_RIGHT: Direction.RIGHT,
    Stage.FIRST_ACROSS: Direction.ACROSS,
    Stage.FIRST_LEFT: Direction.LEFT,
    Stage.SECOND_LEFT: Direction.LEFT,
    Stage.SECOND_ACROSS: Direction.ACROSS,
    Stage.SECOND_RIGHT: Direction.RIGHT,
    Stage.COURTESY: Direction.ACROSS,
}


def _by_stage(turns: Callable[[Direction], int]) -> dict[Stage, tuple[Seat, ...]]:
    """Return for each stage with a pass the seats that many turns on from East, South, West and North."""
    return {stage: tuple(seat.on(turns(way)) for seat in SEATS) for stage, way in DIRECTIONS.items()}


# Who receives from each seat, and who gives to it: first where South sits at East's right, then where North does.
RECEIVERS = (_by_stage(lambda way: way), _by_stage(lambda way: 4 - way))
GIVERS = (RECEIVERS[1], RECEIVERS[0])

FIRST_CHARLESTON = frozenset({Stage.FIRST_RIGHT, Stage.FIRST_ACROSS, Stage.FIRST_LEFT})
SECOND_CHARLESTON = frozenset({Stage.SECOND_LEFT, Stage.SECOND_ACROSS, Stage.SECOND_RIGHT})
SIX_PASSES = FIRST_CHARLESTON | SECOND_CHARLESTON
BLIND_PASSES = frozenset({Stage.FIRST_LEFT, Stage.SECOND_RIGHT})
NOT_DEALT = frozenset({Stage.UNDEALT, Stage.THROWN_IN})
BEFORE_OPENING = SIX_PASSES | {Stage.COURTESY}
IN_HAND = BEFORE_OPENING | {Stage.OPENING}
DEALT = IN_HAND | {Stage.PLAY}


class Moment(IntEnum):
    """When a count is taken: before the first pass, during the passing, or after the last pass."""

    BEFORE = 1
    DURING = 2
    AFTER = 3


BEFORE, DURING, AFTER = Moment
