"""Lines of the log: how they are written, when, and what a caller's own numbers do in them."""

from __future__ import annotations

import json
import pty
import select
import signal
import tracemalloc
from collections.abc import Iterable, Iterator
from io import BytesIO, FileIO
from threading import Event

import grpc
import pytest

from charleston.referee.v1 import service_pb2
from referee import log as log_module
from referee.ending import End
from referee.journal import TOGETHER, Journal
from referee.log import ENOUGH, Log
from referee.metrics import Metrics
from referee.server import Running, running
from referee.service import Note
from referee.settings import Settings
from tests.wire.asking import (
    ILLEGAL,
    LEGAL,
    MALFORMED,
    SOON,
    Error,
    Lines,
    ask,
    channel,
    judged,
    path,
    referee,
    refused,
)

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
FREE = Settings(listen="127.0.0.1:0", metrics="")


@pytest.fixture
def log() -> Lines:
    """A log to read."""
    return Lines()


@pytest.fixture
def logged(log: Lines) -> Iterator[Running]:
    """Serve the referee with that log."""
    with running(FREE, out=log) as up:
        yield up


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lines wait for longer than any test, unless they are asked for."""
    monkeypatch.setattr(log_module, "INTERVAL", 10 * SOON)


def test_numbers_come_back(logged: Running, log: Lines) -> None:
    """A request id and a traceparent come back as they came, with an answer and with a refusal, and are in the line."""
    sent = [("x-request-id", "hand-42_a"), ("traceparent", TRACE)]
    with channel(logged.address) as opened:
        _, answered = opened.unary_unary(path("Judge")).with_call(LEGAL.SerializeToString(), metadata=sent)
        with pytest.raises(grpc.RpcError) as error:
            ask(opened, path("Judge"), MALFORMED.SerializeToString(), sent)
        lines = [log.next(), log.next()]
    came = dict(answered.trailing_metadata())
    refusal: Error = error.value

    assert dict(sent) == came
    assert {"grpc-status-details-bin", *came} == set(dict(refusal.trailing_metadata()))
    assert 2 * [("hand-42_a", TRACE.split("-")[1])] == [(line["request"], line["trace"]) for line in lines]


def test_a_stream_has_its_numbers_too(logged: Running, log: Lines) -> None:
    """The numbers of a stream come back when it ends, and are in its line."""
    with channel(logged.address) as opened:
        call = opened.stream_stream(path("JudgeStream"))(iter(()), timeout=SOON, metadata=[("traceparent", TRACE)])
        answers = list(call)
        trailing = dict(call.trailing_metadata())
        line = log.next()

    assert ([], {"traceparent": TRACE}) == (answers, trailing)
    assert TRACE.split("-")[1] == line["trace"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("x-request-id", "two words"),
        ("x-request-id", "x" * 65),
        ("x-request-id", ""),
        ("traceparent", TRACE.upper()),
        ("traceparent", f"ff{TRACE[2:]}"),
        ("traceparent", f"{TRACE}-01"),
        ("traceparent", f"00-{'0' * 32}-b7ad6b7169203331-01"),
        ("traceparent", f"00-0af7651916cd43dd8448eb211c80319c-{'0' * 16}-01"),
    ],
)
def test_numbers_of_no_form(logged: Running, log: Lines, key: str, value: str) -> None:
    """A number that is not well formed is passed over: the call is answered, without it."""
    with channel(logged.address) as opened:
        _, call = opened.unary_unary(path("Judge")).with_call(LEGAL.SerializeToString(), metadata=[(key, value)])
        line = log.next()

    assert () == tuple(call.trailing_metadata())
    assert ("OK", False) == (line["code"], bool({"request", "trace"} & set(line)))


def test_levels(logged: Running, log: Lines) -> None:
    """An answer is info, also when it is no; what was refused is a warning, and so is a batch with such a question."""
    batch = service_pb2.JudgeBatchRequest(questions=[service_pb2.Question()]).SerializeToString()
    with channel(logged.address) as opened:
        judged(opened, ILLEGAL)
        refused(opened, path("Judge"), b"\xff")
        ask(opened, path("JudgeBatch"), batch)
        lines = [log.next() for _ in range(3)]

    assert ["info", "warning", "warning"] == [line["level"] for line in lines]


def test_text_for_people() -> None:
    """As text a line has the time of day, the level, and the rest as words; rules are not quoted."""
    out = BytesIO()
    with (
        running(Settings(listen="127.0.0.1:0", metrics="", log_format="text"), out=out) as server,
        channel(server.address) as opened,
    ):
        judged(opened, ILLEGAL)
    words = out.getvalue().decode().split()

    assert ":" in words[0]
    assert {"[info]", "call", "method=Judge", "code=OK", "verdict=ILLEGAL", "rules=pass.three"} <= set(words)


def test_a_terminal_gets_text() -> None:
    """Told nothing, a log is text on a terminal and JSON anywhere else."""
    reader, writer = pty.openpty()
    with FileIO(writer, "w") as terminal, FileIO(reader, "r") as screen:
        shown = Log(terminal)
        shown.info("serving")
        text = screen.read(4096)
        shown.close()
    out = BytesIO()
    kept = Log(out)
    kept.info("serving")
    kept.close()

    assert b"serving" in text
    assert not text.startswith(b"{")
    assert "serving" == json.loads(out.getvalue())["event"]


@pytest.mark.usefixtures("patient")
def test_lines_are_written_together(log: Lines) -> None:
    """Lines of answers wait; a refusal, and the end of a server, bring them out."""
    writing = Log(log)
    journal = Journal(Metrics(["Judge"]), writing, each=True)
    for _ in range(2 * TOGETHER):
        journal.enter(End("Judge"))
    waiting = log.left()
    journal.enter(End("Judge", "INVALID_ARGUMENT"))
    codes = [log.next()["code"] for _ in range(2 * TOGETHER + 1)]
    journal.enter(End("Judge"))
    writing.close()

    assert 0 == waiting
    assert [*("OK",) * 2 * TOGETHER, "INVALID_ARGUMENT"] == codes
    assert "OK" == log.next()["code"]


@pytest.mark.usefixtures("patient")
def test_very_many_lines_do_not_wait(log: Lines) -> None:
    """Once there are enough lines they are written, whenever their time would be."""
    writing = Log(log)
    for number in range(ENOUGH):
        writing.add({"number": number})
    numbers = [log.next()["number"] for _ in range(ENOUGH)]
    writing.close()

    assert [*range(ENOUGH)] == numbers


class Chased(Metrics):
    """Counts into which a call comes each time that one is counted, as under load."""

    journal: Journal
    counted = 0

    def count(self, ended: Iterable[End]) -> None:
        for _ in ended:
            if self.counted < 10 * TOGETHER:  # else it would never end
                self.counted += 1
                self.journal.enter(End("Judge"))


def test_who_settles_comes_to_an_end(log: Lines) -> None:
    """Whoever settles the journal works out what was entered before, however much is entered meanwhile."""
    chased, writing = Chased(["Judge"]), Log(log)
    chased.journal = Journal(chased, writing, each=False)
    chased.journal.enter(End("Judge"))
    chased.journal.settle()
    writing.close()

    assert chased.counted < TOGETHER


def test_a_referee_that_is_killed() -> None:
    """The line of an answer is written without another call, so that who is killed later has not lost it."""
    with referee() as running, channel(running.address) as opened:
        judged(opened)
        assert running.process.stdout
        line = json.loads(running.process.stdout.readline())
        running.signal(signal.SIGKILL)

        assert -signal.SIGKILL == running.ended()[0]
    assert ("Judge", "LEGAL") == (line["method"], line["verdict"])


class Stuck(BytesIO):
    """A log that takes nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = Event(), Event()

    def write(self, lines: object) -> int:
        self.begun.set()
        assert self.go.wait(SOON)
        return super().write(lines)  # type: ignore[arg-type]


