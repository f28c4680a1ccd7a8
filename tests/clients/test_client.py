"""The client: the same answers and the same error through every face, and never a call without a deadline."""

from __future__ import annotations

import asyncio
import math
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format

from charleston import AsyncRefereeClient, Referee, RefereeClient, RefereeError, Violation
from charleston.calling import SHARES, Calling
from charleston.referee.v1 import ruling_pb2, table_pb2
from charleston.referee.v1.service_pb2 import (
    AnswerOptions,
    GetRulebookRequest,
    JudgeRequest,
    ReplayRequest,
    WhatNextRequest,
)
from tests.clients.faces import METHODS, Face

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


@pytest.fixture
def nobody() -> Iterator[str]:
    """Take a port, so that nobody else can listen on it."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{bound.getsockname()[1]}"


def test_each_method_answers_with_its_message(referee: Referee) -> None:
    """Each method takes its request and gives the answer that the referee sent."""
    request = json_format.Parse(REQUEST.read_text(), JudgeRequest())
    judged = referee.judge(request)
    stands = referee.what_next(WhatNextRequest(table=request.table))
    replayed = referee.replay(ReplayRequest(table=request.table, acts=[request.act]))
    rulebook = referee.get_rulebook(GetRulebookRequest())

    assert ruling_pb2.VERDICT_JOKER_RETURN == judged.ruling.verdict
    assert request.table == stands.standing.table
    assert [judged.ruling] == list(replayed.rulings)
    assert judged.standing == replayed.standing
    assert "joker.passed" in {article.id for article in rulebook.articles}


def test_a_refused_question_names_its_fields(referee: Referee) -> None:
    """A question that describes no act is a RefereeError with the code, the message and every field at fault."""
    with pytest.raises(RefereeError) as refused:
        referee.judge(JudgeRequest(act=table_pb2.Act(offer=table_pb2.Offer())))

    assert grpc.StatusCode.INVALID_ARGUMENT is refused.value.code
    assert str(refused.value).startswith("INVALID_ARGUMENT: act.seat: ")
    assert [("act.seat", "MISSING"), ("act.offer.tiles", "MISSING")] == [v[:2] for v in refused.value.violations]
    assert all(isinstance(violation, Violation) and violation.description for violation in refused.value.violations)


def test_an_error_without_details_has_no_violations(referee: Referee) -> None:
    """An error whose details name no field has none."""
    with pytest.raises(RefereeError) as refused:
        referee.get_rulebook(GetRulebookRequest(rulebook=99))

    assert grpc.StatusCode.FAILED_PRECONDITION is refused.value.code
    assert "99" in refused.value.message
    assert () == refused.value.violations


def test_sentences_are_in_the_language_of_the_client_unless_the_question_names_one(face: Face, address: str) -> None:
    """The client's language is for questions that name none, and without any of them answers are in English."""
    dutch = AnswerOptions(language="nl")
    with face(address, language="xx, fr;q=0.5") as french, face(address) as plain:
        told = [
            french.what_next(WhatNextRequest()).language,
            french.what_next(WhatNextRequest(options=dutch)).language,
            french.get_rulebook(GetRulebookRequest()).language,
            plain.what_next(WhatNextRequest()).language,
        ]

    assert ["fr", "nl", "fr", "en"] == told


def test_nobody_there_is_unavailable(remote: Face, nobody: str) -> None:
    """Where nobody listens the error is UNAVAILABLE, and does not take the whole deadline."""
    with remote(nobody, timeout=60.0) as client, pytest.raises(RefereeError) as refused:
        begun = time.monotonic()
        client.judge(JudgeRequest())
    took = time.monotonic() - begun

    assert grpc.StatusCode.UNAVAILABLE is refused.value.code
    assert took < 20


@pytest.mark.parametrize("method", ASK)
@pytest.mark.parametrize("at", [{}, {"timeout": 0.2}], ids=["the client's", "the call's"])
def test_every_call_has_a_deadline(remote: Face, silent: str, method: str, at: dict[str, float]) -> None:
    """A referee that never answers is DEADLINE_EXCEEDED within the time that the client, or else the call, gives."""
    with remote(silent, timeout=60.0 if at else 0.2) as client, pytest.raises(RefereeError) as late:
        begun = time.monotonic()
        ASK[method](client, **at)
    took = time.monotonic() - begun

    assert grpc.StatusCode.DEADLINE_EXCEEDED is late.value.code
    assert 0.1 < took < 10


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan])
def test_a_deadline_cannot_be_switched_off(remote: Face, seconds: float) -> None:
    """No time, or time without end, is no deadline."""
    with remote("127.0.0.1:1") as client, pytest.raises(ValueError, match="deadline"):
        client.judge(JudgeRequest(), timeout=seconds)
    with pytest.raises(ValueError, match="deadline"), remote("127.0.0.1:1", timeout=seconds):
        pass


def test_a_deadline_is_split_into_attempts() -> None:
    """Each attempt takes longer than the one before, and together they take the deadline."""
    attempts = list(Calling("127.0.0.1:1", 10.0, None, "", None, "", None).attempts(None))
    left, each = 10.0, []
    for share in SHARES:
        each.append(left * share)
        left -= each[-1]

    assert [1.0, 1.5, 2.5, 5.0] == pytest.approx(each)
    assert 1.0 == pytest.approx(attempts[0], abs=0.2)
    assert len(SHARES) == len(attempts)


def test_a_client_for_coroutines_is_made_where_they_run() -> None:
    """Outside of an event loop a client for coroutines is refused, at once."""
    with pytest.raises(RuntimeError, match="no running event loop"):
        AsyncRefereeClient("127.0.0.1:1")


def test_coroutines_ask_at_the_same_time(address: str) -> None:
    """Many questions can be on their way at once, and each gets its own answer."""

    async def ask() -> list[str]:
        async with AsyncRefereeClient(address) as client:
            tags = ["en", "fr", "nl"] * 10
            questions = [WhatNextRequest(options=AnswerOptions(language=tag)) for tag in tags]
            return [answer.language for answer in await asyncio.gather(*map(client.what_next, questions))]

    assert ["en", "fr", "nl"] * 10 == asyncio.run(ask())


def test_both_faces_have_the_same_methods() -> None:
    """Whatever can be asked from threads can be asked from coroutines."""
    threads, coroutines = (
        {name for name in dir(client) if not name.startswith("_")} for client in (RefereeClient, AsyncRefereeClient)
    )

    assert threads == coroutines
    assert set(METHODS.values()) | {"judge_stream", "close"} == threads
