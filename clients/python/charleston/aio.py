"""The client for coroutines: the same methods as the one for threads, each to be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Self

import grpc
from google.protobuf.message import Message

from charleston.asking import A, AsyncReferee, Trace, each_of
from charleston.calling import Calling, Tls, deadline
from charleston.errors import RefereeError, refused
from charleston.referee.v1 import service_pb2, service_pb2_grpc


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

    async def judge_stream(
        self,
        questions: Iterable[service_pb2.Question] | AsyncIterable[service_pb2.Question],
        *,
        options: service_pb2.AnswerOptions | None = None,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> AsyncIterator[service_pb2.Answer]:
        """Ask question after question on one stream, and yield the answers in order."""
        sent = (service_pb2.JudgeStreamRequest(question=each, options=options) async for each in each_of(questions))
        seconds = None if timeout is None else deadline(timeout)
        call = self._stub.JudgeStream(sent, timeout=seconds, metadata=self._calling.metadata(trace))
        try:
            async for response in call:
                yield response.answer
        except grpc.aio.AioRpcError as error:
            raise refused(error) from None
        finally:
            call.cancel()  # whoever stops listening has hung up

    async def _ask(
        self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None
    ) -> A:
        call: grpc.aio.UnaryUnaryMultiCallable[Message, A] = getattr(self._stub, method)
        metadata = self._calling.metadata(trace)
        first: RefereeError | None = None
        for seconds in self._calling.attempts(timeout):
            try:
                # After one attempt in vain: wait while no referee can be asked, instead of failing at once.
                given = await call(question, timeout=seconds, metadata=metadata, wait_for_ready=first is not None)
            except grpc.aio.AioRpcError as error:
                failed = refused(error)
                if not self._calling.may_be_repeated(failed):
                    raise failed from None
                first = first or failed
            else:
                self._calling.answered = True
                return given
        assert first, "there is always an attempt"
        raise first
