"""A batch of questions: each is answered as Judge answers it, or fails alone as Judge would fail."""

from __future__ import annotations

from dataclasses import replace

import grpc
import pytest
from google.rpc import status_pb2

from charleston.conformance.asking import laid
from charleston.conformance.cases import Case, load
from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import write_act
from referee.server import Running, running
from referee.service import referee
from referee.settings import Settings
from tests.wire.asking import ILLEGAL, LEGAL, MALFORMED, SOON, Lines, Opened, ask, channel, counts, path, refused
from tests.wire.many import QUESTIONS, outcomes, question

FEW = Settings(listen="127.0.0.1:0", metrics="", grace=SOON)
UNSERVED = service_pb2.JudgeRequest(table=table_pb2.Table(rulebook=99, stage=table_pb2.STAGE_UNDEALT), act=LEGAL.act)


def batch(opened: Opened, *questions: service_pb2.Question) -> list[service_pb2.Answer]:
    """Ask a batch and return its answers."""
    asked = service_pb2.JudgeBatchRequest(questions=questions)
    return list(
        service_pb2.JudgeBatchResponse.FromString(ask(opened, path("JudgeBatch"), asked.SerializeToString())).answers
    )


def test_a_thousand_questions(server: Running) -> None:
    """Of 1,000 questions every seventh is malformed: it fails alone; ids come back and the order is kept."""
    with channel(server.address) as opened:
        told = batch(opened, *QUESTIONS)

    assert outcomes(QUESTIONS) == [(answer.question_id, answer.WhichOneof("outcome")) for answer in told]


@pytest.mark.parametrize("asked", [MALFORMED, UNSERVED, service_pb2.JudgeRequest()], ids=["tile", "rulebook", "no act"])
def test_an_error_is_what_judge_fails_with(server: Running, asked: service_pb2.JudgeRequest) -> None:
    """The error of a question is the status of Judge: code, text, and details with the paths that Judge has."""
    with channel(server.address) as opened:
        good, bad = batch(opened, question("good", LEGAL), question("bad", asked))
        error = refused(opened, path("Judge"), asked.SerializeToString())
    status = status_pb2.Status.FromString(dict(error.trailing_metadata())["grpc-status-details-bin"])

    assert ("good", "judged") == (good.question_id, good.WhichOneof("outcome"))
    assert ("bad", status) == (bad.question_id, bad.error)


def test_ids_are_the_callers(server: Running) -> None:
    """Ids may be missing or the same; the referee only echoes them."""
    with channel(server.address) as opened:
        ids = [answer.question_id for answer in batch(opened, *(question(id, LEGAL) for id in ("", "x", "x")))]

    assert ["", "x", "x"] == ids


def test_an_empty_batch(server: Running) -> None:
    """No questions get no answers."""
    with channel(server.address) as opened:
        told = batch(opened)

    assert [] == told


def test_too_many_questions() -> None:
    """The most questions in one batch are what the settings say; beyond them the whole call is refused."""
    with running(replace(FEW, max_questions=2), out=Lines()) as few, channel(few.address) as opened:
        two = batch(opened, question("a", LEGAL), question("b", LEGAL))
        three = service_pb2.JudgeBatchRequest(questions=[question("c", LEGAL)] * 3)
        error = refused(opened, path("JudgeBatch"), three.SerializeToString())

    assert 2 == len(two)
    assert grpc.StatusCode.RESOURCE_EXHAUSTED is error.code()


def test_the_line_of_a_batch() -> None:
    """A batch has one log line, with how many questions it had and how many of them were refused."""
    log = Lines()
    with running(FEW, out=log) as server, channel(server.address) as opened:
        batch(opened, question("a", LEGAL), question("b", MALFORMED), question("c", ILLEGAL))
        line = log.next()

    assert ("JudgeBatch", "OK", 3, 1) == tuple(line[key] for key in ("method", "code", "questions", "refused"))
    assert 0 == log.left()


def test_the_metrics_of_a_batch() -> None:
    """A batch is one request, and each of its questions is counted with the status that it got, and its ruling."""
    with running(replace(FEW, metrics="127.0.0.1:0"), out=Lines()) as server, channel(server.address) as opened:
        batch(opened, question("a", LEGAL), question("b", MALFORMED), question("c", ILLEGAL))
        seen = counts(server.metrics_address)

    assert 1 == seen["referee_requests_total", "OK", "JudgeBatch"]
    assert 2 == seen["referee_questions_total", "OK", "JudgeBatch"]
    assert 1 == seen["referee_questions_total", "INVALID_ARGUMENT", "JudgeBatch"]
    assert 1 == seen["referee_rulings_total", "FIRST_RIGHT", "LEGAL"]
    assert 1 == seen["referee_rulings_total", "FIRST_RIGHT", "ILLEGAL"]
    assert 1 == seen["referee_malformed_total", "MISSING"]


def last_questions(cases: list[Case]) -> list[service_pb2.JudgeRequest]:
    """Return the last question of each case, put to the table that the acts before it lead to."""
    judge, asked = referee()["Judge"], []
    for case in cases:
        question = service_pb2.JudgeRequest(table=laid(case))
        for act in case.parsed[:-1]:
            question.act.CopyFrom(write_act(act))
            answer = service_pb2.JudgeResponse.FromString(judge(question.SerializeToString(), "").body)
            question.table.CopyFrom(answer.standing.table)
        question.act.CopyFrom(write_act(case.parsed[-1]))
        asked.append(question)
    return asked


def test_the_corpus(server: Running) -> None:
    """The last question of every case gets in one batch the answer, byte for byte, that Judge gives it alone."""
    asked = last_questions([case for case in load() if case.acts and "error" not in case.want])
    with channel(server.address) as opened:
        told = batch(opened, *(question(str(number), each) for number, each in enumerate(asked)))
        alone = [ask(opened, path("Judge"), each.SerializeToString()) for each in asked]

    assert len(asked) > 200
    assert alone == [answer.judged.SerializeToString(deterministic=True) for answer in told]
