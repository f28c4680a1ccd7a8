"""Requests: the table, the acts and the options out of a request's bytes, the short way or else the long one.

The short way (`usual`) answers or declines, and looks no further than whether all is well; the long way goes through
protobuf (`reading`) and says everything that is wrong.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeVar

from google.protobuf.message import DecodeError, Message

from charleston.referee.v1 import service_pb2
from referee.acts import Act
from referee.codec.malformed import Malformed, Misasked, NotServed, TooMany, Violation
from referee.codec.reading import read_question, read_replay
from referee.codec.usual import Unusual, read_table
from referee.codec.usual_acts import read_act
from referee.codec.wire import ahead
from referee.table import Table
from referee.unreachable import act_faults, table_faults

M = TypeVar("M", bound=Message)

_DECLINED = (Unusual, IndexError, ValueError)
"""What the short way raises: a byte that is not what it should be, one that is not there, or a number of them."""
_KEPT = 64
"""Options of no more bytes than this are read once and kept."""


class Options(NamedTuple):
    """How an answer is given: `AnswerOptions`."""

    language: str = ""
    trace: bool = False
    views: bool = False
    ruling_only: bool = False


class Asked(NamedTuple):
    """A table and what is done there: one act, or none where the table itself is asked about."""

    table: Table
    act: Act | None
    options: Options


class Replayed(NamedTuple):
    """A table and the acts that are to be replayed from it."""

    table: Table
    acts: tuple[Act, ...]
    skip_illegal: bool
    options: Options


class Batch(NamedTuple):
    """Questions as they were sent, each to be read by itself, and the options that hold for all."""

    questions: list[bytes]
    options: Options


PLAIN = Options()


def parsed(message: type[M], body: bytes, within: str = "") -> M:
    """Read a message; raise Malformed if the bytes are none, in the name of the message that they came in."""
    try:
        return message.FromString(body)
    except DecodeError:
        name = within or message.DESCRIPTOR.name
        raise Malformed([Violation("", "UNREADABLE", f"These bytes are no {name}.")]) from None


def options_of(message: service_pb2.AnswerOptions) -> Options:
    """Return the options of a message."""
    return Options(message.language, message.trace, message.views, message.ruling_only)


def judge_asked(body: bytes) -> Asked:
    """Read a JudgeRequest; raise Malformed or NotServed."""
    try:
        table, act, at = _table_and_act(body, 0, 0x0A)
        return Asked(table, act, _options(body, at, 0x1A))
    except _DECLINED:
        request = parsed(service_pb2.JudgeRequest, body)
        return Asked(*read_question(request), options_of(request.options))


def what_next_asked(body: bytes) -> Asked:
    """Read a WhatNextRequest; raise Malformed or NotServed."""
    try:
        table, at = _table(body, 0, 0x0A)
        return Asked(table, None, _options(body, at, 0x12))
    except _DECLINED:
        request = parsed(service_pb2.WhatNextRequest, body)
        return Asked(*read_question(request), options_of(request.options))


def replay_asked(body: bytes, most: int) -> Replayed:
    """Read a ReplayRequest of at most so many acts; raise TooMany, Malformed or NotServed."""
    try:
        return _replayed(body, most)
    except _DECLINED:
        request = parsed(service_pb2.ReplayRequest, body)
        if len(request.acts) > most:
            raise TooMany(f"A replay has at most {most} acts.") from None
        return Replayed(*read_replay(request), request.skip_illegal, options_of(request.options))


def batch_asked(body: bytes, most: int) -> Batch:
    """Read a JudgeBatchRequest of at most so many questions, but not yet these; raise TooMany or Malformed."""
    try:
        return _batch(body, most)
    except _DECLINED:
        request = parsed(service_pb2.JudgeBatchRequest, body)
        if len(request.questions) > most:
            raise TooMany(f"A batch has at most {most} questions.") from None
        return Batch([each.SerializeToString() for each in request.questions], options_of(request.options))


def stream_asked(body: bytes) -> tuple[bytes, Options]:
    """Read a JudgeStreamRequest: its question as it was sent, and the options; raise Malformed."""
    try:
        return _streamed(body)
    except _DECLINED:
        request = parsed(service_pb2.JudgeStreamRequest, body)
        return request.question.SerializeToString(), options_of(request.options)


def question_asked(body: bytes, within: str) -> tuple[bytes, Table, Act]:
    """Read a Question out of a request: the caller's id of it in UTF-8, the table and the act.

    Raise Misasked for what is wrong with this question, and Malformed where the request is unreadable by it.
    """
    try:
        return _question(body)
    except _DECLINED:
        question = parsed(service_pb2.Question, body, within)
        try:
            table, act = read_question(question)
            assert act is not None, "a question has an act"
            return question.question_id.encode(), table, act
        except (Malformed, NotServed) as wrong:
            raise Misasked(question.question_id.encode(), wrong) from None


def _table(body: bytes, at: int, tag: int) -> tuple[Table, int]:
    """Read the table under a tag, or none, and return where it ends."""
    if at == len(body) or body[at] != tag:
        return Table(), at
    begin, end = ahead(body, at + 1)
    table = read_table(body[begin:end])
    if end > len(body) or any(table_faults(table)):
        raise Unusual
    return table, end


def _table_and_act(body: bytes, at: int, tag: int) -> tuple[Table, Act, int]:
    """Read the table under a tag, or none, and the act under the next one; return where they end."""
    table, at = _table(body, at, tag)
    if body[at] != tag + 8:
        raise Unusual
    begin, end = ahead(body, at + 1)
    act = read_act(body[begin:end])
    if end > len(body) or any(act_faults(table, act)):
        raise Unusual
    return table, act, end


def _options(body: bytes, at: int, tag: int) -> Options:
    """Read the options under a tag, or none, which are the last in a request."""
    if at == len(body):
        return PLAIN
    begin, end = ahead(body, at + 1)
    if body[at] != tag or end != len(body) or end - begin > _KEPT:
        raise Unusual
    return _kept(body[begin:])


@lru_cache(maxsize=256)
def _kept(body: bytes) -> Options:
    try:
        return options_of(service_pb2.AnswerOptions.FromString(body))
    except DecodeError:
        raise Unusual from None


def _question(body: bytes) -> tuple[bytes, Table, Act]:
    at, id = 0, b""
    if body[0] == 0x0A:
        begin, at = ahead(body, 1)
        id = body[begin:at]
        if not id.isascii():
            raise Unusual
    table, act, at = _table_and_act(body, at, 0x12)
    if at != len(body):
        raise Unusual
    return id, table, act


def _replayed(body: bytes, most: int) -> Replayed:
    table, at = _table(body, 0, 0x0A)
    end = len(body)
    acts = []
    while at < end and body[at] == 0x12:
        begin, at = ahead(body, at + 1)
        acts.append(read_act(body[begin:at]))
    skip_illegal = at < end and body[at] == 0x18
    if skip_illegal:
        at += 2
        if body[at - 1] != 1:
            raise Unusual
    if at > end or len(acts) > most:
        raise Unusual
    return Replayed(table, tuple(acts), skip_illegal, _options(body, at, 0x22))


def _batch(body: bytes, most: int) -> Batch:
    at, end = 0, len(body)
    questions = []
    while at < end and body[at] == 0x0A:
        begin, at = ahead(body, at + 1)
        questions.append(body[begin:at])
    if at > end or len(questions) > most:
        raise Unusual
    return Batch(questions, _options(body, at, 0x12))


def _streamed(body: bytes) -> tuple[bytes, Options]:
    at, question = 0, b""
    if at < len(body) and body[at] == 0x0A:
        begin, at = ahead(body, at + 1)
        question = body[begin:at]
    if at > len(body):
        raise Unusual
    return question, _options(body, at, 0x12)
