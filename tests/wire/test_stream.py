"""A stream of questions: answered in order whatever they are, read no faster than its answers are taken, and ended."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Semaphore
from typing import Any, Self

import grpc
import pytest

from charleston.referee.v1 import service_pb2
from referee import streams
from referee.server import Running, running
from referee.service import Note, Reply
from referee.settings import Settings
from tests.wire.asking import ILLEGAL, LEGAL, MALFORMED, SOON, Lines, Opened, ask, channel, judged, path, referee
from tests.wire.many import QUESTIONS, outcomes
from tests.wire.many import question as under

# Of more bytes than the polling thread answers itself.
LONG = bytes(10_000)
FEW = Settings(listen="127.0.0.1:0", metrics="", threads=2, max_streams=20, grace=SOON)
STREAM = path("JudgeStream")
pytestmark = pytest.mark.usefixtures("way")


def message(question: service_pb2.JudgeRequest, id: str = "") -> bytes:
    """Write a question as a message of a stream."""
    return service_pb2.JudgeStreamRequest(question=under(id, question)).SerializeToString()


def answers(replies: Iterable[bytes]) -> list[service_pb2.Answer]:
    """Read the answers of a stream."""
    return [service_pb2.JudgeStreamResponse.FromString(reply).answer for reply in replies]


class Talk:
    """A stream on which one message is sent at a time."""

    def __init__(self, opened: Opened) -> None:
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        self.call: Any = opened.stream_stream(STREAM)(iter(self._messages.get, None), timeout=SOON)

    def ask(self, message: bytes) -> bytes:
        """Send a message and wait for its answer."""
        self.send(message)
        answer: bytes = next(self.call)
        return answer

    def send(self, message: bytes | None) -> None:
        """Send a message, or with None say that there are no more."""
        self._messages.put(message)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.send(None)


def test_a_thousand_questions(server: Running) -> None:
    """Of 1,000 questions every seventh is malformed: each is answered, in order, under its id, and the stream is OK."""
    with channel(server.address) as opened:
        sent = (service_pb2.JudgeStreamRequest(question=each).SerializeToString() for each in QUESTIONS)
        call = opened.stream_stream(STREAM)(sent, timeout=SOON)
        told = answers(call)

    assert outcomes(QUESTIONS) == [(answer.question_id, answer.WhichOneof("outcome")) for answer in told]
    assert grpc.StatusCode.OK is call.code()


@pytest.mark.parametrize("bad", [b"\xff\xff\xff\xff", b"\x0a\x7f", b"", message(MALFORMED)], ids=repr)
def test_a_bad_question_does_not_end_the_stream(server: Running, bad: bytes) -> None:
    """Bytes that are no message, a question without an act and a malformed one are answered with their error."""
    with channel(server.address) as opened:
        call = opened.stream_stream(STREAM)(iter((message(LEGAL), bad, message(ILLEGAL))), timeout=SOON)
        first, second, third = answers(call)

    assert ("judged", "error", "judged") == tuple(each.WhichOneof("outcome") for each in (first, second, third))
    assert grpc.StatusCode.INVALID_ARGUMENT.value[0] == second.error.code


def test_a_question_over_the_limit() -> None:
    """A message larger than the server takes is answered with RESOURCE_EXHAUSTED, and the next one is judged."""
    with running(replace(FEW, max_bytes=1000), out=Lines()) as small, channel(small.address) as opened:
        call = opened.stream_stream(STREAM)(iter((bytes(1001), message(LEGAL))), timeout=SOON)
        first, second = answers(call)

    assert grpc.StatusCode.RESOURCE_EXHAUSTED.value[0] == first.error.code
    assert "judged" == second.WhichOneof("outcome")


def test_answers_keep_their_order() -> None:
    """Answers come in the order of the questions, whatever is long among them and however fast they come."""
    sent = [str(number).encode() + (LONG if not number % 7 else b"") for number in range(500)]

    def echo(message: bytes, language: str) -> Reply:
        return Reply(message)

    with running(FEW, {"JudgeStream": echo}, Lines()) as server, channel(server.address) as opened:
        told = list(opened.stream_stream(STREAM)(iter(sent), timeout=SOON))

    assert sent == told


def test_an_answer_comes_before_the_next_question(server: Running) -> None:
    """An answer does not wait for more questions: one may be asked after it."""
    with channel(server.address) as opened, Talk(opened) as talk:
        ids = [answers([talk.ask(message(LEGAL, id))])[0].question_id for id in ("a", "b", "c")]

    assert ["a", "b", "c"] == ids


def test_a_slow_reader() -> None:
    """From a caller that takes no answers in, the server stops reading, and holds little until the caller is gone."""
    judged = Semaphore(0)
    taken, asked = count(), count()

    def large(message: bytes, language: str) -> Reply:
        next(taken)
        judged.release()
        return Reply(bytes(256 * 1024))

    def endless() -> Iterator[bytes]:
        while not over.is_set():
            next(asked)
            yield b"x"

    over, log = Event(), Lines()
    with running(FEW, {"JudgeStream": large, "Judge": large}, log) as server, channel(server.address) as opened:
        call = opened.stream_stream(STREAM)(endless(), timeout=SOON)
        assert judged.acquire(timeout=SOON)
        # Each unary call that comes and goes gives the stream time to be read ahead, if anything did that.
        for _ in range(200):
            ask(opened, path("Judge"), b"x")
        held = next(taken) - 200
        over.set()
        call.cancel()
        line = next(line for line in iter(log.next, None) if line["method"] == "JudgeStream")

    assert "CANCELLED" == line["code"]
    # Windows and buffers of HTTP/2 hold some megabytes, which is a few answers of this size; eight more wait here.
    assert held < 128


def test_a_stop_leaves_no_answer_behind() -> None:
    """A caller that is slow to take its answers in gets all of them after a stop, and then UNAVAILABLE."""
    asked = SimpleQueue[bytes | None]()

    def large(message: bytes, language: str) -> Reply:
        asked.put(message)
        return Reply(message + bytes(256 * 1024))

    sent = (str(number).encode() for number in count())
    with running(FEW, {"JudgeStream": large}, Lines()) as server, channel(server.address) as opened:
        call = opened.stream_stream(STREAM)(sent, timeout=SOON)
        first = next(call)
        server.streams.end()
        told = [first]
        with pytest.raises(grpc.RpcError):
            told.extend(call)
        judged = [asked.get() for _ in range(asked.qsize())]

    assert judged == [answer.rstrip(b"\0") for answer in told]
    assert grpc.StatusCode.UNAVAILABLE is call.code()


def test_a_long_question_holds_up_nobody() -> None:
    """While a long message of a stream is being answered, calls are too."""
    taken, go_on = Event(), Event()

    def slow(message: bytes, language: str) -> Reply:
        if message == LONG:
            taken.set()
            assert go_on.wait(SOON)
        return Reply(message)

    with running(FEW, {"JudgeStream": slow, "Judge": slow}, Lines()) as server, channel(server.address) as opened:
        talk = Talk(opened)
        talk.send(LONG)
        assert taken.wait(SOON)
        beside = ask(opened, path("Judge"), b"x")
        go_on.set()
        answer = next(talk.call)

    assert (b"x", LONG) == (beside, answer)


@pytest.mark.skipif(sys.platform != "linux", reason="reads what a process holds from /proc")
@pytest.mark.parametrize("way", [True], ids=["polled"], indirect=True)
def test_callers_that_never_read_fill_no_memory() -> None:
    """Sixty callers that send long messages and take no answer in make a referee hold little."""
    over = Event()

    def endless() -> Iterator[bytes]:
        while not over.is_set():
            yield LONG * 5

    with referee("--max-streams", "60", "--log", "off") as process, ExitStack() as opens:
        opened = [opens.enter_context(channel(process.address)) for _ in range(20)]
        asked = [judged(each) for each in opened]
        before = held(process.process.pid)
        calls = [each.stream_stream(STREAM)(endless(), timeout=SOON) for each in opened * 3]
        # Each of them gives the streams time to send more.
        asked += [judged(opened[0]) for _ in range(150)]
        after = held(process.process.pid)
        over.set()
        for call in calls:
            call.cancel()

    assert all(asked)
    assert after - before < 100


def held(process: int) -> float:
    """Return the MiB that a process holds."""
    found = re.search(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) / 1024


def test_a_cancelled_stream_frees_its_place() -> None:
    """A stream that is cancelled ends at once: its line says so, and there is room for another, again and again."""
    log = Lines()
    with running(replace(FEW, max_streams=1), out=log) as one, channel(one.address) as opened:
        codes = []
        for _ in range(5):
            with Talk(opened) as talk:
                talk.ask(message(LEGAL))
                talk.call.cancel()
            codes.append(log.next()["code"])

    assert ["CANCELLED"] * 5 == codes


def test_too_many_streams() -> None:
    """A stream beyond those that the server keeps open is RESOURCE_EXHAUSTED; when one ends there is room again."""
    with running(replace(FEW, max_streams=2), out=Lines()) as two, ExitStack() as opens:
        opened = opens.enter_context(channel(two.address))
        talks = [opens.enter_context(Talk(opened)) for _ in range(2)]
        for talk in talks:
            talk.ask(message(LEGAL))
        over = opened.stream_stream(STREAM)(iter((message(LEGAL),)), timeout=SOON)
        code = over.code()
        talks[0].send(None)
        ended = talks[0].call.code()
        again = opens.enter_context(Talk(opened)).ask(message(LEGAL))

    assert grpc.StatusCode.RESOURCE_EXHAUSTED is code
    assert grpc.StatusCode.OK is ended
    assert again


def test_idle_streams() -> None:
    """As many idle streams as the server keeps open starve no call."""
    with running(FEW, out=Lines()) as server, ExitStack() as opens:
        opened = opens.enter_context(channel(server.address))
        for _ in range(FEW.max_streams):
            opens.enter_context(Talk(opened)).ask(message(LEGAL))
        answer = ask(opened, path("Judge"), LEGAL.SerializeToString())

    assert answer


@pytest.mark.parametrize("way", [True], ids=["polled"], indirect=True)
def test_idle_streams_hold_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where calls are polled, a single thread does for twenty idle streams: it is needed to open them."""
    monkeypatch.setattr(streams, "ThreadPoolExecutor", lambda _, name: ThreadPoolExecutor(1, name))
    with running(FEW, out=Lines()) as server, ExitStack() as opens:
        opened = opens.enter_context(channel(server.address))
        talks = [opens.enter_context(Talk(opened)) for _ in range(FEW.max_streams)]
        answered = [talk.ask(message(LEGAL)) for talk in talks]

    assert all(answered)


