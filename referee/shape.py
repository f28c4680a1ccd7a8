"""The shape of a table: all of it but its tiles.

What is open and what can be reached hang on little more, and a game has a few dozen shapes. So what was worked out for
one is kept, as long as there is room. No tile is ever in a shape, and nothing kept tells of anybody's rack.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from referee.place import Place
from referee.table import Table

MOST_KEPT = 4096
MOST_DEBTS = 8
MOST_PICKS = 3

Shape = tuple[object, ...]
T = TypeVar("T")


def shape(table: Table) -> Shape | None:
    """Return the shape of a table; None where it is larger than play would make it, so that nothing large is kept."""
    east, south, west, north = table.places
    debts = table.debts
    if debts and len(debts) > MOST_DEBTS:
        return None
    of = (_of(east), _of(south), _of(west), _of(north))
    return None if None in of else (table.stage, table.house.ids, debts, *of)


def _of(place: Place) -> Shape | None:
    pile = place.set_out
    if pile is None:
        return (len(place.incoming), place.looked, place.offer)
    if len(pile.picks) > MOST_PICKS:
        return None
    return (len(place.incoming), place.looked, place.offer, len(pile.tiles), pile.blind, pile.picks)


class Kept(Generic[T]):
    """What was worked out for shapes, or for shapes and numbers beside them; it forgets all when it is full."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._kept: dict[Shape, T] = {}
        self.get = self._kept.get

    def keep(self, shape: Shape, worked_out: T) -> T:
        """Keep and return what was worked out."""
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[shape] = worked_out
        return worked_out

    def __len__(self) -> int:
        """Return how many shapes something is kept for."""
        return len(self._kept)
