"""The shape of a table: how many tiles lie where on it, and none of their faces.

What is open, and nearly always what is ruled, hangs on nothing else, and games have few shapes. So what was worked out
for one is kept, as long as there is room. No face is ever in a shape, and nothing kept tells of anybody's rack.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

MOST_KEPT = 4096
MOST_DEBTS = 8

T = TypeVar("T")


class Shape:
    """A shape, told from others by which one it is: all tables of a shape have the same one, as long as it is kept."""

    __slots__ = ("key",)

    def __init__(self, key: Hashable) -> None:
        """Take what lies where, in numbers."""
        self.key = key


class Kept(Generic[T]):
    """Answers by what they hang on, which names no tile; when there is no room for another, all are forgotten.

    A key is small, whatever was asked: it holds no list as long as the one who asks would have it.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._kept: dict[Hashable, T] = {}
        self.get = self._kept.get

    def keep(self, key: Hashable, answer: T) -> T:
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


_SHAPES: Kept[Shape] = Kept()


def shaped(key: Hashable) -> Shape:
    """Return the shape of all tables with this key."""
    return _SHAPES.get(key) or _SHAPES.keep(key, Shape(key))
