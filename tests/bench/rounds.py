"""Rounds: what is compared is measured side by side, in turn and back again, and loud rounds are thrown away.

A round measures each thing once, in one order and in the next round in the other. Ratios are taken round by round, and
told as their median with the least and the most. What other programs take decides whether a round counts, never what
was measured in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

QUIET = 0.15
"""Cores that other programs may take on the mean of a round that counts."""


@dataclass(frozen=True, slots=True)
class Round:
    """What one round measured, by name, and how many cores others took meanwhile."""

    measured: Mapping[str, float]
    others: float


@dataclass(frozen=True, slots=True)
class Spread:
    """A median with the least and the most, of so many values; `loud` of them come from rounds that were loud."""

    median: float
    least: float
    most: float
    rounds: int
    loud: int = 0

    def __str__(self) -> str:
        return f"{_short(self.median)} [{_short(self.least)}..{_short(self.most)}]"


def spread(values: Iterable[float], loud: int = 0) -> Spread:
    """Return the spread of some values; raise ValueError if there are none."""
    found = sorted(values)
    if not found:
        raise ValueError("nothing was measured")
    return Spread(median(found), found[0], found[-1], len(found), loud)


def kept(rounds: Sequence[Round], wanted: int, quiet: float = QUIET) -> tuple[list[Round], int]:
    """Return the rounds that count, and how many of them are loud: none, unless too few were quiet.

    Where too few were quiet the least loud ones stand in, so that a table can be made on any machine, and says so.
    """
    ordered = sorted(rounds, key=lambda each: each.others)
    chosen = [each for each in ordered if each.others <= quiet]
    if len(chosen) < wanted:
        chosen = ordered[:wanted]
    return chosen, sum(each.others > quiet for each in chosen)


def measure(
    things: Mapping[str, Callable[[], Mapping[str, float]]],
    wanted: int,
    watch: Callable[[], Callable[[], float]],
    *,
    quiet: float = QUIET,
    tries: int = 3,
    tell: Callable[[str], None] = lambda line: None,
) -> tuple[list[Round], int]:
    """Measure things round by round until so many rounds were quiet, or so many times as many have been tried.

    Each thing returns what it measured by name; `watch` begins to watch others and returns how to ask what they took.
    """
    rounds: list[Round] = []
    while sum(each.others <= quiet for each in rounds) < wanted and len(rounds) < wanted * tries:
        order = list(things.values())
        if len(rounds) % 2:
            order.reverse()
        others, measured = watch(), dict[str, float]()
        for thing in order:
            measured |= thing()
        rounds.append(Round(measured, others()))
        tell(f"round {len(rounds)}: others took {rounds[-1].others:.2f} cores")
    return kept(rounds, wanted, quiet)


def ratio(rounds: Sequence[Round], loud: int, upper: str, lower: str) -> Spread:
    """Return the spread of one thing over another, round by round."""
    return spread((each.measured[upper] / each.measured[lower] for each in rounds), loud)


def value(rounds: Sequence[Round], loud: int, name: str) -> Spread:
    """Return the spread of one thing by itself."""
    return spread((each.measured[name] for each in rounds), loud)


def _short(number: float) -> str:
    """Write a number with as many places as tell something."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 20 else f"{number:.2f}"
