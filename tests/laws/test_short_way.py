"""The short way in and the long one: what is read without protobuf is exactly what is read through it, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from charleston.referee.v1 import service_pb2
from referee.codec import Malformed, Misasked, NotServed, TooMany
from referee.codec.requests import long_batch, long_judge, long_question, long_replay, long_stream, long_what_next
from referee.codec.usual_requests import (
    DECLINED,
    short_batch,
    short_judge,
    short_question,
    short_replay,
    short_stream,
    short_what_next,
)
from referee.codec.wire import sized
from tests.laws.acting import seeds
from tests.laws.answers import questions
from tests.laws.scribbling import Scribbler
from tests.laws.test_any_bytes import questions as any_questions

LAWS = settings(derandomize=True, deadline=None, max_examples=300)
MOST = 1000
USUAL = [bytes((number,)) for number in (*range(48), 0x4A, 0x52, 0x5A, 0x62, 127, 128, 255)]


class Ways(NamedTuple):
    """How a request of one type is read, both ways."""

    short: Callable[[bytes], object]
    long: Callable[[bytes], object]


def in_batch(read: Callable[[bytes, int], tuple[list[bytes], object]]) -> Callable[[bytes], object]:
    """Return how to read a batch: what is compared are its questions, each read the long way."""

    def reading(body: bytes) -> object:
        pieces, options = read(body, MOST)
        return [question(piece, "JudgeBatchRequest") for piece in pieces], options

    return reading


def in_stream(read: Callable[[bytes], tuple[bytes, object]]) -> Callable[[bytes], object]:
    """Return how to read a message of a stream, its question the long way."""

    def reading(body: bytes) -> object:
        piece, options = read(body)
        return question(piece, "JudgeStreamRequest"), options

    return reading


def question(piece: bytes, within: str) -> object:
    """Read a question the long way, or return what is wrong with it alone."""
    try:
        return long_question(piece, within)
    except Misasked as wrong:
        return str(wrong)


WAYS = {
    "Judge": Ways(short_judge, long_judge),
    "WhatNext": Ways(short_what_next, long_what_next),
    "Replay": Ways(lambda body: short_replay(body, MOST), lambda body: long_replay(body, MOST)),
    "JudgeBatch": Ways(in_batch(short_batch), in_batch(long_batch)),
    "JudgeStream": Ways(in_stream(short_stream), in_stream(long_stream)),
    "Question": Ways(short_question, lambda body: long_question(body, "Question")),
}


def outcome(read: Callable[[bytes], object], body: bytes) -> object:
    """Return what is read, or the error with what it says."""
    try:
        return read(body)
    except (Malformed, Misasked, NotServed, TooMany) as wrong:
        return type(wrong), str(wrong)


def agree(method: str, body: bytes) -> bool:
    """Check the law for a request, and tell whether the short way read it."""
    ways = WAYS[method]
    try:
        short = outcome(ways.short, body)
    except DECLINED:
        return False
    assert outcome(ways.long, body) == short
    return True


def forms(method: str, body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a request, and for one of Judge the same as a question of a batch, in a batch and on a stream."""
    yield method, body
    if method == "Judge":
        judge = service_pb2.JudgeRequest.FromString(body)
        table, act = (getattr(judge, name) if judge.HasField(name) else None for name in ("table", "act"))
        question = service_pb2.Question(question_id="q1", table=table, act=act)
        yield "Question", question.SerializeToString()
        yield "JudgeStream", service_pb2.JudgeStreamRequest(question=question).SerializeToString()
        several = [question, service_pb2.Question(question_id="ö", act=act), question]
        batch = service_pb2.JudgeBatchRequest(questions=several, options=judge.options)
        yield "JudgeBatch", batch.SerializeToString()


@cache
def known() -> list[tuple[str, bytes]]:
    """Return the questions of the corpus and of real games."""
    return list(questions())


def test_the_corpus_and_real_games() -> None:
    """The two ways agree on every question of the corpus and of real games, and nearly all are read the short way."""
    asked = [form for method, body in known() for form in forms(method, body)]
    short = [agree(method, body) for method, body in asked]

    assert len(asked) > 5000
    assert sum(short) > 0.93 * len(asked)


def nudged(random: Random, body: bytes) -> bytes:
    """Return bytes with one of them changed to another that often stands there."""
    where = random.randrange(len(body) or 1)
    return body[:where] + random.choice(USUAL) + body[where + 1 :]


@pytest.mark.parametrize("method", ["Judge", "WhatNext", "Replay"])
def test_smudged_questions(method: str) -> None:
    """The two ways agree on the questions of the corpus and of real games with bytes changed, lost or added."""
    scribbler = Scribbler(20261130)
    asked = [body for asked, body in known() if asked == method]
    read = 0
    for body in asked:
        for form, smudged in forms(method, body):
            for _ in range(4):
                read += agree(form, scribbler.smudge(smudged))
                read += agree(form, nudged(scribbler, smudged))

    assert read > len(asked) / 20


@LAWS
@given(any_questions(), seeds)
def test_a_question_scribbled_on(asked: tuple[str, Message], seed: int) -> None:
    """The two ways agree on any question, as it is, with a few things changed, and with its bytes smudged."""
    method, request = asked
    scribbler = Scribbler(seed)
    agree(method, request.SerializeToString())
    for _ in range(4):
        scribbler.scribble(request)
        body = request.SerializeToString()
        agree(method, body)
        agree(method, scribbler.smudge(body))


@LAWS
@given(st.sampled_from(sorted(WAYS)), st.binary(max_size=64))
def test_any_bytes(method: str, body: bytes) -> None:
    """The two ways agree on any bytes."""
    agree(method, body)


def test_a_question_that_is_too_deep() -> None:
    """A question with groups in one another is unreadable at the depth at which its whole request is."""
    for deep in range(95, 105):
        groups = b"\x9b\x06" * deep + b"\x9c\x06" * deep
        for method in ("JudgeBatch", "JudgeStream"):
            assert agree(method, sized(b"\x0a", groups))
