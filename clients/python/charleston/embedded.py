"""The referee without a server: its own handlers, asked with bytes as a server asks them; the same bytes come back.

This is not a part of the client library, which knows nothing of the referee's own: import it by its name.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

import grpc
from google.protobuf.message import Message

from charleston.asking import A, AsyncReferee, Referee, Trace, each_of
from charleston.errors import RefereeError, violations
from charleston.referee.v1 import service_pb2
from referee.service import Refused, referee


class EmbeddedReferee(Referee):
    """Judges in this process; nothing has to be closed, and neither a deadline nor a trace means anything here."""

    def __init__(self, *, language: str = "") -> None:
        """Open the rulebook; `language` is for questions that name none."""
        self._methods = referee()
        self._language = language

    def judge_stream(
        self,
        questions: Iterable[service_pb2.Question],
        *,
        options: service_pb2.AnswerOptions | None = None,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> Iterator[service_pb2.Answer]:
        """Ask question after question, and yield the answers in order."""
        for question in questions:
            sent = service_pb2.JudgeStreamRequest(question=question, options=options)
            yield self._ask("JudgeStream", sent, service_pb2.JudgeStreamResponse, timeout, trace).answer

    def _ask(self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None) -> A:
        try:
            return answer.FromString(self._methods[method](question.SerializeToString(), self._language).body)
        except Refused as no:
            raise RefereeError(grpc.StatusCode[no.code], no.message, violations(no.details)) from None


class AsyncEmbeddedReferee(AsyncReferee):
    """The same for coroutines; a ruling is ready at once, so nothing is really waited for."""

    def __init__(self, *, language: str = "") -> None:
        """Open the rulebook; `language` is for questions that name none."""
        self._referee = EmbeddedReferee(language=language)

    async def _ask(
        self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None
    ) -> A:
        return self._referee._ask(method, question, answer, timeout, trace)

    async def judge_stream(
        self,
        questions: Iterable[service_pb2.Question] | AsyncIterable[service_pb2.Question],
        *,
        options: service_pb2.AnswerOptions | None = None,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> AsyncIterator[service_pb2.Answer]:
        """Ask question after question, and yield the answers in order."""
        async for question in each_of(questions):
            for answer in self._referee.judge_stream([question], options=options):
                yield answer
