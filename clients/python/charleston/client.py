"""The client: questions and answers are the generated messages, every call has a deadline, every failure is one error.

It knows the generated code and gRPC, and nothing of the referee's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple, Self, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from charleston.referee.v1 import service_pb2, service_pb2_grpc

Q = TypeVar("Q")
A = TypeVar("A")


class Violation(NamedTuple):
    """A field of a question that cannot be put to a referee: its path, the reason's name, a sentence."""

    field: str
    reason: str
    description: str


class RefereeError(Exception):
    """No answer: the status code, its message, and the fields at fault where the referee names them."""

    def __init__(self, code: grpc.StatusCode, message: str, violations: tuple[Violation, ...] = ()) -> None:
        """Keep what is known."""
        super().__init__(code, message, violations)
        self.code = code
        self.message = message
        self.violations = violations

    def __str__(self) -> str:
        """Return the code and the message."""
        return f"{self.code.name}: {self.message}"


class RefereeClient:
    """Asks one referee over plain gRPC; close it, or use it in a `with`.

    An illegal act is an answer like any other. What raises RefereeError is a question that describes no table or act,
    and a referee that cannot be reached or does not answer before the deadline.
    """

    def __init__(self, address: str, *, timeout: float = 5.0) -> None:
        """Prepare to call a referee at "host:port"; `timeout` is the seconds that a call may take unless it says."""
        self._timeout = _deadline(timeout)
        self._channel = grpc.insecure_channel(address, options=_options(address))
        self._referee = service_pb2_grpc.RefereeServiceStub(self._channel)

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the client."""
        self.close()

    def close(self) -> None:
        """Hang up; nothing can be asked any more."""
        self._channel.close()

    def judge(self, request: service_pb2.JudgeRequest, *, timeout: float | None = None) -> service_pb2.JudgeResponse:
        """Ask whether one act may be played at one table."""
        return self._ask(self._referee.Judge, request, timeout)

    def what_next(
        self, request: service_pb2.WhatNextRequest, *, timeout: float | None = None
    ) -> service_pb2.WhatNextResponse:
        """Ask how a table stands and what comes next."""
        return self._ask(self._referee.WhatNext, request, timeout)

    def replay(self, request: service_pb2.ReplayRequest, *, timeout: float | None = None) -> service_pb2.ReplayResponse:
        """Ask about acts played one after another."""
        return self._ask(self._referee.Replay, request, timeout)

    def get_rulebook(
        self, request: service_pb2.GetRulebookRequest, *, timeout: float | None = None
    ) -> service_pb2.GetRulebookResponse:
        """Ask for the articles by which this referee judges."""
        return self._ask(self._referee.GetRulebook, request, timeout)

    def _ask(self, method: grpc.UnaryUnaryMultiCallable[Q, A], question: Q, timeout: float | None) -> A:
        try:
            return method(question, timeout=self._timeout if timeout is None else _deadline(timeout))
        except grpc.RpcError as error:
            raise _refused(error) from None


def violations(status: bytes) -> tuple[Violation, ...]:
    """Return the violations in a serialized google.rpc.Status; none where there is nothing to read."""
    try:
        details = status_pb2.Status.FromString(status).details
        found = error_details_pb2.BadRequest()
        for detail in details:
            if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
                found.MergeFromString(detail.value)
    except DecodeError:  # details are a courtesy: the code and the message stand without them
        return ()
    return tuple(Violation(v.field, v.reason, v.description) for v in found.field_violations)


def _refused(error: grpc.RpcError) -> RefereeError:
    trailer = dict(cast("Iterable[tuple[str, bytes]]", error.trailing_metadata() or ()))
    return RefereeError(error.code(), error.details() or "", violations(trailer.get("grpc-status-details-bin", b"")))


def _options(address: str) -> list[tuple[str, int]]:
    options = [("grpc.max_receive_message_length", -1)]  # an answer may be larger than its question
    if address.rpartition(":")[0] in ("127.0.0.1", "localhost", "[::1]"):
        options.append(("grpc.enable_http_proxy", 0))  # gRPC would ask a proxy of the environment even for these
    return options


def _deadline(seconds: float) -> float:
    if not 0 < seconds < math.inf:
        raise ValueError(f"a deadline is a number of seconds above none, not {seconds}")
    return seconds
