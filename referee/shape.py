"""The shape of a table: where tiles lie on it, and none of them.

What is open hangs on little more, and games have few shapes. So what was worked out for one is kept, as long as there
is room. No tile is ever in a shape, and nothing kept tells of anybody's rack.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from referee.place import Place
from referee.table import Table

MOST_KEPT = 4096
MOST_DEBTS = 8

Shape = tuple[object, ...]
T = TypeVar("T")


def shape(table: Table) -> Shape | None:
    """Return the shape of a table; None where it has more debts than play makes, so that nothing large is kept."""
    east, south, west, north = table.places
    debts = table.debts
    if debts and len(debts) > MOST_DEBTS:
        return None
    return (table.stage, table.house.ids, debts, *_of(east), *_of(south), *_of(west), *_of(north))


def _of(place: Place) -> Shape:
    return (place.set_out is None, place.incoming == b"", place.looked, place.offer)


class Kept(Generic[T]):
    """Answers by what they hang on, which names no tile; when there is no room for another, all are forgotten.

    A key is small, whatever was asked: it holds no list as long as the one who asks would have it.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._kept: dict[Shape, T] = {}
        self.get = self._kept.get

    def keep(self, key: Shape, answer: T) -> T:
        """Keep and return an answer."""
        if len(self._kept) >= MOST_KEPT:
            self.clear()
        self._kept[key] = answer
        return answer

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    def __len__(self) -> int:
        """Return how many answers are kept."""
        return len(self._kept)
