"""Servers to measure, each in processes of its own: the referee as it is served, and raw echoes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench.machine import resident, tree_spent

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "bench"
SOON = 60.0
"""Seconds that a server may take to start or to stop."""


class Server:
    """A server that is up."""

    def __init__(self, name: str, address: str, pid: int, log: Path) -> None:
        self.name = name
        self.address = address
        self._pid = pid
        self._log = log

    def cpu(self) -> int | None:
        """Return the core that it is pinned to; None if it may use several."""
        usable = os.sched_getaffinity(self._pid)
        return usable.pop() if len(usable) == 1 else None

    def spent(self) -> float:
        """Return the seconds of processor time that it has had."""
        return tree_spent(self._pid)

    def resident(self) -> float:
        """Return the MiB that it holds."""
        return resident(self._pid)

    def said(self) -> str:
        """Return its log so far."""
        return self._log.read_text(encoding="utf-8")

    def forget(self) -> None:
        """Empty its log, which would fill the disk."""
        os.truncate(self._log, 0)


@contextmanager
def referee(workers: int = 1) -> Iterator[Server]:
    """Serve the referee as it is shipped, in so many workers: real rules, metrics, and a log line a call."""
    command = ["-m", "referee", "serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
    with started(f"referee-{workers}", [*command, "--workers", str(workers)]) as server:
        yield server


@contextmanager
def echo(shape: str, cpu: int | None = None) -> Iterator[Server]:
    """Serve a raw echo of a shape: sync, asyncio or uvloop."""
    pinned = [] if cpu is None else ["--cpu", str(cpu)]
    with started(f"echo-{shape}", ["-m", "tests.bench.echo", shape, *pinned]) as server:
        yield server


@contextmanager
def started(name: str, arguments: Sequence[str]) -> Iterator[Server]:
    """Run a server that says its address in its first line, and tell it to stop when the block is left."""
    BUILD.mkdir(parents=True, exist_ok=True)
    log = BUILD / f"{name}.log"
    log.unlink(missing_ok=True)
    with log.open("ab") as out, subprocess.Popen([sys.executable, *arguments], stdout=out, cwd=ROOT) as process:
        try:
            yield Server(name, _address(log, process), process.pid, log)
        finally:
            process.terminate()
            try:
                process.wait(SOON)
            except subprocess.TimeoutExpired:
                process.kill()
    log.unlink()


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    last = time.monotonic() + SOON
    while time.monotonic() < last and process.poll() is None:
        for line in log.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n") and (address := json.loads(line).get("address")):
                return str(address)
        time.sleep(0.02)
    raise RuntimeError(f"{log.stem} did not start: {log.read_text(encoding='utf-8')[-300:]}")
