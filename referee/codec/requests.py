"""Requests: what they ask, read the short way or else the long one.

The short way (`usual`) answers or declines, and looks no further than whether all is well; the long way goes through
protobuf (`reading`) and says everything that is wrong.
"""

from __future__ import annotations

from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from charleston.referee.v1 import service_pb2
from referee.codec.asked import Asked, Batch, Question, Replayed, Streamed, options_of
from referee.codec.malformed import Malformed, Misasked, NotServed, TooMany, Violation
from referee.codec.reading import read_question, read_replay
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

M = TypeVar("M", bound=Message)


def parsed(message: type[M], body: bytes, within: str = "") -> M:
    """Read a message; raise Malformed if the bytes are none, in the name of the message that they came in."""
    try:
        return message.FromString(body)
    except DecodeError:
        name = within or message.DESCRIPTOR.name
        raise Malformed([Violation("", "UNREADABLE", f"These bytes are no {name}.")]) from None


def judge_asked(body: bytes) -> Asked:
    """Read a JudgeRequest; raise Malformed or NotServed."""
    try:
        return short_judge(body)
    except DECLINED:
        return long_judge(body)


def what_next_asked(body: bytes) -> Asked:
    """Read a WhatNextRequest; raise Malformed or NotServed."""
    try:
        return short_what_next(body)
    except DECLINED:
        return long_what_next(body)


def replay_asked(body: bytes, most: int) -> Replayed:
    """Read a ReplayRequest of at most so many acts; raise TooMany, Malformed or NotServed."""
    try:
        return short_replay(body, most)
    except DECLINED:
        return long_replay(body, most)


def batch_asked(body: bytes, most: int) -> Batch:
    """Read a JudgeBatchRequest of at most so many questions, but not yet these; raise TooMany or Malformed."""
    try:
        return short_batch(body, most)
    except DECLINED:
        return long_batch(body, most)


def stream_asked(body: bytes) -> Streamed:
    """Read a JudgeStreamRequest, but not yet its question; raise Malformed."""
    try:
        return short_stream(body)
    except DECLINED:
        return long_stream(body)


def question_asked(body: bytes, within: str) -> Question:
    """Read a Question out of a request.

    Raise Misasked for what is wrong with this question, and Malformed where the request is unreadable by it.
    """
    try:
        return short_question(body)
    except DECLINED:
        return long_question(body, within)


def long_judge(body: bytes) -> Asked:
    """Read a JudgeRequest through protobuf."""
    request = parsed(service_pb2.JudgeRequest, body)
    return *read_question(request), options_of(request.options)


def long_what_next(body: bytes) -> Asked:
    """Read a WhatNextRequest through protobuf."""
    request = parsed(service_pb2.WhatNextRequest, body)
    return *read_question(request), options_of(request.options)


def long_replay(body: bytes, most: int) -> Replayed:
    """Read a ReplayRequest through protobuf."""
    request = parsed(service_pb2.ReplayRequest, body)
    if len(request.acts) > most:
        raise TooMany(f"A replay has at most {most} acts.", "acts")
    return Replayed(*read_replay(request), request.skip_illegal, options_of(request.options))


def long_batch(body: bytes, most: int) -> Batch:
    """Read a JudgeBatchRequest through protobuf."""
    request = parsed(service_pb2.JudgeBatchRequest, body)
    if len(request.questions) > most:
        raise TooMany(f"A batch has at most {most} questions.", "questions")
    return Batch([each.SerializeToString() for each in request.questions], options_of(request.options))


def long_stream(body: bytes) -> Streamed:
    """Read a JudgeStreamRequest through protobuf."""
    request = parsed(service_pb2.JudgeStreamRequest, body)
    return request.question.SerializeToString(), options_of(request.options)


def long_question(body: bytes, within: str) -> Question:
    """Read a Question through protobuf."""
    # Read inside a request again, as it came: how deep messages may lie in one another counts from the outermost.
    question = parsed(service_pb2.JudgeStreamRequest, sized(b"\x0a", body), within).question
    id = question.question_id.encode()
    try:
        table, act = read_question(question)
    except (Malformed, NotServed) as wrong:
        raise Misasked(id, wrong) from None
    assert act is not None, "a question has an act"
    return id, table, act
