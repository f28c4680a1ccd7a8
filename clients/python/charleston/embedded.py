"""The referee without a server: its own handlers, asked with bytes as a server asks them; the same bytes come back.

This is not a part of the client library, which knows nothing of the referee's own: import it by its name.
"""

from __future__ import annotations

import grpc
from google.protobuf.message import Message

from charleston.asking import A, AsyncReferee, Referee, Trace
from charleston.errors import RefereeError, violations
from referee.service import Refused, referee


class EmbeddedReferee(Referee):
    """Judges in this process; nothing has to be closed, and neither a deadline nor a trace means anything here."""

    def __init__(self, *, language: str = "") -> None:
        """Open the rulebook; `language` is for questions that name none."""
        self._methods = referee()
        self._language = language

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
