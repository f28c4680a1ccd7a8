"""Callers that idle, stall, send nothing or send rubbish are no trouble to the others."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from threading import Barrier, Event, Thread

import grpc
import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.settings import SettingCodes
from h2.settings import Settings as HttpSettings

from referee import calls
from referee.calls import AHEAD, WAITED_FOR
from referee.readers import split
from referee.server import running
from referee.service import Note, Reply
from referee.settings import Settings
from tests.wire.asking import (
    CHECK,
    NOT_SERVING,
    REFLECTION,
    SERVING,
    SOON,
    WATCH,
    Lines,
    Sending,
    ask,
    channel,
    idle,
    path,
)

FEW = Settings(listen="127.0.0.1:0", metrics="", threads=2, grace=SOON)
HEADERS, PING = 1, 6
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
pytestmark = pytest.mark.usefixtures("way")


def echo(message: bytes, language: str) -> Reply:
    """Answer with the message: these tests are not about rulings."""
    return Reply(message, Note())


ECHO = {"Judge": echo}


def test_idle_watches() -> None:
    """A hundred open Watch streams hold no thread: there are two, and calls are answered."""
    with running(FEW, ECHO, Lines()) as server, channel(server.address) as opened:
        watches = [opened.unary_stream(WATCH)(b"", timeout=SOON) for _ in range(100)]
        told = {next(watch) for watch in watches}
        answer = ask(opened, path("Judge"), b"x")
        server.drain()
        told_last = {next(watch) for watch in watches}

    assert ({SERVING}, b"x", {NOT_SERVING}) == (told, answer, told_last)


def test_idle_reflection() -> None:
    """More reflection streams than there are threads for them keep neither calls nor health from answers."""
    over = Event()
    with running(FEW, ECHO, Lines()) as server, channel(server.address) as opened:
        talks = [opened.stream_stream(REFLECTION)(idle(over), timeout=SOON) for _ in range(20)]
        answer = ask(opened, path("Judge"), b"x")
        health = ask(opened, CHECK)
        watched = next(opened.unary_stream(WATCH)(b"", timeout=SOON))
        server.drain()
        codes = {talk.code() for talk in talks}
        over.set()

    assert (b"x", SERVING, SERVING) == (answer, health, watched)
    assert codes <= {grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE}


def test_callers_that_send_nothing() -> None:
    """Callers that call and send nothing hold up others for no longer than the patience set, and are hung up on."""
    with running(replace(FEW, patience=0.2), ECHO, Lines()) as server, channel(server.address) as opened:
        silent = [Sending(opened, "Judge", b"late") for _ in range(WAITED_FOR)]
        answer = ask(opened, path("Judge"), b"x")
        codes = [caller.answer.exception().code() for caller in silent]

    assert b"x" == answer
    assert [grpc.StatusCode.CANCELLED] * WAITED_FOR == codes


@pytest.mark.parametrize("way", [True], ids=["polled"], indirect=True)
def test_callers_that_send_nothing_hold_no_thread() -> None:
    """Where calls are polled, callers that are waited for hold up nobody: there are two threads, and six of them."""
    with running(replace(FEW, patience=SOON), ECHO, Lines()) as server, channel(server.address) as opened:
        silent = [Sending(opened, "Judge", b"late") for _ in range(6)]
        answer = ask(opened, path("Judge"), b"x")
        late = [caller.send() for caller in silent]

    assert (b"x", [b"late"] * 6) == (answer, late)


@pytest.mark.parametrize("way", [True], ids=["polled"], indirect=True)
def test_so_many_are_waited_for() -> None:
    """Of callers that send nothing only so many are waited for; once one of them has sent its question others can."""
    log = Lines()
    with running(replace(FEW, patience=SOON), ECHO, log) as server, channel(server.address) as opened:
        silent = [Sending(opened, "Judge", b"late") for _ in range(WAITED_FOR)]
        in_vain = opened.unary_unary(path("Judge")).future(b"x", timeout=SOON)
        # Each is asked after it on the same connection, and by then it would have been answered too.
        for _ in range(10):
            ask(opened, CHECK)
        in_vain.cancel()
        line = log.next()
        silent[0].send()
        answer = ask(opened, path("Judge"), b"x")

    assert ("CANCELLED", b"x") == (line["code"], answer)


def test_long_questions_make_room_again() -> None:
    """More long questions than are taken in at the same time are all answered."""
    long = bytes(AHEAD + 1)
    with running(FEW, ECHO, Lines()) as server, channel(server.address) as opened:
        asked = [opened.unary_unary(path("Judge")).future(long, timeout=SOON) for _ in range(2 * WAITED_FOR)]
        answered = [call.result() == long for call in asked]

    assert all(answered)


def test_long_questions_whose_answers_are_not_taken_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers with long questions whose flow-control window is shut keep nobody waiting once they are judged."""
    monkeypatch.setattr(calls, "AHEAD", 0)
    with running(replace(FEW, patience=SOON), ECHO, Lines()) as server, ExitStack() as opens:
        for _ in range(WAITED_FOR):
            opens.enter_context(shut_window(server.address, path("Judge"), b"long"))
        opened = opens.enter_context(channel(server.address))
        answer = ask(opened, path("Judge"), b"x")

    assert b"x" == answer


