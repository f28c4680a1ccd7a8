"""The questions that a referee answers, each a method; what asks them only says how a question gets its answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TypeVar

from google.protobuf.message import Message

from charleston.referee.v1 import service_pb2

A = TypeVar("A", bound=Message)
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

    async def get_rulebook(
        self, request: service_pb2.GetRulebookRequest, *, timeout: float | None = None, trace: Trace | None = None
    ) -> service_pb2.GetRulebookResponse:
        """Ask for the articles by which this referee judges."""
        return await self._ask("GetRulebook", request, service_pb2.GetRulebookResponse, timeout, trace)
