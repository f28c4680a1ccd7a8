"""What a field was refused for, and the errors that carry it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

MOST_VIOLATIONS = 16


class Violation(NamedTuple):
    """A field that describes no table or act: its path, a reason of the closed list, a sentence without a tile."""

    path: str
    reason: str
    sentence: str


class Malformed(Exception):
    """A request that describes no table or act, with up to 16 violations in field order."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        """Keep the first violations."""
        self.violations = tuple(islice(violations, MOST_VIOLATIONS))
        super().__init__(self.violations)


class NotServed(Exception):
    """A rulebook version that this referee does not serve."""

    def __init__(self, rulebook: int) -> None:
        """Keep the version asked for."""
        self.rulebook = rulebook
        super().__init__(rulebook)


class TooMany(Exception):
    """More questions or acts than one request may have; it says so in a sentence, and names what in a word."""

    def __init__(self, sentence: str, what: str) -> None:
        """Keep the word."""
        self.what = what
        super().__init__(sentence)


class Misasked(Exception):
    """One question among many that cannot be put to this referee: the caller's id of it, and what is wrong."""

    def __init__(self, id: bytes, wrong: Malformed | NotServed) -> None:
        """Keep both."""
        self.id = id
        self.wrong = wrong
        super().__init__(id, wrong)
