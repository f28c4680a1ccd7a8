"""What is worked out once: answers that hang on a few numbers, and not on tiles."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST_KEPT = 4096

Key = tuple[object, ...]
T = TypeVar("T")


class Kept(Generic[T]):
    """Answers by what they hang on, which names no tile; when there is no room for another, all are forgotten.

    A key is small, whatever was asked: it holds numbers, and no list as long as the one who asks would have it.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._kept: dict[Key, T] = {}
        self.get = self._kept.get

    def keep(self, key: Key, answer: T) -> T:
        """Keep and return an answer."""
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[key] = answer
        return answer

    def __len__(self) -> int:
        """Return how many answers are kept."""
        return len(self._kept)
