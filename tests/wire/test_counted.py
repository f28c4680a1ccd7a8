"""The metrics port: every call is counted once, by labels of closed sets, with the id of a ruling to look up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from charleston.referee.v1 import service_pb2
from referee.codec import write_act, write_table
from referee.meters import METERS
from referee.notation import parse_act, parse_table
from referee.server import Running, running
from referee.settings import Settings
from tests.wire.asking import (
    ILLEGAL,
    LEGAL,
    MALFORMED,
    SOON,
    Lines,
    Opened,
    Sending,
    ask,
    channel,
    counts,
    judged,
    path,
    refused,
)

FREE = Settings(listen="127.0.0.1:0", metrics="127.0.0.1:0")
DEALT = """table at FIRST_RIGHT
EAST rack 1b 1b 2b 3c 3c 5c 6d 7d F F E N J J
SOUTH rack 2b 2b 3b 3b 4b 4b 5b 5b 6b 6b 7b 7b 8b
WEST rack {west}
NORTH rack 2c 2c 4c 4c 6c 6c 7c 7c 8c 8c 9c 9c 1c"""
WEST = "1d 1d 2d 2d 3d 3d 4d 4d 5d 5d 8d 8d 9d"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def counting() -> Iterator[Running]:
    """Serve a referee of its own, so that nobody else is counted."""
    with running(FREE, out=Lines()) as up:
        yield up


def told(act: str, west: str = WEST) -> service_pb2.JudgeRequest:
    """Ask about an act on the table above."""
    return service_pb2.JudgeRequest(
        table=write_table(parse_table(DEALT.format(west=west))), act=write_act(parse_act(act))
    )


def stream(opened: Opened, *questions: service_pb2.JudgeRequest) -> list[bytes]:
    """Ask on a stream, to its end."""
    asked = (
        service_pb2.JudgeStreamRequest(
            question=service_pb2.Question(table=question.table, act=question.act)
        ).SerializeToString()
        for question in questions
    )
    return list(opened.stream_stream(path("JudgeStream"))(asked, timeout=SOON))


def test_what_is_counted(counting: Running) -> None:
    """Calls are counted by method and code, rulings and findings by stage, refusals by reason; each method is timed."""
    with channel(counting.address) as opened:
        judged(opened), judged(opened), judged(opened, ILLEGAL)
        refused(opened, path("Judge"), b"\xff")
        refused(opened, "/made.up/Method", b"")
    seen = counts(counting.metrics_address)

    assert 4 == seen["referee_requests_started_total", "Judge"]
    assert 3 == seen["referee_requests_total", "OK", "Judge"]
    assert 1 == seen["referee_requests_total", "INVALID_ARGUMENT", "Judge"]
    assert 1 == seen["referee_requests_total", "UNIMPLEMENTED", "other"]
    assert 3 == seen["referee_request_seconds_count", "OK", "Judge"]
    assert 1 == seen["referee_request_seconds_count", "INVALID_ARGUMENT", "Judge"]
    assert 2 == seen["referee_rulings_total", "FIRST_RIGHT", "LEGAL"]
    assert 1 == seen["referee_rulings_total", "FIRST_RIGHT", "ILLEGAL"]
    assert 1 == seen["referee_findings_total", "pass.three", "FIRST_RIGHT"]
    assert 1 == seen["referee_malformed_total", "UNREADABLE"]


def test_the_sizes_of_messages(counting: Running) -> None:
    """Bytes of questions and answers are summed by method, and put under the bound that they do not exceed."""
    question = LEGAL.SerializeToString()
    with channel(counting.address) as opened:
        answer = ask(opened, path("Judge"), question)
    seen = counts(counting.metrics_address)

    assert len(question) == seen["referee_request_bytes_sum", "Judge"]
    assert len(answer) == seen["referee_response_bytes_sum", "Judge"]
    assert ("referee_request_bytes_bucket", "64.0", "Judge") not in seen
    assert 1 == seen["referee_request_bytes_bucket", "256.0", "Judge"]


def test_jokers_misdeals_and_what_is_undecided(counting: Running) -> None:
    """Jokers that go back are counted by article, misdeals by moment, what face-down tiles leave open by article."""
    with channel(counting.address) as opened:
        returned = judged(opened, told("EAST passes 1b J J"))
        thrown_in = judged(opened, told("EAST passes 1b 1b 2b", "?*12"))
        undecided = judged(opened, told("WEST passes ? ? ?", "?*13"))
    seen = counts(counting.metrics_address)

    assert ("VERDICT_JOKER_RETURN", "VERDICT_MISDEAL", "VERDICT_UNDECIDED") == (returned, thrown_in, undecided)
    assert 2 == seen["referee_jokers_returned_total", "joker.passed"]
    assert 1 == seen["referee_misdeals_total", "BEFORE"]
    assert 1 == seen["referee_undecided_total", "joker.passed"]
    assert 1 == seen["referee_rulings_total", "FIRST_RIGHT", "JOKER_RETURN"]
    assert 1 == seen["referee_rulings_total", "FIRST_RIGHT", "MISDEAL"]


def test_a_replay_is_counted_act_by_act(counting: Running) -> None:
    """Each act of a Replay counts as a ruling, at the stage at which it was judged."""
    acts = ["EAST passes 1b 1b 2b", "EAST stops", "SOUTH passes 2b 2b 3b", "WEST passes 1d 1d J"]
    asked = service_pb2.ReplayRequest(
        table=told(acts[0]).table, acts=[write_act(parse_act(act)) for act in acts], skip_illegal=True
    )
    with channel(counting.address) as opened:
        ask(opened, path("Replay"), asked.SerializeToString())
    seen = counts(counting.metrics_address)

    assert 1 == seen["referee_requests_total", "OK", "Replay"]
    assert 2 == seen["referee_rulings_total", "FIRST_RIGHT", "LEGAL"]
    assert 2 == seen["referee_rulings_total", "FIRST_RIGHT", "ILLEGAL"]
    assert 1 == seen["referee_findings_total", "stop.first", "FIRST_RIGHT"]


def test_a_stream_is_counted_question_by_question(counting: Running) -> None:
    """Each question of a stream has its status, its time and its size; the stream itself is one call."""
    with channel(counting.address) as opened:
        stream(opened, LEGAL, MALFORMED, LEGAL)
    seen = counts(counting.metrics_address)

    assert 1 == seen["referee_requests_total", "OK", "JudgeStream"]
    assert 2 == seen["referee_questions_total", "OK", "JudgeStream"]
    assert 1 == seen["referee_questions_total", "INVALID_ARGUMENT", "JudgeStream"]
    assert 2 == seen["referee_request_seconds_count", "OK", "JudgeStream"]
    assert 3 == seen["referee_request_bytes_count", "JudgeStream"]
    assert 1 == seen["referee_malformed_total", "MISSING"]


def test_calls_in_flight(counting: Running) -> None:
    """A call that waits for its question is in flight, and no longer once it is answered."""
    with channel(counting.address) as opened:
        taken = Sending(opened, "Judge", LEGAL.SerializeToString())
        during = counts(counting.metrics_address)
        taken.send()
        after = counts(counting.metrics_address)

    assert 1 == during["referee_requests_in_flight", "Judge"]
    assert ("referee_requests_in_flight", "Judge") not in after


@pytest.mark.parametrize(
    ("settings", "method", "question", "reason"),
    [
        ({"max_bytes": 10}, "Judge", bytes(11), "bytes"),
        ({"max_acts": 1}, "Replay", service_pb2.ReplayRequest(acts=[LEGAL.act] * 2).SerializeToString(), "acts"),
        (
            {"max_questions": 1},
            "JudgeBatch",
            service_pb2.JudgeBatchRequest(questions=[service_pb2.Question()] * 2).SerializeToString(),
            "questions",
        ),
    ],
    ids=["bytes", "acts", "questions"],
)
def test_too_much(settings: dict[str, int], method: str, question: bytes, reason: str) -> None:
    """Who asks too much is refused, counted by what there was too much of, and has a line that says so."""
    log = Lines()
    with running(replace(FREE, **settings), out=log) as server, channel(server.address) as opened:  # type: ignore[arg-type]
        refused(opened, path(method), question)
        seen = counts(server.metrics_address)
    line = log.next()

    assert 1 == seen["referee_callers_refused_total", reason]
    assert 1 == seen["referee_requests_total", "RESOURCE_EXHAUSTED", method]
    assert ("RESOURCE_EXHAUSTED", reason, "warning") == (line["code"], line["reason"], line["level"])


def test_what_runs_says_what_it_is(counting: Running) -> None:
    """One sample says which versions run, one which rulebooks are served."""
    seen = counts(counting.metrics_address)

    assert [1] == [value for (name, *_), value in seen.items() if name == "referee_build_info"]
    assert 1 == seen["referee_rulebook_info", "1", "1"]


def test_each_meter_is_shown_from_the_start(counting: Running) -> None:
    """Before anybody has asked anything each meter is there, and all that it can be foreseen to count is at zero."""
    with urlopen(f"http://{counting.metrics_address}/metrics", timeout=SOON) as page:
        text = page.read().decode()

    assert [] == [meter.name for meter in METERS if f"# TYPE {meter.name}" not in text]
    assert 'referee_rulings_total{stage="COURTESY",verdict="MISDEAL"} 0.0' in text
    assert 'referee_malformed_total{reason="UNREACHABLE"} 0.0' in text


def test_exemplars_lead_to_a_ruling(tmp_path: Path) -> None:
    """For who reads OpenMetrics a ruling has its keyed id and its trace beside its count and its time."""
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    with running(replace(FREE, id_key_file=str(key)), out=Lines()) as server, channel(server.address) as opened:
        answer = ask(opened, path("Judge"), ILLEGAL.SerializeToString(), [("traceparent", TRACE)])
        page = Request(
            f"http://{server.metrics_address}/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0"}
        )
        with urlopen(page, timeout=SOON) as read:
            text = read.read().decode()
        families = list(text_string_to_metric_families(text))  # type: ignore[no-untyped-call]
    shown = {sample.name: sample.exemplar.labels for family in families for sample in family.samples if sample.exemplar}
    id = service_pb2.JudgeResponse.FromString(answer).ruling.id

    assert 26 == len(id)
    assert {
        "referee_rulings_total": {"ruling": id, "trace_id": TRACE.split("-")[1]},
        "referee_request_seconds_bucket": {"ruling": id, "trace_id": TRACE.split("-")[1]},
    } == shown


@pytest.mark.parametrize(
    ("query", "accept"),
    [("", "application/openmetrics-text;version=junk"), ("", "\x01,;;q=x"), ("?name[]=%00&%zz", "*/*")],
)
def test_nonsense_on_the_metrics_port(counting: Running, query: str, accept: str) -> None:
    """Whatever is asked of the metrics port, and in whatever format, it answers with metrics."""
    page = Request(f"http://{counting.metrics_address}/metrics{query}", headers={"Accept": accept})
    with urlopen(page, timeout=SOON) as answer:
        status = answer.status

    assert 200 == status


def test_labels_come_from_closed_sets(counting: Running) -> None:
    """What a client makes up, like the name of a method, adds no series."""
    with channel(counting.address) as opened:
        refused(opened, "/first.made/Up", b"")
        before = set(counts(counting.metrics_address))
        for number in range(20):
            refused(opened, f"/made.up/Method{number}", b"")
    after = set(counts(counting.metrics_address))

    assert before == after


def test_a_metrics_port_is_a_choice() -> None:
    """With an empty address there is no metrics port."""
    with running(replace(FREE, metrics=""), out=Lines()) as server:
        address = server.metrics_address

    assert "" == address
