"""What there is instead of an answer: one error, with the fields at fault where the referee names them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2


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


def refused(error: grpc.RpcError) -> RefereeError:
    """Return what a failed call means, from either face of gRPC."""
    trailer = dict(cast("Iterable[tuple[str, bytes]]", error.trailing_metadata() or ()))
    return RefereeError(error.code(), error.details() or "", violations(trailer.get("grpc-status-details-bin", b"")))
