"""The questions that a referee answers, each a method; what asks them only says how a question gets its answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import TypeVar

from google.protobuf.message import Message

from charleston.referee.v1 import service_pb2

A = TypeVar("A", bound=Message)
Q = TypeVar("Q")
Trace = Mapping[str, str]
"""W3C trace context, such as OpenTelemetry injects into a carrier: of its keys traceparent and tracestate are sent."""


class Referee(ABC):
    """A referee to ask, wherever it is.

    An illegal act is an answer like any other. What raises RefereeError is a question that describes no table or act,
    and a referee that cannot be reached or does not answer before the deadline. Every call may be repeated. A method
    takes `timeout`, the seconds that this call may take, and `trace`, the trace that it is part of.
    """

    @abstractmethod
    def _ask(self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None) -> A:
        """Put a question to a method of the service."""

    def judge(
        self, request: service_pb2.JudgeRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeResponse:
        """Ask whether one act may be played at one table."""
        return self._ask("Judge", request, service_pb2.JudgeResponse, timeout, trace)

    def what_next(
        self, request: service_pb2.WhatNextRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.WhatNextResponse:
        """Ask how a table stands and what comes next."""
        return self._ask("WhatNext", request, service_pb2.WhatNextResponse, timeout, trace)

    def replay(
        self, request: service_pb2.ReplayRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.ReplayResponse:
        """Ask about acts played one after another."""
        return self._ask("Replay", request, service_pb2.ReplayResponse, timeout, trace)

    def judge_transition(
        self, request: service_pb2.JudgeTransitionRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeTransitionResponse:
        """Ask whether one table can lawfully follow another."""
        return self._ask("JudgeTransition", request, service_pb2.JudgeTransitionResponse, timeout, trace)

    def judge_batch(
        self, request: service_pb2.JudgeBatchRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeBatchResponse:
        """Ask many questions of Judge at once; what is wrong with one of them is its own answer, not an error."""
        return self._ask("JudgeBatch", request, service_pb2.JudgeBatchResponse, timeout, trace)

    @abstractmethod
    def judge_stream(
        self,
        questions: Iterable[service_pb2.Question],
        *,
        options: service_pb2.AnswerOptions | None = None,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> Iterator[service_pb2.Answer]:
        """Ask question after question on one stream, and yield the answers in order.

        A question is taken from the iterable as the stream has room for it, in a thread of gRPC's. Only a `timeout`
        of its own ends a stream, which is not repeated: what has no answer yet may be asked again.
        """

    def get_rulebook(
        self, request: service_pb2.GetRulebookRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.GetRulebookResponse:
        """Ask for the articles by which this referee judges."""
        return self._ask("GetRulebook", request, service_pb2.GetRulebookResponse, timeout, trace)


class AsyncReferee(ABC):
    """A referee to ask from a coroutine: the same questions as a Referee's, each to be awaited."""

    @abstractmethod
    async def _ask(
        self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None
    ) -> A:
        """Put a question to a method of the service."""

    async def judge(
        self, request: service_pb2.JudgeRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeResponse:
        """Ask whether one act may be played at one table."""
        return await self._ask("Judge", request, service_pb2.JudgeResponse, timeout, trace)

    async def what_next(
        self, request: service_pb2.WhatNextRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.WhatNextResponse:
        """Ask how a table stands and what comes next."""
        return await self._ask("WhatNext", request, service_pb2.WhatNextResponse, timeout, trace)

    async def replay(
        self, request: service_pb2.ReplayRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.ReplayResponse:
        """Ask about acts played one after another."""
        return await self._ask("Replay", request, service_pb2.ReplayResponse, timeout, trace)

    async def judge_transition(
        self, request: service_pb2.JudgeTransitionRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeTransitionResponse:
        """Ask whether one table can lawfully follow another."""
        return await self._ask("JudgeTransition", request, service_pb2.JudgeTransitionResponse, timeout, trace)

    async def judge_batch(
        self, request: service_pb2.JudgeBatchRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.JudgeBatchResponse:
        """Ask many questions of Judge at once; what is wrong with one of them is its own answer, not an error."""
        return await self._ask("JudgeBatch", request, service_pb2.JudgeBatchResponse, timeout, trace)

    @abstractmethod
    def judge_stream(
        self,
        questions: Iterable[service_pb2.Question] | AsyncIterable[service_pb2.Question],
        *,
        options: service_pb2.AnswerOptions | None = None,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> AsyncIterator[service_pb2.Answer]:
        """Ask question after question on one stream, and yield the answers in order.

        A question is taken from the iterable as the stream has room for it. Only a `timeout`
        of its own ends a stream, which is not repeated: what has no answer yet may be asked again.
        """

    async def get_rulebook(
        self, request: service_pb2.GetRulebookRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.GetRulebookResponse:
        """Ask for the articles by which this referee judges."""
        return await self._ask("GetRulebook", request, service_pb2.GetRulebookResponse, timeout, trace)


async def each_of(questions: Iterable[Q] | AsyncIterable[Q]) -> AsyncIterator[Q]:
    """Yield from what is iterable either way."""
    if isinstance(questions, AsyncIterable):
        async for question in questions:
            yield question
    else:
        for question in questions:
            yield question