def test_who_is_gone_is_not_judged() -> None:
    """A call that was given up before its turn to be judged costs nothing more."""
    judged: list[bytes] = []
    begun, go_on = Event(), Event()

    def slow(message: bytes, language: str) -> Reply:
        judged.append(message)
        begun.set()
        assert go_on.wait(SOON)
        return Reply(message, Note())

    with running(replace(FEW, threads=1), {"Judge": slow}, Lines()) as server, channel(server.address) as opened:
        first = opened.unary_unary(path("Judge")).future(b"first", timeout=SOON)
        assert begun.wait(SOON)
        second = opened.unary_unary(path("Judge")).future(b"second", timeout=SOON)
        # Calls of one connection reach the server in order, and so does the end of one before the next.
        ask(opened, CHECK)
        second.cancel()
        ask(opened, CHECK)
        go_on.set()
        first.result()
        ask(opened, path("Judge"), b"third")

    assert [b"first", b"third"] == judged


@pytest.mark.parametrize(
    "sent", [b"", PREFACE, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00", b"\xff" * 4096], ids=repr
)
def test_half_open_connections(sent: bytes) -> None:
    """Connections that get no further than this, or are no HTTP/2 at all, disturb nobody."""
    with running(FEW, ECHO, Lines()) as server, ExitStack() as opens:
        for _ in range(20):
            opens.enter_context(socket.create_connection(split(server.address), timeout=SOON)).sendall(sent)
        opened = opens.enter_context(channel(server.address))
        answer = ask(opened, path("Judge"), b"x")

    assert b"x" == answer


@pytest.mark.parametrize("sent", [b"", PREFACE, PREFACE + bytes(3) + b"\4" + bytes(5)], ids=repr)
def test_a_stop_beside_half_open_connections(sent: bytes) -> None:
    """Connections that are dead, or never came to life, do not hold up a stop for the whole grace."""
    with (
        running(replace(FEW, grace=600.0), ECHO, Lines()) as server,
        socket.create_connection(split(server.address), timeout=SOON) as connection,
    ):
        connection.sendall(sent)
        assert not sent or connection.recv(1)  # the server's settings: it has taken the connection
        server.drain()


def test_watchers_that_take_nothing_in() -> None:
    """Watchers whose flow-control window is shut are hung up on in time; meanwhile calls and checks are answered."""
    with running(replace(FEW, patience=0.2), ECHO, Lines()) as server, ExitStack() as opens:
        for _ in range(8):
            opens.enter_context(shut_window(server.address))
        opened = opens.enter_context(channel(server.address))
        health, answer = ask(opened, CHECK), ask(opened, path("Judge"), b"x")
        watched = next(opened.unary_stream(WATCH)(b"", timeout=SOON))

    assert (SERVING, b"x", SERVING) == (health, answer, watched)


def test_a_stop_beside_watchers_that_take_nothing_in() -> None:
    """A watcher whose flow-control window is shut does not hold up a stop for the whole grace."""
    with running(replace(FEW, grace=600.0), ECHO, Lines()) as server, shut_window(server.address):
        server.drain()


def test_two_callers_at_once() -> None:
    """Two calls are judged at the same time, and each gets its own answer."""
    both = Barrier(2, timeout=SOON)

    def meet(message: bytes, language: str) -> Reply:
        both.wait()
        return Reply(message, Note())

    with (
        running(FEW, {"Judge": meet}, Lines()) as server,
        channel(server.address) as one,
        channel(server.address) as other,
    ):
        asked = [
            opened.unary_unary(path("Judge")).future(opened_as, timeout=SOON)
            for opened, opened_as in ((one, b"1"), (other, b"2"))
        ]
        answers = [call.result() for call in asked]

    assert [b"1", b"2"] == answers


@contextmanager
def shut_window(address: str, method: str = WATCH, message: bytes = b"") -> Iterator[None]:
    """Call over a connection of our own that is alive but allows the server no byte of data."""
    http = H2Connection(H2Configuration(client_side=True))
    http.local_settings = HttpSettings(client=True, initial_values={SettingCodes.INITIAL_WINDOW_SIZE: 0})
    http.initiate_connection()
    headers = [
        (":method", "POST"),
        (":scheme", "http"),
        (":authority", address),
        (":path", method),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
    ]
    http.send_headers(1, headers)
    http.send_data(1, b"\0" + len(message).to_bytes(4, "big") + message, end_stream=True)
    begun = Event()

    def live() -> None:
        # By hand: after a GOAWAY h2 answers no PING, and the server would wait for it.
        with suppress(OSError), connection.makefile("rb") as frames:
            while header := frames.read(9):
                length, kind, flags = int.from_bytes(header[:3], "big"), header[3], header[4]
                body = frames.read(length)
                if kind == PING and not flags:
                    connection.sendall(header[:4] + b"\1" + header[5:] + body)
                elif kind == HEADERS:
                    begun.set()

    with socket.create_connection(split(address), timeout=SOON) as connection:
        connection.sendall(http.data_to_send())
        living = Thread(target=live)
        living.start()
        assert begun.wait(SOON)
        yield
        with suppress(OSError):  # the server has closed it already
            connection.shutdown(socket.SHUT_RDWR)
        living.join()
