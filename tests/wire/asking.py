"""Questions to ask over the wire, ways to ask them, and a referee in a process of its own to ask."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from queue import Queue
from threading import Event
from typing import Any
from urllib.request import urlopen

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1.health_pb2 import HealthCheckResponse
from prometheus_client.parser import text_string_to_metric_families

from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2

SERVICE = "charleston.referee.v1.RefereeService"
METHODS = ("Judge", "WhatNext", "Replay", "GetRulebook")
CHECK = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
SERVING = HealthCheckResponse(status=HealthCheckResponse.SERVING).SerializeToString()
NOT_SERVING = HealthCheckResponse(status=HealthCheckResponse.NOT_SERVING).SerializeToString()

# Long enough for a loaded machine; a test that waits this long has failed.
SOON = 20.0


def path(method: str) -> str:
    """Return the full path of a method of the referee."""
    return f"/{SERVICE}/{method}"


def question(*tiles: table_pb2.Tile.ValueType) -> service_pb2.JudgeRequest:
    """Ask whether East, dealt the first fourteen tiles of the set, may pass these on the first right."""
    wall = [table_pb2.Tile.Value(f"TILE_BAM_{number}") for number in range(1, 10) for _ in range(4)]
    wall += [table_pb2.Tile.Value(f"TILE_CRAK_{number}") for number in range(1, 10) for _ in range(4)]
    east, south, west, north = (
        table_pb2.Place(rack=[wall.pop(0) for _ in range(number)]) for number in (14, 13, 13, 13)
    )
    stage = table_pb2.STAGE_FIRST_RIGHT
    table = table_pb2.Table(stage=stage, east=east, south=south, west=west, north=north)
    act = table_pb2.Act(seat=table_pb2.SEAT_EAST, tile_pass=table_pb2.Pass(tiles=tiles))
    return service_pb2.JudgeRequest(table=table, act=act)


LEGAL = question(table_pb2.TILE_BAM_1, table_pb2.TILE_BAM_2, table_pb2.TILE_BAM_3)
ILLEGAL = question(table_pb2.TILE_BAM_1, table_pb2.TILE_BAM_2)  # pass.three
MALFORMED = question(table_pb2.TILE_BAM_1, table_pb2.TILE_UNSPECIFIED, table_pb2.TILE_BAM_3)


# A channel that speaks raw bytes, and the error of a call: more than grpcio's stubs know of.
Opened = Any
Error = Any


@contextmanager
def channel(address: str) -> Iterator[Opened]:
    """Open a connection that no other channel of this process shares."""
    with grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as opened:
        yield opened


@contextmanager
def over_tls(address: str, credentials: grpc.ChannelCredentials) -> Iterator[Opened]:
    """Open a connection over TLS that no other channel of this process shares."""
    with grpc.secure_channel(address, credentials, [("grpc.use_local_subchannel_pool", 1)]) as opened:
        yield opened


def ask(opened: Opened, path: str, message: bytes = b"", metadata: Sequence[tuple[str, str]] = ()) -> bytes:
    """Ask with raw bytes and return the raw answer."""
    answer: bytes = opened.unary_unary(path)(message, timeout=SOON, metadata=metadata)
    return answer


def refused(opened: Opened, path: str, message: bytes) -> Error:
    """Ask with raw bytes what must be refused, and return the error."""
    try:
        ask(opened, path, message)
    except grpc.RpcError as error:
        return error
    raise AssertionError("it was answered")


def judged(opened: Opened, asked: service_pb2.JudgeRequest = LEGAL) -> str:
    """Ask Judge and return the name of the verdict."""
    answer = service_pb2.JudgeResponse.FromString(ask(opened, path("Judge"), asked.SerializeToString()))
    return ruling_pb2.Verdict.Name(answer.ruling.verdict)


def bad_request(error: Error) -> error_details_pb2.BadRequest:
    """Return the BadRequest that came with an error."""
    trailers = dict(error.trailing_metadata())
    details = error_details_pb2.BadRequest()
    status_pb2.Status.FromString(trailers["grpc-status-details-bin"]).details[0].Unpack(details)
    return details


def idle(over: Event) -> Iterator[bytes]:
    """Send nothing until it is over."""
    over.wait(SOON)
    yield from ()


class Sending:
    """A call whose message is sent only when told to: the server has taken it and waits."""

    def __init__(self, opened: Opened, method: str, message: bytes) -> None:
        self._message = message
        self._send = Event()
        self.answer: Any = opened.stream_unary(path(method)).future(self._messages(), timeout=SOON)
        # Calls of one connection reach the server in order: what answers this has seen the one before it.
        assert ask(opened, CHECK) == SERVING

    def send(self) -> bytes:
        """Send the message and return the answer."""
        self._send.set()
        answer: bytes = self.answer.result()
        return answer

    def _messages(self) -> Iterator[bytes]:
        if self._send.wait(SOON):
            yield self._message


def counts(address: str) -> dict[tuple[str, ...], float]:
    """Read a metrics port: each sample above zero by its name and its labels, in the order of their names."""
    with urlopen(f"http://{address}/metrics", timeout=SOON) as page:
        families = text_string_to_metric_families(page.read().decode())
        samples = [sample for family in families for sample in family.samples]
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for sample in samples
        if sample.value
    }


class Lines(BytesIO):
    """A log to read line by line, as soon as each is written."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: Queue[bytes] = Queue()

    def write(self, lines: Any) -> int:
        """Keep lines, which come several at a time."""
        for line in bytes(lines).splitlines():
            self._lines.put(line)
        return len(lines)

    def next(self) -> dict[str, Any]:
        """Wait for the next line and return it, read."""
        line: dict[str, Any] = json.loads(self._lines.get(timeout=SOON))
        return line

    def left(self) -> int:
        """Return how many lines are yet to be read."""
        return self._lines.qsize()


def faces(text: str) -> list[str]:
    """Return every tile face that a text names, in any of the ways in which we write one."""
    return re.findall(r"TILE_[A-Z]\w*|(?i:\b[1-9] ?(?:b|c|d|bams?|craks?|dots?)\b|\b(?:bam|crak|dot)s?\b)", text)


class Process:
    """A `referee serve` in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout
        self._output = process.stdout
        self.before: list[dict[str, Any]] = []
        while (line := self.line()).get("event") not in ("serving", None):
            self.before.append(line)
        self.address: str = line.get("address", "")
        self.metrics: Any = line.get("metrics", "")
        self.compiled: Any = line.get("compiled")

    def line(self) -> dict[str, Any]:
        """Wait for the next line of its log and return it, read; empty when there are no more."""
        line: dict[str, Any] = json.loads(self._output.readline() or "{}")
        return line

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def ended(self) -> tuple[int, str, str]:
        """Wait until it has ended; return its exit status, the rest of its output, and its complaints."""
        output, complaints = self.process.communicate(timeout=SOON)
        return self.process.returncode, output, complaints


@contextmanager
def referee(*flags: str, environ: Mapping[str, str] | None = None) -> Iterator[Process]:
    """Run `referee serve` on free ports, with more flags if given, and end it if the test does not."""
    command = [sys.executable, "-m", "referee", "serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ) as process:
        try:
            yield Process(process)
        finally:
            process.kill()
