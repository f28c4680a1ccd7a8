"""What a written game holds, and what is wrong with one that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.acts import Act
from referee.house import NO_HOUSE, HouseRules
from referee.stages import Seat
from referee.table import Table
from referee.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Claim:
    """What a game's own log says that a seat holds here; it is no act."""

    seat: Seat
    tiles: Tiles


@dataclass(frozen=True, slots=True)
class Line:
    """An act or a claim, and the line it stands on, from 1."""

    entry: Act | Claim
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Game:
    """Acts and claims in order; the table they start from, or None where they start from nothing dealt; house rules
    where a game without a table has them."""

    lines: tuple[Line, ...] = ()
    table: Table | None = None
    house: HouseRules = NO_HOUSE

    @property
    def start(self) -> Table:
        """The table that the first act meets."""
        return self.table or Table(house=self.house)

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts alone, in order."""
        return tuple(line.entry for line in self.lines if not isinstance(line.entry, Claim))


class Problem(NamedTuple):
    """What cannot be read, and where: line and column count from 1."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        """Return the problem as one sentence with its place."""
        return f"line {self.line}, column {self.column}: {self.message}"


class NotationError(ValueError):
    """A text that cannot be read, with every problem found in it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems, in the order of the text."""
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
