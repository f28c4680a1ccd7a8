"""The ring of blind passes: what each seat keeps when all four pass at once and some pass on what comes in.

A seat's outgoing pile is its own tiles in the order named, then those it sends on in the order in which they came in.
"""

from __future__ import annotations

from referee.place import PILE
from referee.stages import SEATS, Seat
from referee.table import SetOut
from referee.tiles import Tiles, heap

Piles = tuple[SetOut, SetOut, SetOut, SetOut]


def four_blind_threes(piles: Piles) -> bool:
    """Tell whether there is no tile to start with, so that nothing can move."""
    east, south, west, north = piles
    return east.blind == south.blind == west.blind == north.blind == PILE


def rests_on_order(piles: Piles) -> bool:
    """Tell whether the order of tiles decides what is kept, or nothing moves: the reading of `blind.last_pass`."""
    return four_blind_threes(piles) or any(0 < pile.blind < PILE for pile in piles)


def kept(piles: Piles, givers: tuple[Seat, ...]) -> tuple[Tiles, ...]:
    """Return what each seat keeps of what comes in, in tile order; some seat passes a tile of its own.

    `givers` are the seats whose piles come in to East, South, West and North.
    """
    east, south, west, north = piles
    if not (east.blind or south.blind or west.blind or north.blind):
        return tuple([bytes(sorted(piles[giver - 1].tiles)) for giver in givers])
    # Reading: when all four pass blind no seat can start, so nobody's picks are heeded and each sends on the first.
    heeded = not all(pile.blind for pile in piles)
    sent_on = [
        sorted(pick - 1 for pick in pile.picks) if heeded and pile.picks else list(range(pile.blind)) for pile in piles
    ]

    def comes_in(seat: Seat, index: int) -> int:
        # Every round of the ring passes a seat with a tile of its own, so the walk ends.
        while True:
            seat = givers[seat - 1]
            own = piles[seat - 1].tiles
            if index < len(own):
                return own[index]
            index = sent_on[seat - 1][index - len(own)]

    return tuple(
        heap(comes_in(seat, index) for index in range(PILE) if index not in sent_on[seat - 1]) for seat in SEATS
    )
