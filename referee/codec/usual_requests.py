"""From the wire, the short way: whole requests. See `usual`.

Each function reads a request and sees that all is well with it, or raises one of DECLINED and says no more.
"""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.message import DecodeError

from charleston.referee.v1 import service_pb2
from referee.acts import Act
from referee.codec.asked import PLAIN, Asked, Batch, Options, Question, Replayed, Streamed, options_of
from referee.codec.usual import Unusual, read_table
from referee.codec.usual_acts import read_act
from referee.codec.wire import ahead
from referee.table import Table
from referee.unreachable import act_faults, reached

DECLINED = (Unusual, IndexError, ValueError)
"""A byte that is not what it should be, one that is not there, or a wrong number of them."""
_KEPT = 64
"""Options of no more bytes than this are read once and kept."""


def short_judge(body: bytes) -> Asked:
    """Read a JudgeRequest."""
    table, act, at = _table_and_act(body, 0, 0x0A)
    return table, act, _options(body, at, 0x1A)


def short_what_next(body: bytes) -> Asked:
    """Read a WhatNextRequest."""
    table, at = _table(body, 0, 0x0A)
    return table, None, _options(body, at, 0x12)


def short_question(body: bytes) -> Question:
    """Read a Question."""
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


def short_replay(body: bytes, most: int) -> Replayed:
    """Read a ReplayRequest of at most so many acts."""
    table, at = _table(body, 0, 0x0A)
    end = len(body)
    acts: list[Act] = []
    while at < end and body[at] == 0x12 and len(acts) <= most:
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


def short_batch(body: bytes, most: int) -> Batch:
    """Read a JudgeBatchRequest of at most so many questions, but not yet these."""
    at, end = 0, len(body)
    questions: list[bytes] = []
    while at < end and body[at] == 0x0A and len(questions) <= most:
        begin, at = ahead(body, at + 1)
        questions.append(body[begin:at])
    if at > end or len(questions) > most:
        raise Unusual
    return Batch(questions, _options(body, at, 0x12))


def short_stream(body: bytes) -> Streamed:
    """Read a JudgeStreamRequest, but not yet its question."""
    at, question = 0, b""
    if at < len(body) and body[at] == 0x0A:
        begin, at = ahead(body, at + 1)
        question = body[begin:at]
    if at > len(body):
        raise Unusual
    return question, _options(body, at, 0x12)


def _table(body: bytes, at: int, tag: int) -> tuple[Table, int]:
    """Read the table under a tag, or none, and return where it ends."""
    if at == len(body) or body[at] != tag:
        return Table(), at
    begin, end = ahead(body, at + 1)
    table = read_table(body[begin:end])
    if end > len(body) or not reached(table):
        raise Unusual
    return table, end


def _table_and_act(body: bytes, at: int, tag: int) -> tuple[Table, Act, int]:
    """Read the table under a tag, or none, and the act under the next one; return where they end."""
    table, at = _table(body, at, tag)
    size = body[at + 1]
    if body[at] != tag + 8 or size > 127:
        raise Unusual
    end = at + 2 + size
    act = read_act(body[at + 2 : end])
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
