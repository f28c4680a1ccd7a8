"""How long one call waits: unary calls at a steady rate, alone and beside batches sent back to back."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench.h2load import Wrong, body, command, load
from tests.bench.loads import BODIES
from tests.bench.questions import Asked
from tests.bench.serving import Server

PER_SECOND = 500
CLIENTS = 10


def percentile(waits: Sequence[float], share: float) -> float:
    """Return the wait that this share of all does not pass, the nearest one that was measured."""
    ordered = sorted(waits)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def waits(server: Server, mix: Sequence[Asked], seconds: float) -> list[float]:
    """Return the milliseconds of each call of a mix, made at the steady rate for so many seconds in all."""
    found = []
    for asked in mix:
        log = BODIES / "waits.tsv"
        log.unlink(missing_ok=True)
        load(
            *(server.address, "Judge", asked, body(asked, BODIES)),
            calls=round(PER_SECOND * seconds / len(mix)),
            clients=CLIENTS,
            streams=100,
            more=("--rps", str(PER_SECOND // CLIENTS), "--log-file", str(log)),
        )
        found += [int(line.split("\t")[2]) / 1000 for line in log.read_text(encoding="ascii").splitlines()]
    server.forget()
    return found


@contextmanager
def batches(server: Server, asked: Asked) -> Iterator[None]:
    """Send a batch again and again, each when the one before it is answered, for as long as the block lasts."""
    line = command(server.address, "JudgeBatch", body(asked, BODIES), 1, 1, ("-D", "3600"))
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
    sent: Path = body(batch, BODIES)
    load(server.address, "JudgeBatch", batch, sent, calls=2, clients=1, streams=1)
    with batches(server, batch):
        return p99(server, mix, seconds, name)
