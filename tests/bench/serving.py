"""Servers to measure, each in processes of its own: the referee as it is served, and raw echoes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.request import urlopen

from tests.bench.h2load import Wrong
from tests.bench.machine import resident, tree_spent

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "bench"
SOON = 60.0
"""Seconds that a server may take to start or to stop."""
SHIPPED = dict(re.findall(r"\b(GLIBC_TUNABLES)=(\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8")))
"""What the image has in its environment that makes a difference here, for the referee and for echoes."""
COUNTED = re.compile(r'^referee_requests_total\{.*code="(\w+)".*\} ([\d.e+]+)$', re.MULTILINE)


class Server:
    """A server that is up."""

    def __init__(self, name: str, said: dict[str, Any], process: subprocess.Popen[bytes], log: Path) -> None:
        """Take its name, what it said when it was up, its process and its log."""
        self.name = name
        self.address: str = said["address"]
        pages = said.get("metrics", ())
        self._pages = [pages] if isinstance(pages, str) else pages
        self._process = process
        self._pid = process.pid
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

    def statuses(self) -> Counter[str]:
        """Return how many calls ended with which status, as the server itself counts them."""
        counted: Counter[str] = Counter()
        for page in self._pages:
            text = urlopen(f"http://{page}/metrics", timeout=SOON).read().decode()
            for code, number in COUNTED.findall(text):
                counted[code] += round(float(number))
        return counted

    def stop(self) -> None:
        """Tell it to stop, and wait until it has."""
        _stop(self._process)

    def said(self) -> str:
        """Return its log so far."""
        return self._log.read_text(encoding="utf-8")

    def forget(self) -> None:
        """Empty its log, which would fill the disk."""
        os.truncate(self._log, 0)


def told_to_end() -> None:
    """End as if interrupted when told to: what was started is stopped."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


@contextmanager
def referee(workers: int = 1) -> Iterator[Server]:
    """Serve the referee as it is shipped, in so many workers: real rules, metrics, and a log line a call.

    Raise Wrong in the end unless every call ended OK, or was cut off with its caller.
    """
    command = ["-m", "referee", "serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
    with started(f"referee-{workers}", [*command, "--workers", str(workers)]) as server:
        yield server
        ended = server.statuses()
        if not ended["OK"] or any(ended[code] for code in ended.keys() - {"OK", "CANCELLED"}):
            raise Wrong(f"The server counts calls that did not end well: {dict(ended)}")


@contextmanager
def echo(shape: str, cpu: int | None = None) -> Iterator[Server]:
    """Serve a raw echo of a shape: sync, own, asyncio or uvloop."""
    pinned = [] if cpu is None else ["--cpu", str(cpu)]
    with started(f"echo-{shape}", ["-m", "tests.bench.echo", shape, *pinned]) as server:
        yield server


@contextmanager
def started(name: str, arguments: Sequence[str]) -> Iterator[Server]:
    """Run a server that says its address in its first line, and tell it to stop when the block is left."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (
        NamedTemporaryFile("ab", prefix=f"{name}-", suffix=".log", dir=BUILD) as out,
        subprocess.Popen([sys.executable, *arguments], stdout=out, cwd=ROOT, env={**SHIPPED, **os.environ}) as process,
    ):
        log = Path(out.name)
        try:
            yield Server(name, _said(log, process), process, log)
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(SOON)
    except subprocess.TimeoutExpired:
        process.kill()


def _said(log: Path, process: subprocess.Popen[bytes]) -> dict[str, Any]:
    last = time.monotonic() + SOON
    while time.monotonic() < last and process.poll() is None:
        for line in log.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n") and "address" in (said := json.loads(line)):
                return dict(said)
        time.sleep(0.02)
    raise RuntimeError(f"{log.stem} did not start: {log.read_text(encoding='utf-8')[-300:]}")
