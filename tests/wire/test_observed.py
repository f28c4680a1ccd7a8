"""Every call gets one log line and is counted once, and neither knows a tile."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import grpc
import pytest

from referee import observe, polled
from referee.calls import Single
from referee.journal import Journal
from referee.server import Running, running
from referee.service import Note, Reply
from referee.settings import Settings
from tests.wire.asking import (
    CHECK,
    ILLEGAL,
    MALFORMED,
    SERVICE,
    SOON,
    WATCH,
    Lines,
    Sending,
    ask,
    channel,
    counts,
    faces,
    judged,
    path,
    refused,
)

FREE = Settings(listen="127.0.0.1:0", metrics="127.0.0.1:0")
EVERY_CALL = {"time", "level", "event", "method", "code", "seconds", "peer"}
pytestmark = pytest.mark.usefixtures("way")


@pytest.fixture
def log() -> Lines:
    """A log to read."""
    return Lines()


@pytest.fixture
def logged(log: Lines) -> Iterator[Running]:
    """Serve the referee with that log."""
    with running(FREE, out=log) as up:
        yield up


def test_the_line_of_an_answer(logged: Running, log: Lines) -> None:
    """An answer's line has the method, code, stage, verdict, broken articles, acts, sizes, seconds and peer."""
    asked = ILLEGAL.SerializeToString()
    with channel(logged.address) as opened:
        answer = ask(opened, path("Judge"), asked)
    line = log.next()
    seconds, peer, _ = line.pop("seconds"), line.pop("peer"), line.pop("time")

    assert {
        "level": "info",
        "event": "call",
        "method": "Judge",
        "code": "OK",
        "stage": "FIRST_RIGHT",
        "verdict": "ILLEGAL",
        "rules": ["pass.three"],
        "acts": 1,
        "bytes_in": len(asked),
        "bytes_out": len(answer),
    } == line
    assert 0 < seconds < SOON
    assert peer.startswith("ipv4:127.0.0.1:")


def test_only_what_has_a_value_is_in_a_line(logged: Running, log: Lines) -> None:
    """A question that was refused has a reason and no verdict, and a rulebook has neither."""
    with channel(logged.address) as opened:
        refused(opened, path("Judge"), MALFORMED.SerializeToString())
        ask(opened, path("GetRulebook"))
    malformed, rulebook = log.next(), log.next()

    assert EVERY_CALL | {"reason", "bytes_in"} == set(malformed)
    assert EVERY_CALL | {"bytes_out"} == set(rulebook)


def test_one_line_for_each_call(logged: Running, log: Lines) -> None:
    """Answered, refused, unreadable or unknown: each call has one line; health, asked every second, has none."""
    with channel(logged.address) as opened:
        judged(opened)
        refused(opened, path("Replay"), b"\xff")
        refused(opened, f"/{SERVICE}/Nope", b"")
        ask(opened, CHECK)
        with pytest.raises(grpc.RpcError):
            next(opened.unary_stream(WATCH)(b"\xff", timeout=SOON))
    lines = [log.next() for _ in range(3)]

    assert [("Judge", "OK"), ("Replay", "INVALID_ARGUMENT"), ("other", "UNIMPLEMENTED")] == [
        (line["method"], line["code"]) for line in lines
    ]
    assert 0 == log.left()


def broken(message: bytes, language: str) -> Reply:
    """Fail as a bug of ours would, with a tile in the message."""
    raise KeyError("TILE_BAM_1")


@pytest.mark.parametrize("each", [True, False], ids=["log on", "log off"])
def test_a_fault_of_ours(log: Lines, each: bool) -> None:
    """A bug is INTERNAL, with an id that its line has too; the line has class and place and never the message."""
    with running(replace(FREE, log=each), {"Judge": broken}, log) as server, channel(server.address) as opened:
        error = refused(opened, path("Judge"), b"")
        counted = counts(server.metrics_address)
    line = log.next()

    assert grpc.StatusCode.INTERNAL is error.code()
    assert line["fault"] in error.details()
    assert ("error", "KeyError") == (line["level"], line["error"])
    assert line["at"][-1].startswith("test_observed.py:")
    assert [] == faces(f"{line} {error.details()}")
    assert 1 == counted["referee_requests_total", "INTERNAL", "Judge"]