def test_a_stop_ends_idle_streams() -> None:
    """Told to stop, a referee ends a stream on which nothing is unanswered: UNAVAILABLE, with a sentence."""
    with running(replace(FEW, grace=600.0), out=Lines()) as server, channel(server.address) as opened:
        talk = Talk(opened)
        talk.ask(message(LEGAL))
        server.drain()
        with pytest.raises(grpc.RpcError):
            next(talk.call)

    assert (grpc.StatusCode.UNAVAILABLE, "The referee is stopping.") == (talk.call.code(), talk.call.details())


def test_a_stop_in_the_moment_a_stream_is_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream let in just before the stop ends as all others do, and does not idle on until the grace is over."""
    opened = streams.Streams.opened

    def then_end(self: streams.Streams, stream: streams.Stream) -> tuple[str, str]:
        let_in = opened(self, stream)
        self.end()
        return let_in

    monkeypatch.setattr(streams.Streams, "opened", then_end)
    with running(FEW, out=Lines()) as server, channel(server.address) as opens, Talk(opens) as talk:
        code = talk.call.code()

    assert grpc.StatusCode.UNAVAILABLE is code


def test_a_stop_answers_what_was_taken() -> None:
    """A question that is being answered when the referee is told to stop gets its answer before the stream ends."""
    taken, go_on = Event(), Event()

    def slow(message: bytes, language: str) -> Reply:
        taken.set()
        assert go_on.wait(SOON)
        return Reply(message, Note())

    with running(FEW, {"JudgeStream": slow}, Lines()) as server, channel(server.address) as opened:
        talk = Talk(opened)
        talk.send(b"last")
        assert taken.wait(SOON)
        server.streams.end()
        go_on.set()
        answer = next(talk.call)
        code = talk.call.code()

    assert (b"last", grpc.StatusCode.UNAVAILABLE) == (answer, code)


def test_the_line_of_a_stream() -> None:
    """A stream has one log line, with how many questions it had and how many of them were refused, and no tile."""
    log = Lines()
    with running(FEW, out=log) as server, channel(server.address) as opened:
        sent = iter((message(LEGAL), message(MALFORMED), message(ILLEGAL)))
        told = list(opened.stream_stream(STREAM)(sent, timeout=SOON))
        line = log.next()

    assert 3 == len(told)
    assert ("JudgeStream", "OK", 3, 1) == tuple(line[key] for key in ("method", "code", "questions", "refused"))
    assert 0 == log.left()


def test_a_fault_ends_the_stream() -> None:
    """A fault of the referee's own ends the stream INTERNAL, and its line says where; the message is not logged."""
    log = Lines()

    def faulty(message: bytes, language: str) -> Reply:
        raise RuntimeError("3 dot")

    with running(FEW, {"JudgeStream": faulty}, log) as server, channel(server.address) as opened:
        codes = [opened.stream_stream(STREAM)(iter((b"x",)), timeout=SOON).code() for _ in range(2)]
        line = log.next()

    assert [grpc.StatusCode.INTERNAL] * 2 == codes
    assert ("error", "RuntimeError") == (line["level"], line["error"])
    assert "3 dot" not in str(line)


@pytest.mark.parametrize("way", [True], ids=["polled"], indirect=True)
def test_what_should_never_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should anything be raised in the polling thread after all, that stream is lost and no other."""
    answered = streams.Stream._answered
    monkeypatch.setattr(streams.Stream, "_answered", lambda *_: [][0])
    with running(replace(FEW, max_streams=1), out=Lines()) as server, channel(server.address) as opened:
        lost = opened.stream_stream(STREAM)(iter((message(LEGAL),)), timeout=SOON).code()
        monkeypatch.setattr(streams.Stream, "_answered", answered)
        told = list(opened.stream_stream(STREAM)(iter((message(LEGAL),)), timeout=SOON))

    assert grpc.StatusCode.CANCELLED is lost
    assert 1 == len(told)
