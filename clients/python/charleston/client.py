"""The client for threads: questions and answers are the generated messages, every call has a deadline.

It knows the generated code and gRPC, and nothing of the referee's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self

import grpc
from google.protobuf.message import Message

from charleston.asking import A, Referee, Trace
from charleston.calling import Calling, Tls, deadline
from charleston.errors import RefereeError, refused
from charleston.referee.v1 import service_pb2, service_pb2_grpc


class RefereeClient(Referee):
    """Asks the referees at one address or several; any number of threads may share it.

    Close it, or use it in a `with`. A call that a referee leaves unanswered is repeated, and goes to the next one
    where there are several, until an answer comes or the deadline is over.
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
        """Prepare to call.

        `address` is "host:port", several between commas, or a gRPC target such as "dns:///referee.internal:50051".
        `timeout` is the seconds that a call may take unless it says. Without `tls` calls are plain; `authority` is
        the name in the servers' certificates where it is not the host's. `token` is a bearer token, or gives one for
        each call; it is never sent in plain to another machine. `language` is such as "fr" or "nl, en;q=0.5", for
        questions that name none. `trace` gives the W3C trace context for calls that name none.
        """
        self._calling = Calling(address, timeout, tls, authority, token, language, trace)
        where, options, credentials = self._calling.target, self._calling.options, self._calling.credentials
        self._channel = (
            grpc.secure_channel(where, credentials, options) if credentials else grpc.insecure_channel(where, options)
        )
        self._stub = service_pb2_grpc.RefereeServiceStub(self._channel)

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

    def judge_stream(
        self,
        questions: Iterable[service_pb2.Question],
        *,
        options: service_pb2.AnswerOptions | None = None,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> Iterator[service_pb2.Answer]:
        """Ask question after question on one stream, and yield the answers in order."""
        sent = (service_pb2.JudgeStreamRequest(question=each, options=options) for each in questions)
        seconds = None if timeout is None else deadline(timeout)
        call = self._stub.JudgeStream(sent, timeout=seconds, metadata=self._calling.metadata(trace))
        try:
            for response in call:
                yield response.answer
        except grpc.RpcError as error:
            raise refused(error) from None
        finally:
            call.cancel()  # whoever stops listening has hung up

    def _ask(self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None) -> A:
        call: grpc.UnaryUnaryMultiCallable[Message, A] = getattr(self._stub, method)
        metadata = self._calling.metadata(trace)
        first: RefereeError | None = None
        for seconds in self._calling.attempts(timeout):
            try:
                # After one attempt in vain: wait while no referee can be asked, instead of failing at once.
                given = call(question, timeout=seconds, metadata=metadata, wait_for_ready=first is not None)
            except grpc.RpcError as error:
                failed = refused(error)
                if not self._calling.may_be_repeated(failed):
                    raise failed from None
                first = first or failed
            else:
                self._calling.answered = True
                return given
        assert first, "there is always an attempt"
        raise first
