"""JudgeTransition: whether one table can follow another."""

from __future__ import annotations

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.codec import TooMany, fit, options_of, parsed, read_transition, write_difference
from referee.judge import Judgement
from referee.next import what_next
from referee.phrases.transitions import difference_said, transition_said
from referee.ruling import Verdict
from referee.service.answering import Terms, noted_all
from referee.service.reply import Note, Reply, body_of
from referee.transition import follows


def judge_transition(terms: Terms, body: bytes, accepted: str) -> Reply:
    """Judge a transition, with the acts in between if they are given."""
    request = parsed(service_pb2.JudgeTransitionRequest, body)
    if len(request.acts.acts) > terms.limits.acts:
        raise TooMany(f"There are at most {terms.limits.acts} acts between two tables.", "acts")
    before, after, acts = read_transition(request)
    answering = terms.answering(options_of(request.options), accepted)
    response = service_pb2.JudgeTransitionResponse(language=answering.phrases.language)
    judgements: list[Judgement] = []
    notes: list[Note] = []
    table = before
    for index, act in enumerate(acts or ()):
        fit(table, act, "acts.acts", index)
        judgements.append(answering.judged(table, act))
        ruling, note = answering.written(table, act, judgements[-1], what_next(judgements[-1].table))
        notes.append(note)
        response.rulings.append(ruling_pb2.Ruling.FromString(ruling))
        table = judgements[-1].table
        if judgements[-1].ruling.verdict is Verdict.ILLEGAL:
            break
    judged = follows(before, after, None if acts is None else judgements)
    response.verdict = ruling_pb2.Verdict.ValueType(judged.verdict)
    for difference in judged.differences:
        said = difference_said(answering.phrases, before, difference)
        response.differences.append(write_difference(difference, said))
    refused = bool(judgements) and judgements[-1].ruling.verdict is Verdict.ILLEGAL
    refusal = response.rulings[-1].message if refused else ""
    response.message = transition_said(answering.phrases, before, after, judged, refusal)
    note = noted_all(before.stage, notes)
    rules = {difference.rule for difference in judged.differences if difference.rule}
    return Reply(
        body_of(response), note._replace(verdict=judged.verdict.name, rules=tuple(sorted(rules | set(note.rules))))
    )
