"""The client for coroutines: the same methods as the one for threads, each to be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

import grpc
from google.protobuf.message import Message

from charleston.asking import A, AsyncReferee, Trace
from charleston.calling import Calling, Tls, may_be_repeated
from charleston.errors import RefereeError, refused
from charleston.referee.v1 import service_pb2_grpc


class AsyncRefereeClient(AsyncReferee):
    """Asks the referees at one address or several from the event loop in which it is made.

    Close it, or use it in an `async with`. A call that a referee leaves unanswered is repeated, and goes to the next
    one where there are several, until an answer comes or the deadline is over.
    """

    def __init__(
        self,
        address: str,
        *,
        timeout: float = 5.0,
        tls: Tls | None = None,
        authority: str = "",
        token: str | Callable[[], str] | None = None,
        language: str = "",
        trace: Callable[[], Trace] | None = None,
    ) -> None:
        """Prepare to call; everything means what it means to a RefereeClient."""
        asyncio.get_running_loop()  # gRPC would quietly take another loop than the one that awaits
        self._calling = Calling(address, timeout, tls, authority, token, language, trace)
        where, options, credentials = self._calling.target, self._calling.options, self._calling.credentials
        self._channel = (
            grpc.aio.secure_channel(where, credentials, options)
            if credentials
            else grpc.aio.insecure_channel(where, options)
        )
        self._stub = service_pb2_grpc.RefereeServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        """Return the client."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the client."""
        await self.close()

    async def close(self) -> None:
        """Hang up; nothing can be asked any more."""
        await self._channel.close()

    async def _ask(
        self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None
    ) -> A:
        call: grpc.aio.UnaryUnaryMultiCallable[Message, A] = getattr(self._stub, method)
        metadata = self._calling.metadata(trace)
        late: RefereeError | None = None
        for seconds in self._calling.attempts(timeout):
            try:
                return await call(question, timeout=seconds, metadata=metadata)
            except grpc.aio.AioRpcError as error:
                late = refused(error)
                if not may_be_repeated(late):
                    raise late from None
        assert late, "there is always an attempt"
        raise late
