"""RefereeService: each method a pure function from request bytes to answer bytes.

A method reads, asks the core and writes; it knows no server, no clock and no log. "No" is an answer; what is Refused
describes no table or act, or asks for more than this referee gives. A stream is a function too, from one message's
bytes to one answer's, and refuses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.codec import (
    SERVED,
    judge_asked,
    parsed,
    read_rulebook,
    what_next_asked,
)
from referee.house import HOUSE, PRESETS
from referee.phrases import choose, phrases
from referee.rulebook import RULEBOOK, Rulebook
from referee.service.answering import Limits, Terms
from referee.service.many import judge_batch, judge_stream, replay
from referee.service.reply import REASONS, Method, Note, Refused, Reply, body_of, method
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
        "Judge": method(partial(_judge, terms)),
        "WhatNext": method(partial(_what_next, terms)),
        "Replay": method(partial(replay, terms)),
        "JudgeTransition": method(partial(judge_transition, terms)),
        "JudgeBatch": method(partial(judge_batch, terms)),
        "JudgeStream": partial(judge_stream, terms),
        "GetRulebook": method(partial(_get_rulebook, terms)),
    }


def _judge(terms: Terms, body: bytes, accepted: str) -> Reply:
    table, act, options = judge_asked(body)
    return Reply(*terms.answering(options, accepted).answer(table, act))


def _what_next(terms: Terms, body: bytes, accepted: str) -> Reply:
    table, act, options = what_next_asked(body)
    return Reply(*terms.answering(options, accepted).answer(table, act))


def _get_rulebook(terms: Terms, body: bytes, accepted: str) -> Reply:
    request = parsed(service_pb2.GetRulebookRequest, body)
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
