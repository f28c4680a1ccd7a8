"""RefereeService: each method a pure function from request bytes to answer bytes.

A method reads, asks the core and writes; it knows no server, no clock and no log. "No" is an answer; what is Refused
describes no table or act, or asks for more than this referee gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.acts import Act
from referee.codec import (
    SERVED,
    Malformed,
    NotServed,
    Violation,
    fit,
    read_question,
    read_replay,
    read_rulebook,
    write_ruling,
    write_standing,
    write_views,
)
from referee.house import HOUSE, PRESETS
from referee.ids import ruling_id
from referee.judge import judge
from referee.next import Next, what_next
from referee.phrases import choose, phrases
from referee.rulebook import RULEBOOK
from referee.ruling import Verdict
from referee.table import Table

SERVICE = "charleston.referee.v1.RefereeService"

M = TypeVar("M", bound=Message)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may ask for at most."""

    acts: int = 1000


@dataclass(frozen=True, slots=True)
class Note:
    """What a log line and a metric may know of an answer: never a tile."""

    stage: str = ""
    verdict: str = ""
    rules: tuple[str, ...] = ()
    acts: int = 0
    ruling: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer's bytes, and what may be noted of it."""

    body: bytes
    note: Note = Note()


class Refused(Exception):
    """No answer: a status code by name, its text, and its google.rpc.Status as bytes where it has details."""

    def __init__(self, code: str, message: str, details: Iterable[Message] = (), reason: str = "") -> None:
        """Make the status; the text and the details name no tile."""
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.note = Note(reason=reason)
        status = status_pb2.Status(code=code_pb2.Code.Value(code), message=message)
        for detail in details:
            packed = AnyMessage()
            packed.Pack(detail)
            status.details.append(packed)
        self.details: bytes = status.SerializeToString(deterministic=True) if status.details else b""


Method = Callable[[bytes, str], Reply]
_Answer = service_pb2.JudgeResponse | service_pb2.WhatNextResponse | service_pb2.ReplayResponse


def referee(limits: Limits = Limits(), key: bytes = b"") -> Mapping[str, Method]:
    """Return the methods by name, each a function of the request's bytes and the languages the caller accepts.

    Rulings have ids when there is a key.
    """
    return {
        "Judge": _reading(service_pb2.JudgeRequest, partial(_judge, key)),
        "WhatNext": _reading(service_pb2.WhatNextRequest, partial(_what_next, key)),
        "Replay": _reading(service_pb2.ReplayRequest, partial(_replay, key, limits)),
        "GetRulebook": _reading(service_pb2.GetRulebookRequest, _get_rulebook),
    }


def _reading(message: type[M], ask: Callable[[M, str], Reply]) -> Method:
    """Make a method that reads its message and turns what cannot be read into a Refused."""

    def method(body: bytes, accept_language: str) -> Reply:
        try:
            return ask(message.FromString(body), accept_language)
        except DecodeError:
            name = message.DESCRIPTOR.name
            raise _malformed([Violation("", "UNREADABLE", f"These bytes are no {name}.")]) from None
        except Malformed as malformed:
            raise _malformed(malformed.violations) from None
        except NotServed as asked:
            raise _not_served(asked.rulebook) from None

    return method


def _judge(key: bytes, request: service_pb2.JudgeRequest, accepted: str) -> Reply:
    table, act = read_question(request)
    return _answer(service_pb2.JudgeResponse(), table, act, _Answering(key, request.options, accepted))


def _what_next(key: bytes, request: service_pb2.WhatNextRequest, accepted: str) -> Reply:
    table, _ = read_question(request)
    return _answer(service_pb2.WhatNextResponse(), table, None, _Answering(key, request.options, accepted))