@pytest.mark.parametrize("way", [True], ids=["polled"], indirect=True)
@pytest.mark.parametrize(
    ("place", "name", "code"),
    [
        (observe, "heard", grpc.StatusCode.INTERNAL),
        (polled.Call, "take", grpc.StatusCode.CANCELLED),
        (Single, "_go_on", grpc.StatusCode.INTERNAL),
        (Journal, "enter", grpc.StatusCode.INVALID_ARGUMENT),
    ],
    ids=["as it comes", "as it is waited for", "as its message comes", "as it ends"],
)
def test_what_should_never_be_raised(
    log: Lines,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    place: Any,
    name: str,
    code: grpc.StatusCode,
) -> None:
    """Should anything be raised round a call after all, that call ends, the operator is told, the next is answered."""
    with running(FREE, out=log) as server, channel(server.address) as opened:
        with monkeypatch.context() as spoilt:
            spoilt.setattr(place, name, lambda *_: [][0])
            error = refused(opened, path("Judge"), b"")
        verdict = judged(opened)

    assert (code, "VERDICT_LEGAL") == (error.code(), verdict)
    assert "IndexError" in capsys.readouterr().err or "IndexError" == log.next()["error"]


def test_the_log_is_a_choice(log: Lines) -> None:
    """With the log off a call has no line."""
    with running(replace(FREE, log=False, metrics=""), out=log) as server, channel(server.address) as opened:
        verdict = judged(opened)

    assert ("VERDICT_LEGAL", 0) == (verdict, log.left())


def test_a_log_that_cannot_be_written(log: Lines) -> None:
    """A broken pipe or a full disk costs lines, and no call."""

    class Full(Lines):
        def write(self, line: object) -> int:
            raise BrokenPipeError

    with running(replace(FREE, metrics=""), out=Full()) as server, channel(server.address) as opened:
        verdict = judged(opened)

    assert "VERDICT_LEGAL" == verdict


def test_a_caller_that_leaves(log: Lines) -> None:
    """A call that was given up while it was judged is CANCELLED in its line."""
    begun, left = Event(), Event()

    def slow(message: bytes, language: str) -> Reply:
        begun.set()
        assert left.wait(SOON)
        return Reply(message, Note())

    with (
        running(replace(FREE, threads=1, metrics=""), {"Judge": slow}, log) as server,
        channel(server.address) as opened,
    ):
        call = opened.unary_unary(path("Judge")).future(b"x", timeout=SOON)
        assert begun.wait(SOON)
        call.cancel()
        # Calls of one connection reach the server in order, and so does the end of this one before the next.
        ask(opened, CHECK)
        left.set()
        line = log.next()

    assert ("Judge", "CANCELLED") == (line["method"], line["code"])


def test_a_caller_that_leaves_before_it_asks(logged: Running, log: Lines) -> None:
    """A call that was given up before its question came is CANCELLED in its line."""
    with channel(logged.address) as opened:
        Sending(opened, "Judge", b"").answer.cancel()
        line = log.next()

    assert ("Judge", "CANCELLED") == (line["method"], line["code"])


@pytest.mark.parametrize("method", ["Judge", "JudgeStream"])
def test_callers_that_leave_are_forgotten_at_once(logged: Running, log: Lines, method: str) -> None:
    """What a call held goes when its caller does: it waits for no collector of rings."""

    def kept() -> bool:
        # Of exactly this class only the server makes one, for a call that has ended without its message.
        return any(type(each) is grpc.RpcError for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        with channel(logged.address) as opened:
            Sending(opened, method, b"").answer.cancel()
            code = log.next()["code"]
            last = time.monotonic() + SOON
            while kept() and time.monotonic() < last:
                ask(opened, CHECK)
            left = kept()
    finally:
        gc.enable()

    assert ("CANCELLED", False) == (code, left)


def test_a_caller_that_runs_out_of_time(logged: Running, log: Lines) -> None:
    """A call whose deadline passes before its question came has a line that says so."""
    over = Event()

    def late() -> Iterator[bytes]:
        over.wait(SOON)
        yield b""

    with channel(logged.address) as opened:
        ask(opened, CHECK)
        call = opened.stream_unary(path("Judge")).future(late(), timeout=1)
        code = call.exception().code()
        line = log.next()
        over.set()

    assert grpc.StatusCode.DEADLINE_EXCEEDED is code
    # Ours when its clock runs out first, else the caller's hanging up.
    assert line["code"] in ("DEADLINE_EXCEEDED", "CANCELLED")
