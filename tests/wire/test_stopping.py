"""Told to stop, a referee finishes what it has taken and takes nothing new."""

from __future__ import annotations

import os
import re
import signal
import socket
from pathlib import Path
from threading import Event

import grpc
import pytest

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.ports import CannotListen
from referee.server import running
from referee.settings import Settings
from tests.ports import free_port
from tests.wire.asking import (
    CHECK,
    LEGAL,
    NOT_SERVING,
    REFLECTION,
    SERVING,
    SOON,
    WATCH,
    Sending,
    ask,
    channel,
    idle,
    judged,
    referee,
    refused,
)

QUESTION = LEGAL.SerializeToString()


def another_thread(pid: int) -> int:
    """Return a thread of a process that is not its main one and takes SIGTERM, which those of gRPC block."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        blocked = re.search(r"SigBlk:\s(\w+)", (thread / "status").read_text())
        if blocked and thread.name != str(pid) and not int(blocked[1], 16) >> signal.SIGTERM - 1 & 1:
            return int(thread.name)
    raise AssertionError("it has no other thread")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_drains(number: signal.Signals) -> None:
    """A call that was taken is answered; an idle Watch hears NOT_SERVING and, like idle reflection, is ended."""
    over = Event()
    with referee("--grace", "600") as running, channel(running.address) as opened:
        watch = opened.unary_stream(WATCH)(b"", timeout=SOON)
        first = next(watch)
        talk = opened.stream_stream(REFLECTION)(idle(over), timeout=SOON)
        taken = Sending(opened, "Judge", QUESTION)
        running.signal(number)
        then = next(watch)
        answer = service_pb2.JudgeResponse.FromString(taken.send())
        with pytest.raises(grpc.RpcError) as watched:
            next(watch)
        with pytest.raises(grpc.RpcError) as talked:
            next(talk)
        status, output, complaints = running.ended()
        over.set()

    assert (SERVING, NOT_SERVING) == (first, then)
    assert ruling_pb2.VERDICT_LEGAL == answer.ruling.verdict
    assert grpc.StatusCode.UNAVAILABLE is watched.value.code()
    # Cancelled; or, if the connection was closed before that arrived, unavailable.
    assert talked.value.code() in (grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE)
    assert (0, "") == (status, complaints)
    assert [number.name in line for line in output.splitlines()] == [True, False, False]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_signal_drains_whichever_thread_the_system_gives_it_to(workers: str) -> None:
    """Right after SIGCONT the system may not give it to the main thread, and that one waits for it all the same."""
    with referee("--workers", workers) as running:
        os.kill(another_thread(running.process.pid), signal.SIGTERM)
        status, _, _ = running.ended()

    assert 0 == status


def test_nothing_new_is_taken() -> None:
    """Once the referee drains, a new call finds nobody, though one that was taken still waits."""
    with referee("--grace", "600") as running, channel(running.address) as opened:
        watch = opened.unary_stream(WATCH)(b"", timeout=SOON)
        next(watch)
        taken = Sending(opened, "Judge", QUESTION)
        running.signal(signal.SIGTERM)
        with pytest.raises(grpc.RpcError):
            list(watch)
        with channel(running.address) as another:
            error = refused(another, CHECK, b"")
        taken.send()

        assert grpc.StatusCode.UNAVAILABLE is error.code()
        assert 0 == running.ended()[0]


def test_a_pause_for_load_balancers() -> None:
    """During the pause health says NOT_SERVING while questions are still answered."""
    with referee("--drain-pause", "600") as running, channel(running.address) as opened:
        watch = opened.unary_stream(WATCH)(b"", timeout=SOON)
        next(watch)
        running.signal(signal.SIGTERM)
        then = next(watch)
        health, verdict = ask(opened, CHECK), judged(opened)

    assert (NOT_SERVING, NOT_SERVING, "VERDICT_LEGAL") == (then, health, verdict)


def test_a_second_signal_ends_at_once() -> None:
    """Whoever asks twice does not wait for the grace."""
    with referee("--grace", "600") as running, channel(running.address) as opened:
        watch = opened.unary_stream(WATCH)(b"", timeout=SOON)
        next(watch)
        Sending(opened, "Judge", QUESTION)
        running.signal(signal.SIGTERM)
        next(watch)
        running.signal(signal.SIGTERM)

        assert -signal.SIGTERM == running.ended()[0]


def test_the_grace_has_an_end() -> None:
    """A caller that never sends its question does not keep a referee from stopping."""
    with referee("--grace", "0.2") as running, channel(running.address) as opened:
        waiting = Sending(opened, "Judge", QUESTION)
        running.signal(signal.SIGTERM)
        error = waiting.answer.exception()
        status, _, complaints = running.ended()

    assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
    assert (0, "") == (status, complaints)


def test_a_port_in_use() -> None:
    """A second referee on a port says so and ends with status 1, instead of sharing the calls."""
    with referee() as running:
        with referee("--listen", running.address) as second:
            listening = second.ended()
        with referee("--metrics", running.metrics) as third:
            measuring = third.ended()

    assert (1, "", f"referee: Cannot listen on {running.address}: Address already in use.\n") == listening
    assert (1, "") == measuring[:2]
    assert measuring[2].startswith(f"referee: Cannot serve metrics on {running.metrics}: Address already in use.")


@pytest.mark.parametrize("taken", ["listen", "metrics"])
def test_a_port_in_use_gives_the_other_back(taken: str) -> None:
    """Of a referee that could not be opened nothing is left in the process that tried, not even the other port."""
    free = f"127.0.0.1:{free_port()}"
    with socket.create_server(("127.0.0.1", 0)) as port:
        held = f"127.0.0.1:{port.getsockname()[1]}"
        listen, metrics = (held, free) if taken == "listen" else (free, held)
        with pytest.raises(CannotListen, match=held), running(Settings(listen=listen, metrics=metrics)):
            pass

    with running(Settings(listen=free, metrics="")) as opened:
        assert free == opened.address
