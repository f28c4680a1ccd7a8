"""Calls of all kinds to a real server: a caller is answered or told what is wrong, and no tile is named.

`python -m tests.fuzz.wire SECONDS` says how many calls were made. Hypothesis makes them up; one that breaks the law is
made as small as it gets, and shown.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import grpc
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.bench import serving
from tests.fuzz.targets import begin, scribbled
from tests.laws.scribbling import Scribbler
from tests.laws.test_any_bytes import FACE, REQUESTS
from tests.wire.asking import CHECK, REFLECTION, SOON, channel, faces, path

NAMES = sorted(REQUESTS)
STREAMS = ("JudgeStream", REFLECTION)
ALLOWED = {"OK", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED", "UNIMPLEMENTED", "NOT_FOUND"}
EACH = 200
"""Calls that are made up before the clock is looked at."""
SEEDS = list(begin("service"))


class Sent(NamedTuple):
    """A call: the method, what is sent, and the metadata."""

    method: str
    messages: tuple[bytes, ...]
    metadata: tuple[tuple[str, str], ...]


@st.composite
def calls(draw: st.DrawFn) -> Sent:
    """Draw a call: good requests, changed ones, and garbage, to methods that there are or are not."""
    bodies = []
    data = draw(st.sampled_from(SEEDS))
    method = NAMES[data[0]]
    for _ in range(draw(st.sampled_from((1, 1, 1, 1, 1, 1, 0, 2)))):
        number = draw(st.integers(0, 2**32 - 1))
        match draw(st.sampled_from(("scribbled", "scribbled", "smudged", "as it is", "garbage"))):
            case "scribbled":
                data = scribbled(data, number) or data
                bodies.append(data[1:])
            case "smudged":
                bodies.append(Scribbler(number).smudge(data[1:]))
            case "as it is":
                bodies.append(data[1:])
            case _:
                bodies.append(draw(st.binary(max_size=300)))
    method = draw(st.sampled_from((method,) * 12 + (*NAMES, "NoSuchMethod", CHECK, REFLECTION)))
    text = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60).map(str.strip)
    names = st.sampled_from(("accept-language", "traceparent", "x-request-id", "authorization"))
    return Sent(method, tuple(bodies), tuple(draw(st.lists(st.tuples(names, text), max_size=2))))


def ask(opened: Any, sent: Sent) -> None:
    """Make a call and look at how it ended."""
    where = sent.method if sent.method.startswith("/") else path(sent.method)
    call = opened.stream_stream(where)(iter(sent.messages), timeout=SOON, metadata=sent.metadata)
    answers = []
    with suppress(grpc.RpcError):
        answers += list(call)
    code, said = call.code().name, (call.details() or "")
    trailers = b" ".join(each.value for each in call.trailing_metadata() if isinstance(each.value, bytes))

    assert code in ALLOWED, (code, said)
    assert not FACE.search(said), said
    assert not faces(trailers.decode("latin-1")), trailers
    if code == "OK" and sent.method not in STREAMS:
        assert len(answers) == 1
    if sent.method == "JudgeStream" and code == "OK":
        assert len(answers) == len(sent.messages)


def tried(seconds: float) -> int:
    """Make up calls for so many seconds; return how many were made."""
    number, last = 0, time.monotonic() + seconds
    first = time.time_ns()  # other calls in every run
    flags = ("--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
    with serving.started("fuzzed", ["-m", "referee", "serve", *flags]) as server:
        with channel(server.address) as opened:
            while time.monotonic() < last:
                number += _some(opened, first + number)
        server.stop()  # until then it may keep lines back
        log = server.said()
    look_at(log.splitlines())
    return number


def _some(opened: Any, first: int) -> int:
    made = 0

    @seed(first)
    @settings(
        max_examples=EACH,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(calls())
    def each(sent: Sent) -> None:
        nonlocal made
        made += 1
        ask(opened, sent)

    each()
    return made


def look_at(log: Sequence[str]) -> None:
    """Look for faults and for tiles in what the server logged, but for the callers' own request ids."""
    lines = [{**json.loads(line), "request": ""} for line in log]

    assert not [line for line in lines if line["level"] == "error"], "the server logged a fault"
    assert not faces(json.dumps(lines)), "the log names a tile"


if __name__ == "__main__":
    print(tried(float(sys.argv[1])))
