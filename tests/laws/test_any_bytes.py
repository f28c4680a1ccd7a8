"""Whatever bytes arrive, the referee answers or refuses; what it refuses it can point at, and it names no tile."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.codec import write_act, write_table
from referee.next import what_next
from referee.service import Refused, Reply, referee
from tests.laws.acting import acts_on_the_wire, acts_within, any_act, seeds
from tests.laws.scribbling import Scribbler
from tests.laws.tables import tables

METHODS = referee()
REQUESTS: dict[str, type[Message]] = {
    "Judge": service_pb2.JudgeRequest,
    "WhatNext": service_pb2.WhatNextRequest,
    "Replay": service_pb2.ReplayRequest,
    "JudgeTransition": service_pb2.JudgeTransitionRequest,
    "JudgeBatch": service_pb2.JudgeBatchRequest,
    "JudgeStream": service_pb2.JudgeStreamRequest,
    "GetRulebook": service_pb2.GetRulebookRequest,
}
CODES = {"INVALID_ARGUMENT", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"}
CODE_NUMBERS = {code_pb2.Code.Value(code) for code in CODES}
REASONS = {name.removeprefix("REASON_") for name in map(ruling_pb2.Reason.Name, ruling_pb2.Reason.values())} - {
    "UNSPECIFIED"
}
FACE = re.compile(
    r"\b[1-9] ?(?:[bcd]|bams?|craks?|dots?)\b|\b(?:bam|crak|dot)s?\b|_(?:BAM|CRAK|DOT)_|(?-i:TILE_[A-Z])"
    r"|\b(?:east|south|west|north) wind|\b(?:red|green) dragon|\bsoap\b|\bflower\b|\bjoker\b",
    re.IGNORECASE,
)
LAWS = settings(derandomize=True, deadline=None, max_examples=300)
methods = st.sampled_from(sorted(METHODS))


def ask(method: str, body: bytes) -> Reply | None:
    """Ask, and look at the answer, or at the refusal and return None."""
    request = REQUESTS[method]
    try:
        reply = METHODS[method](body, "")
    except Refused as refused:
        violations = violated(refused)

        assert refused.code in CODES
        assert refused.message
        assert not FACE.search(refused.message)
        assert (refused.code == "INVALID_ARGUMENT") is (0 < len(violations) <= 16)
        for violation in violations:
            assert not violation.field or points_at_something(request.DESCRIPTOR, violation.field)
            assert violation.reason in REASONS
            assert violation.description
            assert not FACE.search(violation.description)
        return None
    return reply


def violated(refused: Refused) -> list[error_details_pb2.BadRequest.FieldViolation]:
    """Return the field violations of a refusal."""
    if refused.code != "INVALID_ARGUMENT":
        return []
    details = error_details_pb2.BadRequest()
    status_pb2.Status.FromString(refused.details).details[0].Unpack(details)
    return list(details.field_violations)


def points_at_something(message: Any, path: str) -> bool:
    """Tell whether a path leads to a field of a message, by proto names; an index stands on repeated fields only."""
    head, _, rest = path.partition(".")
    name, bracket, index = head.partition("[")
    if name in message.oneofs_by_name:
        return not rest and not bracket
    field = message.fields_by_name.get(name)
    if field is None or (bracket and not (field.is_repeated and re.fullmatch(r"\d+\]", index))):
        return False
    return not rest or (field.message_type is not None and points_at_something(field.message_type, rest))


def look_at(method: str, reply: Reply) -> None:
    """Check that an answer is whole."""
    if method == "GetRulebook":
        return
    answer = getattr(service_pb2, f"{method}Response").FromString(reply.body)
    match method:
        case "JudgeTransition":
            assert ruling_pb2.VERDICT_UNSPECIFIED != answer.verdict
            assert answer.message
        case "JudgeBatch" | "JudgeStream":
            for each in answer.answers if method == "JudgeBatch" else [answer.answer]:
                assert each.HasField("judged") or each.error.code in CODE_NUMBERS
        case _:
            look_at_rulings(answer)


def look_at_rulings(answer: Any) -> None:
    """Check that the rulings of an answer are whole, and that the table in it can be asked about again."""
    rulings = answer.rulings if isinstance(answer, service_pb2.ReplayResponse) else [answer.ruling]
    for ruling in rulings:
        assert ruling_pb2.VERDICT_UNSPECIFIED != ruling.verdict
        assert ruling.message
        assert all(finding.message for finding in ruling.broken)
    if answer.HasField("standing"):
        again = service_pb2.WhatNextRequest(table=answer.standing.table)
        assert ask("WhatNext", again.SerializeToString())


@LAWS
@given(methods, seeds)
def test_any_message(method: str, seed: int) -> None:
    """Any message of the request's type, with whatever numbers in it, is answered or refused."""
    for number in range(5):
        message = REQUESTS[method]()
        Scribbler(seed + number).fill(message)
        if reply := ask(method, message.SerializeToString()):
            look_at(method, reply)


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, Message]:
    """Draw a method and a good request for it: a table, and acts that are open at it, near to that or far from it."""
    method = draw(st.sampled_from(["Judge", "Judge", "WhatNext", "Replay"]))
    table = draw(tables())
    request: Any = REQUESTS[method]()
    request.table.CopyFrom(write_table(table))
    entries = [(entry.seat, each) for entry in what_next(table).seats for each in entry.acts]
    for _ in range({"Judge": 1, "WhatNext": 0, "Replay": 2}[method]):
        within = [acts_within(table, *draw(st.sampled_from(entries)))] if entries else []
        act = draw(st.one_of(*within, any_act(table), acts_on_the_wire()))
        if act and method == "Replay":
            request.acts.append(write_act(act))
        elif act:
            request.act.CopyFrom(write_act(act))
    return method, request


@LAWS
@given(questions(), seeds)
def test_a_question_scribbled_on(asked: tuple[str, Message], seed: int) -> None:
    """A good question, as it is and with a few things changed, is answered or refused."""
    method, request = asked
    scribbler = Scribbler(seed)
    for times in (0, 1, 1, 1, 1, 2, 4):
        scribbled = deepcopy(request)
        for _ in range(times):
            scribbler.scribble(scribbled)
        if reply := ask(method, scribbled.SerializeToString()):
            look_at(method, reply)


@LAWS
@given(questions(), seeds)
def test_a_question_smudged(asked: tuple[str, Message], seed: int) -> None:
    """The bytes of a good question, some of them changed or lost, are answered or refused."""
    method, request = asked
    scribbler = Scribbler(seed)
    for _ in range(4):
        if reply := ask(method, scribbler.smudge(request.SerializeToString())):
            look_at(method, reply)


@LAWS
@given(methods, st.one_of(st.binary(max_size=64), st.binary(min_size=100, max_size=400)))
def test_any_bytes(method: str, body: bytes) -> None:
    """Any bytes are answered or refused."""
    if reply := ask(method, body):
        look_at(method, reply)
