"""Many questions of Judge: in one request or one by one on a stream, each with an answer or an error of its own; and
many acts of one game."""

from __future__ import annotations

from referee.codec import Malformed, Misasked, batch_asked, fit, question_asked, replay_asked, sized, stream_asked
from referee.next import what_next
from referee.ruling import ILLEGAL
from referee.service.answering import Answering, Terms, noted_all
from referee.service.reply import Note, Refused, Reply, body_of, refusal
from referee.service.turns import ACTS, QUESTIONS, in_turns


def judge_batch(terms: Terms, body: bytes, accepted: str) -> Reply:
    """Answer every question of a batch, in order."""
    batch = batch_asked(body, terms.limits.questions)
    answering = terms.answering(batch.options, accepted)
    answers = []
    notes = []
    for question in in_turns(batch.questions, QUESTIONS):
        answer, note = _answered(question, "JudgeBatchRequest", answering)
        answers.append(sized(b"\x0a", answer))
        notes.append(note)
    return Reply(b"".join(answers), Note(many=tuple(notes)))


def replay(terms: Terms, body: bytes, accepted: str) -> Reply:
    """Judge acts one after another, each at the table after the one before it."""
    start, acts, skip_illegal, options = replay_asked(body, terms.limits.acts)
    answering = terms.answering(options, accepted)
    table, then = start, what_next(start)
    written = []
    steps = []
    for index, act in enumerate(in_turns(acts, ACTS)):
        fit(table, act, "acts", index)
        ruling, note, then = answering.step(table, act)
        written.append(ruling)
        steps.append(note)
        table = then.table
        if not skip_illegal and note.verdict == ILLEGAL.name:
            break
    written.append(answering.stand(then))
    return Reply(b"".join(written), noted_all(start.stage, steps)._replace(steps=tuple(steps)))


def judge_stream(terms: Terms, body: bytes, accepted: str) -> Reply:
    """Answer one message of a stream; whatever is wrong with it is an answer too."""
    try:
        if len(body) > terms.limits.bytes:
            sentence = f"The message has {len(body)} bytes, and this referee takes {terms.limits.bytes}."
            raise Refused("RESOURCE_EXHAUSTED", sentence, reason="bytes")
        question, options = stream_asked(body)
        answer, note = _answered(question, "JudgeStreamRequest", terms.answering(options, accepted))
    except Malformed as wrong:
        answer, note = _error(b"", refusal(wrong))
    except Refused as no:
        answer, note = _error(b"", no)
    return Reply(sized(b"\x0a", answer), note)


def _answered(question: bytes, within: str, answering: Answering) -> tuple[bytes, Note]:
    """Return the bytes of an Answer, and what may be noted of it; raise Malformed for the whole of what it came in."""
    try:
        id, table, act = question_asked(question, within)
    except Misasked as asked:
        return _error(asked.id, refusal(asked.wrong))
    judged, note = answering.answer(table, act)
    return (sized(b"\x0a", id) if id else b"") + sized(b"\x12", judged), note


def _error(id: bytes, no: Refused) -> tuple[bytes, Note]:
    return (sized(b"\x0a", id) if id else b"") + sized(b"\x1a", body_of(no.status)), no.note
