"""Load from h2load, and proof that every answer came: h2load reads no gRPC status, but it counts bytes.

A call that fails has no message in its answer, so as many calls as were asked, with exactly the bytes of as many right
answers, are as many calls that ended well.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.questions import Asked, framed


class Wrong(Exception):
    """A call that failed, or an answer that is not the referee's; its text says which."""


class Done(NamedTuple):
    """What one run of h2load did."""

    calls: int
    seconds: float


@cache
def folder() -> TemporaryDirectory[str]:
    """Return a folder for what h2load reads and writes, which goes with this process."""
    return TemporaryDirectory(prefix="charleston-bench-")


def file(name: str) -> Path:
    """Return a file of the folder."""
    return Path(folder().name) / name


def body(asked: Asked) -> Path:
    """Write the body of a call to a file, for h2load to send."""
    path = file(f"{hashlib.sha256(framed(asked.messages)).hexdigest()}.bin")
    path.write_bytes(framed(asked.messages))
    return path


def command(address: str, method: str, sent: Path, clients: int, streams: int, more: Sequence[str]) -> list[str]:
    """Return the command line: so many connections, so many calls in flight on each."""
    return [
        *("h2load", "-t", "1", "-c", str(clients), "-m", str(streams), *more, "-d", str(sent)),
        *("-H", "content-type: application/grpc", "-H", "te: trailers"),
        f"http://{address}/charleston.referee.v1.RefereeService/{method}",
    ]


def load(
    address: str,
    method: str,
    asked: Asked,
    sent: Path,
    *,
    calls: int,
    clients: int,
    streams: int,
    more: Sequence[str] = (),
) -> Done:
    """Make so many calls and wait for all of them; raise Wrong unless each was answered, with every byte."""
    line = command(address, method, sent, clients, streams, ("-n", str(calls), *more))
    said = subprocess.run(line, capture_output=True, text=True, timeout=600, check=False)
    return read(said.stdout, calls, len(framed(asked.answers)), asked.name) if said.returncode == 0 else _failed(said)


def _failed(said: subprocess.CompletedProcess[str]) -> Done:
    raise Wrong(f"h2load ended with status {said.returncode}: {said.stderr.strip()[-300:]}")


def read(output: str, calls: int, size: int, name: str) -> Done:
    """Read what h2load printed about so many calls with answers of so many bytes; raise Wrong if it is not that."""
    rate = re.search(r"^finished in \S+, ([\d.]+) req/s", output, re.MULTILINE)
    counts = re.search(
        r"^requests: .* (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", output, re.MULTILINE
    )
    data = re.search(r"^traffic: .* \((\d+)\) data$", output, re.MULTILINE)
    if not (rate and counts and data):
        raise Wrong(f"h2load said what nobody here understands: {output.strip()[-300:]}")
    succeeded, *ill = map(int, counts.groups())
    if succeeded != calls or any(ill):
        raise Wrong(f"{name}: of {calls} calls {succeeded} came back, {sum(ill)} failed.")
    if int(data[1]) != calls * size:
        raise Wrong(f"{name}: {calls} answers of {size} bytes are {calls * size} bytes, and {data[1]} came.")
    return Done(calls, calls / float(rate[1]))