class _Answering:
    """How one request is to be answered: in which language, with ids or without, with how much of a ruling."""

    def __init__(self, key: bytes, options: service_pb2.AnswerOptions, accepted: str) -> None:
        self._key = key
        self._trace = options.trace
        self._standing = not options.ruling_only
        self._views = options.views and not options.ruling_only
        self._phrases = phrases(choose(options.language, accepted))

    def ruled(self, table: Table, act: Act | None) -> tuple[ruling_pb2.Ruling, Table, Next]:
        """Judge one question; return the ruling as it is sent, the table after and what comes next there."""
        judgement = judge(table, act, trace=self._trace)
        then = what_next(judgement.table)
        ruling = write_ruling(self._phrases, table, act, judgement, then)
        if self._key:
            ruling.id = ruling_id(self._key, table, act)
        return ruling, judgement.table, then

    def stand(self, response: _Answer, table: Table, then: Next) -> None:
        """Add to an answer how the table stands, and for whom it is asked."""
        response.language = self._phrases.language
        if self._standing:
            response.standing.CopyFrom(write_standing(table, then, ruling_pb2.VIEWER_REFEREE))
        if self._views:
            response.views.extend(write_views(table))


def _answer(
    response: service_pb2.JudgeResponse | service_pb2.WhatNextResponse,
    table: Table,
    act: Act | None,
    answering: _Answering,
) -> Reply:
    ruling, after, then = answering.ruled(table, act)
    response.ruling.CopyFrom(ruling)
    answering.stand(response, after, then)
    return Reply(_bytes(response), _note(table, [ruling]))


def _replay(key: bytes, limits: Limits, request: service_pb2.ReplayRequest, accepted: str) -> Reply:
    if len(request.acts) > limits.acts:
        raise Refused("RESOURCE_EXHAUSTED", f"A replay has at most {limits.acts} acts.")
    start, acts = read_replay(request)
    answering = _Answering(key, request.options, accepted)
    response = service_pb2.ReplayResponse()
    table, then = start, what_next(start)
    for index, act in enumerate(acts):
        fit(table, act, f"acts[{index}]")
        ruling, table, then = answering.ruled(table, act)
        response.rulings.append(ruling)
        if ruling.verdict == ruling_pb2.VERDICT_ILLEGAL and not request.skip_illegal:
            break
    answering.stand(response, table, then)
    return Reply(_bytes(response), _note(start, response.rulings))


def _get_rulebook(request: service_pb2.GetRulebookRequest, accepted: str) -> Reply:
    words = phrases(choose(request.language, accepted))
    articles = [
        service_pb2.Article(
            id=rule.id,
            title=words.title(rule),
            text=words.article(rule),
            verdict=ruling_pb2.Verdict.ValueType(rule.verdict),
            reading=words.reading(rule),
        )
        for rule in RULEBOOK.articles
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
    return Reply(_bytes(response))


def _note(table: Table, rulings: Sequence[ruling_pb2.Ruling]) -> Note:
    broken = {finding.rule for ruling in rulings for finding in ruling.broken}
    last = rulings[-1] if rulings else ruling_pb2.Ruling()
    return Note(
        stage=table.stage.name,
        verdict=Verdict(last.verdict).name if rulings else "",
        rules=tuple(rule.id for rule in RULEBOOK.articles if rule.id in broken),
        acts=len(rulings),
        ruling=last.id,
    )


def _malformed(violations: Iterable[Violation]) -> Refused:
    violations = list(violations)
    first = violations[0]
    details = error_details_pb2.BadRequest(
        field_violations=[
            error_details_pb2.BadRequest.FieldViolation(field=v.path, reason=v.reason, description=v.sentence)
            for v in violations
        ]
    )
    text = f"{first.path}: {first.sentence}" if first.path else first.sentence
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    return Refused("INVALID_ARGUMENT", f"{text}{more}", [details], first.reason)


def _not_served(rulebook: int) -> Refused:
    served = ", ".join(map(str, SERVED))
    sentence = f"Rulebook version {rulebook} is not served here; served: {served}."
    violation = error_details_pb2.PreconditionFailure.Violation(
        type="RULEBOOK", subject=str(rulebook), description=sentence
    )
    return Refused("FAILED_PRECONDITION", sentence, [error_details_pb2.PreconditionFailure(violations=[violation])])


def _bytes(message: Message) -> bytes:
    body: bytes = message.SerializeToString(deterministic=True)
    return body
