"""Where questions go: to the referee at an address, or to one inside the command; the messages are the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from charleston.client import RefereeClient, RefereeError, violations
from charleston.referee.v1 import service_pb2
from referee.service import Refused, referee

A = TypeVar("A", bound=Message)


class Door(Protocol):
    """What the commands ask, of either referee."""

    def what_next(self, request: service_pb2.WhatNextRequest) -> service_pb2.WhatNextResponse:
        """Ask how a table stands and what comes next."""

    def replay(self, request: service_pb2.ReplayRequest) -> service_pb2.ReplayResponse:
        """Ask about acts played one after another."""

    def get_rulebook(self, request: service_pb2.GetRulebookRequest) -> service_pb2.GetRulebookResponse:
        """Ask for the articles."""


class Embedded:
    """The referee's own handlers, asked with bytes as a server asks them."""

    def __init__(self) -> None:
        """Open the rulebook."""
        self._methods = referee()

    def what_next(self, request: service_pb2.WhatNextRequest) -> service_pb2.WhatNextResponse:
        """Ask how a table stands and what comes next."""
        return self._ask("WhatNext", request, service_pb2.WhatNextResponse)

    def replay(self, request: service_pb2.ReplayRequest) -> service_pb2.ReplayResponse:
        """Ask about acts played one after another."""
        return self._ask("Replay", request, service_pb2.ReplayResponse)

    def get_rulebook(self, request: service_pb2.GetRulebookRequest) -> service_pb2.GetRulebookResponse:
        """Ask for the articles."""
        return self._ask("GetRulebook", request, service_pb2.GetRulebookResponse)

    def _ask(self, method: str, request: Message, answer: type[A]) -> A:
        try:
            return answer.FromString(self._methods[method](request.SerializeToString(), "").body)
        except Refused as no:
            raise RefereeError(grpc.StatusCode[no.code], no.message, violations(no.details)) from None


@contextmanager
def door(address: str | None, timeout: float) -> Iterator[Door]:
    """Open the door to the referee at an address, or without one to the embedded referee."""
    if address is None:
        yield Embedded()
    else:
        with RefereeClient(address, timeout=timeout) as client:
            yield client
