"""Many questions of Judge: in one request, or one by one on a stream. Each has an answer or an error of its own."""

from __future__ import annotations

from charleston.referee.v1 import service_pb2
from referee.codec import Malformed, NotServed, read_question
from referee.service.answering import Answering, Terms
from referee.service.reply import Note, Refused, Reply, body_of, read, refusal


def judge_batch(terms: Terms, request: service_pb2.JudgeBatchRequest, accepted: str) -> Reply:
    """Answer every question of a batch, in order."""
    if len(request.questions) > terms.limits.questions:
        sentence = f"A batch has at most {terms.limits.questions} questions."
        raise Refused("RESOURCE_EXHAUSTED", sentence, reason="questions")
    answering = Answering(terms, request.options, accepted)
    response = service_pb2.JudgeBatchResponse()
    notes = [_answered(response.answers.add(), question, answering) for question in request.questions]
    return Reply(body_of(response), Note(many=tuple(notes)))


def judge_stream(terms: Terms, body: bytes, accepted: str) -> Reply:
    """Answer one message of a stream; whatever is wrong with it is an answer too."""
    response = service_pb2.JudgeStreamResponse()
    try:
        if len(body) > terms.limits.bytes:
            sentence = f"The message has {len(body)} bytes, and this referee takes {terms.limits.bytes}."
            raise Refused("RESOURCE_EXHAUSTED", sentence, reason="bytes")
        request = read(service_pb2.JudgeStreamRequest, body)
    except Malformed as wrong:
        note = _error(response.answer, refusal(wrong))
    except Refused as no:
        note = _error(response.answer, no)
    else:
        note = _answered(response.answer, request.question, Answering(terms, request.options, accepted))
    return Reply(body_of(response), note)


def _answered(answer: service_pb2.Answer, question: service_pb2.Question, answering: Answering) -> Note:
    answer.question_id = question.question_id
    try:
        table, act = read_question(question)
    except (Malformed, NotServed) as wrong:
        return _error(answer, refusal(wrong))
    return answering.answer(answer.judged, table, act)


def _error(answer: service_pb2.Answer, no: Refused) -> Note:
    answer.error.CopyFrom(no.status)
    return no.note
