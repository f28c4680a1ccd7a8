"""What came of the questions, event by event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import quantiles
from typing import NamedTuple

from tests.deploy.loss.load import Asked

HEAD = ("event", "asked", "answered", "right", "lost", "wrong", "p50 ms", "p99 ms")


class Window(NamedTuple):
    """The time of an event, from its beginning until all is well again; seconds since 1970."""

    event: str
    began: float
    ended: float


class Row(NamedTuple):
    """One line of the table."""

    event: str
    asked: int
    lost: int
    wrong: int
    p50: float
    p99: float
    why: Counter[str]

    @property
    def cells(self) -> tuple[str, ...]:
        """The line as it is printed."""
        answered = self.asked - self.lost
        numbers = (self.asked, answered, answered - self.wrong, self.lost, self.wrong)
        return self.event, *map(str, numbers), f"{self.p50:.1f}", f"{self.p99:.1f}"


def rows(asked: Sequence[Asked], windows: Sequence[Window]) -> list[Row]:
    """Return a line for each event that had questions, and one for all together."""
    within = [_row(w.event, [each for each in asked if w.began <= each.at < w.ended]) for w in windows]
    return [*within, _row("all", asked)]


def printed(found: Iterable[Row]) -> str:
    """Return the table as text, with the reasons of what was lost under it."""
    lines = [HEAD, *(row.cells for row in found)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = [
        "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
        for line in lines
    ]
    reasons = [f"{row.event}: {number} lost by {why}" for row in found for why, number in sorted(row.why.items())]
    return "\n".join([*text, *reasons])


def _row(event: str, asked: Sequence[Asked]) -> Row:
    milliseconds = [each.seconds * 1000 for each in asked] or [0.0]
    cuts = quantiles(milliseconds, n=100, method="inclusive") if len(milliseconds) > 1 else milliseconds * 99
    why = Counter(each.lost for each in asked if each.lost)
    return Row(event, len(asked), why.total(), sum(each.wrong for each in asked), cuts[49], cuts[98], why)