def test_a_log_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a log takes nothing calls go on; so many lines wait, the others are lost and counted, none is halved."""
    monkeypatch.setattr(log_module, "MOST", 100)
    out = Stuck()
    writing, metrics = Log(out), Metrics(["Judge"])
    journal = Journal(metrics, writing, each=True)
    journal.enter(End("Judge", "INVALID_ARGUMENT"))
    assert out.begun.wait(SOON)
    for _ in range(150):
        journal.enter(End("Judge"))
    journal.settle()
    out.go.set()
    writing.close()
    lines = [json.loads(line) for line in out.getvalue().splitlines()]

    assert (50, 101) == (journal.lost, len(lines))


@pytest.mark.usefixtures("patient")
def test_a_line_that_waits_is_small() -> None:
    """A line takes as much memory as it is long, and little more, until it is written."""
    waiting = 100
    writing = Log(BytesIO())
    journal = Journal(Metrics(["Judge"]), writing, each=True)
    journal.enter(End("Judge"))
    journal.settle()
    tracemalloc.start()
    try:
        for _ in range(waiting):
            journal.enter(End("Judge"))
        journal.settle()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
        writing.close()

    assert held < waiting * 512


def test_refusals_while_nobody_reads_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """They do not pile up either: what cannot wait is lost, without an answer or a scrape that would settle it."""
    monkeypatch.setattr(log_module, "MOST", 100)
    out = Stuck()
    writing = Log(out)
    journal = Journal(Metrics(["Judge"]), writing, each=True)
    journal.enter(End("Judge", "INVALID_ARGUMENT"))
    assert out.begun.wait(SOON)
    for _ in range(100 + 2 * TOGETHER):
        journal.enter(End("Judge", "INVALID_ARGUMENT"))
    lost = journal.lost
    out.go.set()
    writing.close()

    assert 0 < lost


def test_lines_of_several_processes_do_not_mix() -> None:
    """No write is larger than a pipe takes in one piece, and each ends with the end of a line."""
    pieces: list[bytes] = []

    class Pieces(BytesIO):
        def write(self, lines: object) -> int:
            pieces.append(bytes(lines))  # type: ignore[call-overload]
            return 0

    writing = Log(Pieces())
    journal = Journal(Metrics(["Judge"]), writing, each=True)
    for _ in range(TOGETHER):
        end = End("Judge")
        end.note = Note(stage="FIRST_RIGHT", verdict="ILLEGAL", rules=("pass.three",))
        journal.enter(end)
    writing.close()

    assert TOGETHER == sum(piece.count(b"\n") for piece in pieces)
    assert max(map(len, pieces)) <= select.PIPE_BUF
    assert [] == [piece for piece in pieces if not piece.endswith(b"\n")]
