"""The client: answers as they come, one error for what has none, and never a call without a deadline."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format

from charleston import RefereeClient, RefereeError, Violation
from charleston.referee.v1 import ruling_pb2, table_pb2
from charleston.referee.v1.service_pb2 import (
    GetRulebookRequest,
    JudgeRequest,
    ReplayRequest,
    WhatNextRequest,
)

REQUEST = Path(__file__).parents[2] / "clients" / "examples" / "request.json"
ASK: dict[str, Callable[..., Any]] = {
    "Judge": lambda client, **at: client.judge(JudgeRequest(), **at),
    "WhatNext": lambda client, **at: client.what_next(WhatNextRequest(), **at),
    "Replay": lambda client, **at: client.replay(ReplayRequest(), **at),
    "GetRulebook": lambda client, **at: client.get_rulebook(GetRulebookRequest(), **at),
}


@pytest.fixture
def silent() -> Iterator[str]:
    """Listen, and never answer."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def test_each_method_answers_with_its_message(address: str) -> None:
    """Each method takes its request and gives the answer that the referee sent."""
    request = json_format.Parse(REQUEST.read_text(), JudgeRequest())
    with RefereeClient(address) as client:
        judged = client.judge(request)
        stands = client.what_next(WhatNextRequest(table=request.table))
        replayed = client.replay(ReplayRequest(table=request.table, acts=[request.act]))
        rulebook = client.get_rulebook(GetRulebookRequest())

    assert ruling_pb2.VERDICT_JOKER_RETURN == judged.ruling.verdict
    assert request.table == stands.standing.table
    assert [judged.ruling] == list(replayed.rulings)
    assert judged.standing == replayed.standing
    assert "joker.passed" in {article.id for article in rulebook.articles}


def test_a_refused_question_names_its_fields(address: str) -> None:
    """A question that describes no act is a RefereeError with the code, the message and every field at fault."""
    with RefereeClient(address) as client, pytest.raises(RefereeError) as refused:
        client.judge(JudgeRequest(act=table_pb2.Act(offer=table_pb2.Offer())))

    assert grpc.StatusCode.INVALID_ARGUMENT is refused.value.code
    assert str(refused.value).startswith("INVALID_ARGUMENT: act.seat: ")
    assert [("act.seat", "MISSING"), ("act.offer.tiles", "MISSING")] == [v[:2] for v in refused.value.violations]
    assert all(isinstance(violation, Violation) and violation.description for violation in refused.value.violations)


def test_an_error_without_details_has_no_violations(address: str) -> None:
    """An error whose details name no field has none."""
    with RefereeClient(address) as client, pytest.raises(RefereeError) as refused:
        client.get_rulebook(GetRulebookRequest(rulebook=99))

    assert grpc.StatusCode.FAILED_PRECONDITION is refused.value.code
    assert "99" in refused.value.message
    assert () == refused.value.violations


def test_nobody_there_is_unavailable() -> None:
    """Where nobody listens the error is UNAVAILABLE, at once."""
    with socket.socket() as bound:  # taken, so that nobody else can listen on it
        bound.bind(("127.0.0.1", 0))
        with RefereeClient(f"127.0.0.1:{bound.getsockname()[1]}") as client, pytest.raises(RefereeError) as refused:
            client.judge(JudgeRequest())

    assert grpc.StatusCode.UNAVAILABLE is refused.value.code


@pytest.mark.parametrize("method", ASK)
@pytest.mark.parametrize("at", [{}, {"timeout": 0.2}], ids=["the client's", "the call's"])
def test_every_call_has_a_deadline(silent: str, method: str, at: dict[str, float]) -> None:
    """A referee that never answers is DEADLINE_EXCEEDED within the time that the client, or else the call, gives."""
    with RefereeClient(silent, timeout=60.0 if at else 0.2) as client, pytest.raises(RefereeError) as late:
        begun = time.monotonic()
        ASK[method](client, **at)
    took = time.monotonic() - begun

    assert grpc.StatusCode.DEADLINE_EXCEEDED is late.value.code
    assert 0.1 < took < 10


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan])
def test_a_deadline_cannot_be_switched_off(seconds: float) -> None:
    """No time, or time without end, is no deadline."""
    with RefereeClient("127.0.0.1:1") as client, pytest.raises(ValueError, match="deadline"):
        client.judge(JudgeRequest(), timeout=seconds)
    with pytest.raises(ValueError, match="deadline"):
        RefereeClient("127.0.0.1:1", timeout=seconds)
