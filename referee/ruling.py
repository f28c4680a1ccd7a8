"""What the referee answers: findings, the verdict they add up to, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from referee.stages import Moment, Seat, Stage
from referee.tiles import Tiles


class Verdict(IntEnum):
    """The answer, each weighing more than the one before it."""

    LEGAL = 1
    UNDECIDED = 2
    JOKER_RETURN = 3
    ILLEGAL = 4
    MISDEAL = 5


LEGAL, UNDECIDED, JOKER_RETURN, ILLEGAL, MISDEAL = Verdict
"""The verdicts by name, as the seats in `stages`."""


class Outcome(IntEnum):
    """What came of asking an article."""

    HELD = 1
    BROKEN = 2
    UNDECIDED = 3


FactValue = int | str | Seat | Stage | Tiles


@dataclass(frozen=True, slots=True)
class Finding:
    """One article broken by one seat (None: by everyone's act), with the facts that a sentence needs, by name."""

    rule: str
    seat: Seat | None
    facts: tuple[tuple[str, FactValue], ...] = ()


@dataclass(frozen=True, slots=True)
class JokerReturn:
    """Jokers go back to the passer, who owes the finder (itself, for a pass just made) as many other tiles."""

    finder: Seat
    passer: Seat
    jokers: int


@dataclass(frozen=True, slots=True)
class SeatCount:
    """What a seat was found to own and what it was dealt."""

    seat: Seat
    counted: int
    dealt: int


@dataclass(frozen=True, slots=True)
class Misdeal:
    """The hands are thrown in; counts are those of the wrong seats only, in turn order."""

    moment: Moment
    counts: tuple[SeatCount, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """An article that was asked of the act, and what came of it."""

    rule: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict with its reasons; `rests_on` names the readings and house rules without which it would be another,
    `trace` what was asked."""

    verdict: Verdict
    broken: tuple[Finding, ...] = ()
    undecided: tuple[Finding, ...] = ()
    rests_on: tuple[str, ...] = ()
    remedy: JokerReturn | Misdeal | None = None
    trace: tuple[Asked, ...] = ()
