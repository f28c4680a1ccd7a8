"""How long one call waits: unary calls at a steady rate, alone and beside batches sent back to back."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.h2load import Wrong, body, command, file, load, read
from tests.bench.questions import Asked, framed
from tests.bench.serving import Server

PER_SECOND = 500
START = 0.5
"""Seconds at the beginning that do not count: connections are made then."""


class Wait(NamedTuple):
    """When a call began, in seconds since 1970, and for how many milliseconds it waited."""

    began: float
    milliseconds: float


def percentile(waits: Sequence[float], share: float) -> float:
    """Return the wait that this share of all does not pass, the nearest one that was measured."""
    ordered = sorted(waits)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def waits(server: Server, mix: Sequence[Asked], seconds: float) -> list[float]:
    """Return the milliseconds of each call of a mix, made at the steady rate for so many seconds."""
    rate = PER_SECOND / len(mix)
    calls = round(rate * (seconds + START))
    sending = []
    for number, asked in enumerate(mix):
        log = file(f"waits-{number}.tsv")
        log.unlink(missing_ok=True)
        more = ("-n", str(calls), "--rps", f"{rate:.3f}", "--log-file", str(log))
        line = command(server.address, "Judge", body(asked), 1, 100, more)
        sending.append((asked, log, subprocess.Popen(line, stdout=subprocess.PIPE, text=True)))
    found = []
    for asked, log, process in sending:
        said, _ = process.communicate(timeout=60 + seconds)
        read(said, calls, len(framed(asked.answers)), asked.name)
        found += logged(log.read_text(encoding="ascii"))
    server.forget()
    return steady(found)


def logged(text: str) -> list[Wait]:
    """Read the log of h2load: when a call began, its status, how long it took, in microseconds."""
    rows = (line.split("\t") for line in text.splitlines())
    return [Wait(int(began) / 1e6, int(took) / 1e3) for began, _, took in rows]


def steady(found: Sequence[Wait]) -> list[float]:
    """Return the waits of the calls that did not begin at the start."""
    first = min(wait.began for wait in found)
    return [wait.milliseconds for wait in found if wait.began >= first + START]


@contextmanager
def batches(server: Server, asked: Asked) -> Iterator[None]:
    """Send a batch again and again, each when the one before it is answered, for as long as the block lasts."""
    line = command(server.address, "JudgeBatch", body(asked), 1, 1, ("-D", "3600"))
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as sending:
        try:
            yield
            if sending.poll() is not None:
                raise Wrong("The batches ended before the calls beside them.")
        finally:
            sending.kill()


def p99(server: Server, mix: Sequence[Asked], seconds: float, name: str) -> dict[str, float]:
    """Return the 99th percentile under a name, and the median under the same with " p50", in milliseconds."""
    found = waits(server, mix, seconds)
    return {name: percentile(found, 0.99), f"{name} p50": percentile(found, 0.5)}


def beside(server: Server, mix: Sequence[Asked], batch: Asked, seconds: float, name: str) -> dict[str, float]:
    """Return the same of calls beside batches; the batches' answers are looked at before."""
    sent: Path = body(batch)
    load(server.address, "JudgeBatch", batch, sent, calls=2, clients=1, streams=1)
    with batches(server, batch):
        return p99(server, mix, seconds, name)
