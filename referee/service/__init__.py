"""RefereeService: each method a pure function from request bytes to answer bytes.

A method reads, asks the core and writes; it knows no server, no clock and no log. "No" is an answer; what is Refused
describes no table or act, or asks for more than this referee gives. A stream is a function too, from one message's
bytes to one answer's, and refuses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.codec import SERVED, fit, read_question, read_replay, read_rulebook
from referee.house import HOUSE, PRESETS
from referee.next import what_next
from referee.phrases import choose, phrases
from referee.rulebook import RULEBOOK, Rulebook
from referee.service.answering import Answering, Limits, Terms, noted
from referee.service.many import judge_batch, judge_stream
from referee.service.reply import REASONS, Method, Note, Refused, Reply, body_of, reading
from referee.service.transitions import judge_transition

__all__ = ["REASONS", "SERVICE", "STREAMS", "Limits", "Method", "Note", "Refused", "Reply", "referee"]

SERVICE = "charleston.referee.v1.RefereeService"
STREAMS = frozenset({"JudgeStream"})
"""The methods that answer message by message."""
_LIMITS = Limits()


def referee(limits: Limits = _LIMITS, key: bytes = b"", rulebook: Rulebook = RULEBOOK) -> Mapping[str, Method]:
    """Return the methods by name, each a function of a message's bytes and the languages the caller accepts.

    Rulings have ids when there is a key. Another rulebook is for those who test a test of referees.
    """
    terms = Terms(limits, key, rulebook)
    return {
        "Judge": reading(service_pb2.JudgeRequest, partial(_judge, terms)),
        "WhatNext": reading(service_pb2.WhatNextRequest, partial(_what_next, terms)),
        "Replay": reading(service_pb2.ReplayRequest, partial(_replay, terms)),
        "JudgeTransition": reading(service_pb2.JudgeTransitionRequest, partial(judge_transition, terms)),
        "JudgeBatch": reading(service_pb2.JudgeBatchRequest, partial(judge_batch, terms)),
        "JudgeStream": partial(judge_stream, terms),
        "GetRulebook": reading(service_pb2.GetRulebookRequest, partial(_get_rulebook, terms)),
    }


def _judge(terms: Terms, request: service_pb2.JudgeRequest, accepted: str) -> Reply:
    table, act = read_question(request)
    response = service_pb2.JudgeResponse()
    note = Answering(terms, request.options, accepted).answer(response, table, act)
    return Reply(body_of(response), note)


def _what_next(terms: Terms, request: service_pb2.WhatNextRequest, accepted: str) -> Reply:
    table, _ = read_question(request)
    response = service_pb2.WhatNextResponse()
    note = Answering(terms, request.options, accepted).answer(response, table, None)
    return Reply(body_of(response), note)


def _replay(terms: Terms, request: service_pb2.ReplayRequest, accepted: str) -> Reply:
    if len(request.acts) > terms.limits.acts:
        raise Refused("RESOURCE_EXHAUSTED", f"A replay has at most {terms.limits.acts} acts.", reason="acts")
    start, acts = read_replay(request)
    answering = Answering(terms, request.options, accepted)
    response = service_pb2.ReplayResponse()
    table, then = start, what_next(start)
    steps: list[Note] = []
    for index, act in enumerate(acts):
        fit(table, act, f"acts[{index}]")
        judgement = answering.judged(table, act)
        then = what_next(judgement.table)
        ruling = answering.written(table, act, judgement, then)
        response.rulings.append(ruling)
        steps.append(noted(table, [ruling], 1))
        table = judgement.table
        if ruling.verdict == ruling_pb2.VERDICT_ILLEGAL and not request.skip_illegal:
            break
    answering.stand(response, table, then)
    note = noted(start, response.rulings, len(response.rulings))
    return Reply(body_of(response), replace(note, steps=tuple(steps)))


def _get_rulebook(terms: Terms, request: service_pb2.GetRulebookRequest, accepted: str) -> Reply:
    words = phrases(choose(request.language, accepted))
    articles = [
        service_pb2.Article(
            id=rule.id,
            title=words.title(rule),
            text=words.article(rule),
            verdict=ruling_pb2.Verdict.ValueType(rule.verdict),
            reading=words.reading(rule),
        )
        for rule in terms.rulebook.articles
    ]
    rulebook = read_rulebook(request.rulebook)
    rules = [service_pb2.HouseRule(id=rule.id, text=words.house(rule), changes=rule.changes) for rule in HOUSE]
    presets = [service_pb2.HouseRule(id=id, includes=ids) for id, ids in PRESETS.items()]
    response = service_pb2.GetRulebookResponse(
        rulebook=rulebook,
        served=SERVED,
        language=words.language,
        articles=articles,
        house_rules=[*rules, *presets],
    )
    return Reply(body_of(response))
