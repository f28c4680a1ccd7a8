"""Loads: calls in rotation that h2load makes to one server, sized to last, with what they cost the server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.bench.h2load import body, load
from tests.bench.questions import Asked
from tests.bench.serving import Server


class Load:
    """The calls of a mix to one method of one server, each as often as every other."""

    def __init__(
        self, server: Server, method: str, mix: Sequence[Asked], *, clients: int, streams: int, seconds: float
    ) -> None:
        """Warm the server up with the mix, and find out how many calls last so many seconds in all."""
        self.server = server
        self._method = method
        self._mix = [(asked, body(asked)) for asked in mix]
        self._clients = clients
        self._streams = streams
        least = clients * streams
        rate = self._rate(least)
        if rate * seconds > 10 * least * len(mix):  # what was measured was mostly the start
            rate = self._rate(round(rate * seconds / len(mix) / 4))
        self.calls = max(least, round(rate * seconds / len(mix)))

    def run(self) -> tuple[float, float]:
        """Make all calls; return the work done per second, and the microseconds of processor time it cost each."""
        return self.times(self.calls)

    def times(self, calls: int) -> tuple[float, float]:
        """Make each call of the mix so many times; return as `run` does."""
        spent, seconds, work = -self.server.spent(), 0.0, 0
        for asked, sent in self._mix:
            seconds += self._load(asked, sent, calls)
            work += calls * asked.work
        spent += self.server.spent()
        self.server.forget()
        return work / seconds, spent / work * 1e6

    def measured(self, name: str) -> dict[str, float]:
        """Run, and return the rate under a name and the cost under the same with " us"."""
        rate, cost = self.run()
        return {name: rate, f"{name} us": cost}

    def _load(self, asked: Asked, sent: Path, calls: int) -> float:
        done = load(
            self.server.address, self._method, asked, sent, calls=calls, clients=self._clients, streams=self._streams
        )
        return done.seconds

    def _rate(self, calls: int) -> float:
        return calls * len(self._mix) / sum(self._load(asked, sent, calls) for asked, sent in self._mix)
