"""The bars: what is to be met, path by path, and what would be better still."""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.rounds import Spread


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of the table: what is measured over what, and the number to meet."""

    id: str
    path: str
    bar: float
    stretch: float
    least: bool = False
    """Whether less is better."""
    echo: bool = False
    """Whether it is over a raw echo on threads, beside which another is carried as the referee's calls are."""

    def met(self, measured: Spread) -> str:
        """Say what the median meets: "stretch", "yes" or "no"."""
        sign = -1 if self.least else 1
        if sign * measured.median >= sign * self.stretch:
            return "stretch"
        return "yes" if sign * measured.median >= sign * self.bar else "no"

    def reach(self, number: float) -> float:
        """Return how far a number reaches, where 1 is the bar and more is better."""
        return self.bar / number if self.least else number / self.bar


BARS = (
    Bar("unary", "unary Judge, one process: whole service / raw echo", 0.70, 0.82, echo=True),
    Bar("ruling", "the same, ruling only / raw echo", 0.78, 0.88, echo=True),
    Bar("views", "the same with all five views / without", 0.60, 0.80),
    Bar("two", "unary, two processes: whole service / one bare asyncio echo", 1.3, 1.6),
    Bar("batch-ruling", "batch of 1,000, ruling only: judgements / unary raw echo requests", 10, 18, echo=True),
    Bar("batch", "batch of 1,000, full answers / the same", 4, 8, echo=True),
    Bar("replay", "Replay of whole real games: acts / the same", 12, 30, echo=True),
    Bar("streams", "8 streams: messages / unary raw echo requests", 2.2, 4, echo=True),
    Bar("p99", "unary p99 at 500 requests/s beside back-to-back batches of 1,000 / without", 5, 2, least=True),
    Bar("chess", "in process: judge and follow, acts / python-chess is_legal + push", 1, 2),
    Bar("games", "in process: whole real games, deal to discard, judged per second on one core", 3500, 6000),
    Bar("crowd", "CPU per request at 256 in flight / at 8", 1.10, 1.0, least=True),
    Bar("memory", "server memory after 1,000,000 requests / after 10,000", 1.02, 1.00, least=True),
)
