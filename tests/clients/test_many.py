"""Transitions, batches and streams through every face of the client: the same answers, and the same error."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from charleston import Referee, RefereeError
from charleston.referee.v1 import ruling_pb2, service_pb2
from tests.clients.faces import Face
from tests.wire.asking import LEGAL, MALFORMED
from tests.wire.many import question

ASKED = [question("a", LEGAL), question("b", MALFORMED), question("c", LEGAL)]
TOLD = [("a", "judged"), ("b", "error"), ("c", "judged")]


def told(answers: Iterator[service_pb2.Answer]) -> list[tuple[str, str | None]]:
    """Return the id of each answer, and what it is."""
    return [(answer.question_id, answer.WhichOneof("outcome")) for answer in answers]


def test_a_transition(referee: Referee) -> None:
    """A table follows itself; without its acts another stage is judged by what is on it."""
    same = service_pb2.JudgeTransitionRequest(before=LEGAL.table, after=LEGAL.table)
    wrong = service_pb2.JudgeTransitionRequest(before=LEGAL.table)
    verdicts = [referee.judge_transition(each).verdict for each in (same, wrong)]

    assert [ruling_pb2.VERDICT_LEGAL, ruling_pb2.VERDICT_ILLEGAL] == verdicts


def test_a_batch(referee: Referee) -> None:
    """A batch has an answer for each question, in order, and a bad one fails alone."""
    answer = referee.judge_batch(service_pb2.JudgeBatchRequest(questions=ASKED))

    assert TOLD == told(iter(answer.answers))


def test_a_stream(referee: Referee) -> None:
    """A stream has an answer for each question, in order; options hold for all of them."""
    options = service_pb2.AnswerOptions(language="nl", ruling_only=True)
    answers = list(referee.judge_stream(iter(ASKED), options=options))

    assert TOLD == told(iter(answers))
    assert {"nl"} == {answer.judged.language for answer in answers if answer.HasField("judged")}
    assert not any(answer.judged.HasField("standing") for answer in answers)


def test_a_stream_that_nobody_answers(remote: Face) -> None:
    """Where no referee serves, a stream ends in the one error that there is."""
    with remote("127.0.0.1:1") as asked, pytest.raises(RefereeError) as error:
        list(asked.judge_stream(ASKED, timeout=0.5))

    assert error.value.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
