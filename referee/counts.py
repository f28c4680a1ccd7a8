"""How many tiles a seat is dealt and may rightly own, by the house rules (their ids) and the stage."""

from __future__ import annotations

from functools import lru_cache

from referee.stages import EAST, NORTH, OPENING, SEATS, SOUTH, Seat, Stage

House = tuple[str, ...]


def dealt(house: House, seat: Seat) -> int:
    """Return how many tiles the seat is dealt."""
    # Reading: the French and Dutch texts give everyone 13; the English, the more exact, gives East 14.
    return 14 if seat is EAST and "east.13" not in house else 13


def left_of_east(house: House) -> Seat:
    """Return the seat to East's left."""
    return SOUTH if "right.north" in house else NORTH


@lru_cache(maxsize=4096)
def right_counts(house: House, stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Return what each seat may rightly own; there are few answers, and one is asked for at every act."""
    counts: dict[Seat, tuple[int, ...]] = {seat: (dealt(house, seat),) for seat in SEATS}
    if "east.13" in house and stage is OPENING:
        counts[EAST] = (13, 14)
    if "left.draws" in house:
        counts[left_of_east(house)] = (12, 13)
    return tuple(counts[seat] for seat in SEATS)


USUAL = tuple(dealt((), seat) for seat in SEATS)
"""What each seat owns where the house has no rules, from the deal to the discard."""
