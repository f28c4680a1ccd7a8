"""One seat's part of the table: its rack, its pass, what comes in to it, what it has offered and what it owes."""

from __future__ import annotations

from dataclasses import dataclass

from referee.stages import Seat
from referee.tiles import Tiles, heap

PILE = 3
"""How many tiles are passed, but for the courtesy."""


@dataclass(slots=True, unsafe_hash=True)
class SetOut:
    """A pass set out: own tiles in the order named, how many are sent on blind, and which (by place, from 1)."""

    tiles: Tiles = b""
    blind: int = 0
    picks: tuple[int, ...] = ()


@dataclass(slots=True, unsafe_hash=True, init=False)
class Place:
    """One seat's part of the table; `set_out` and `offer` are None when not made, an offer of none is 0."""

    rack: Tiles = b""
    set_out: SetOut | None = None
    incoming: Tiles = b""
    looked: bool = False
    offer: int | None = None

    def __init__(
        self,
        rack: Tiles = b"",
        set_out: SetOut | None = None,
        incoming: Tiles = b"",
        looked: bool = False,
        offer: int | None = None,
    ) -> None:
        self.rack = rack
        self.set_out = set_out
        self.incoming = incoming
        self.looked = looked
        self.offer = offer

    @property
    def tiles(self) -> Tiles:
        """All tiles that lie here: on the rack, set out and coming in."""
        return self.rack + (self.set_out.tiles if self.set_out else b"") + self.incoming

    @property
    def form(self) -> int | tuple[object, ...]:
        """The place without the faces of its tiles; where there is nothing but a rack, how many there are."""
        pile = self.set_out
        if pile is None:
            if not self.incoming and not self.looked and self.offer is None:
                return len(self.rack)
            return (len(self.rack), len(self.incoming), self.looked, self.offer)
        out = (len(pile.tiles), pile.blind, pile.picks[: PILE + 1])  # what has more picks is malformed, however many
        return (len(self.rack), len(self.incoming), self.looked, self.offer, out)

    def tidied(self) -> Place:
        """Return the place with heaps in tile order and picks in order."""
        pile = self.set_out
        set_out = pile and SetOut(pile.tiles, pile.blind, tuple(sorted(pile.picks)))
        return Place(heap(self.rack), set_out, heap(self.incoming), self.looked, self.offer)

    @property
    def moved(self) -> bool:
        """Whether tiles have reached this seat in the stage, looked at or not."""
        return self.looked or self.incoming != b""


@dataclass(slots=True, unsafe_hash=True)
class Debt:
    """Tiles owed for Jokers handed back; creditor and debtor are the same seat when the debt is to its own pass."""

    debtor: Seat
    creditor: Seat
    tiles: int

    def touches(self, seat: Seat) -> bool:
        """Tell whether the debt holds up the courtesy pair of the seat."""
        return (self.debtor - seat) % 2 == 0 or (self.creditor - seat) % 2 == 0


EMPTY = Place()
Places = tuple[Place, Place, Place, Place]
