"""What is round every call: clock, status, and an entry in the journal. Nothing else in the referee knows them.

No tile face, rack or table passes through here: what is entered is an End, which has none. Not even the message of an
unexpected exception is kept, as it could quote one.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc

from referee.callers import Callers
from referee.ending import PART, STREAM, End
from referee.heard import echo, heard
from referee.journal import Journal
from referee.service import SERVICE, STREAMS, Refused, Reply
from referee.streams import Messages, Stream, Streams
from referee.workers import Apart, Patience, Send, Tally, Unasked, gone

Answer = Callable[[bytes, str], Reply]
if TYPE_CHECKING:  # only the stubs know that it is generic
    Call = grpc.RpcMethodHandler[Any, Any]
else:
    Call = grpc.RpcMethodHandler

# The method of a call to anything that this server does not have, whatever the client named it.
OTHER = "other"


class Observer(grpc.GenericRpcHandler):
    """Answer each call of our service through its pure function; enter it in the journal, map what went wrong."""

    def __init__(
        self,
        answers: Mapping[str, Answer],
        beside: Sequence[grpc.GenericRpcHandler],
        patience: Patience,
        streams: Streams,
        started: dict[str, int],
        journal: Journal,
        callers: Callers,
        most: int,
    ) -> None:
        """Observe these methods, and leave those beside them alone; `started` is where calls that come are counted.

        With `most` calls open, one more is turned away.
        """
        self._beside = beside
        self._patience = patience
        self._streams = streams
        self._started = started
        self._started[OTHER] = 0
        self._journal = journal
        self._callers = callers if callers.matter else None
        self._most = most
        self._turning_away = ThreadPoolExecutor(2, "overload")
        self.tally = Tally()
        # One for a method: one made for each call costs 10 %.
        self._known = {f"/{SERVICE}/{method}": self._method(method, answer) for method, answer in answers.items()}
        self._other: Call = grpc.stream_stream_rpc_method_handler(self._refuse)

    def close(self) -> None:
        """Let the threads go, once the server has stopped: before, it may hand them another call."""
        self._turning_away.shutdown(wait=False)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Call | None:
        """Return how a call is answered: our methods, health and reflection as they are, and a refusal of all else.

        gRPC calls this from one thread only, so that plain numbers count right.
        """
        known = self._known.get(handler_call_details.method)
        if known is None:
            beside = (methods.service(handler_call_details) for methods in self._beside)
            found = next((method for method in beside if method is not None), None)
            if found is None:
                self._started[OTHER] += 1
            return found or self._other
        method, answered, turned_away = known
        self._started[method] += 1
        return answered if self.tally.enter() <= self._most else turned_away

    def _method(self, method: str, answer: Answer) -> tuple[str, Call, Call]:
        wrap = self._carry if method in STREAMS else self._wrap
        return method, wrap(method, answer), self._overloaded(method)

    def _overloaded(self, method: str) -> Call:
        def turn_away(messages: Iterator[bytes], context: grpc.ServicerContext) -> None:
            if not context.add_callback(self.tally.leave):
                self.tally.leave()
            end = End(method, "UNAVAILABLE", f"This referee has {self._most} calls in hand; ask another, or later.")
            end.reason = "overload"
            self._tell(end, context)

        # Not by the workers, who have enough to do.
        return grpc.stream_stream_rpc_method_handler(Apart(turn_away, self._turning_away))

    def _wrap(self, method: str, answer: Answer) -> Call:
        callers = self._callers

        def call(messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
            if not context.add_callback(self.tally.leave):
                self.tally.leave()
            end, body = End(method), b""
            languages = heard(context.invocation_metadata(), end)
            started = time.perf_counter_ns()
            try:
                if callers:
                    end.caller = callers.name(context)
                    callers.admit(end.caller, context)
                question = self._patience.take(messages, context)
                started = time.perf_counter_ns()
                end.bytes_in = len(question)
                reply = answer(question, languages)
                body, end.note = reply.body, reply.note
                end.bytes_out = len(body)
                if end.note.many:
                    end.questions = len(end.note.many)
                    end.refused = sum(note.code != "OK" for note in end.note.many)
                if not context.is_active():
                    end.code, end.message = gone(context), "The call was over before its answer."
            except Refused as no:
                end.code, end.message, end.details, end.reason = no.code, no.message, no.details, no.note.reason
            except Unasked as never:
                end.code, end.message, end.reason, end.details = never.code, never.message, never.reason, never.details
            except Exception as bug:
                end.blame(bug)
            end.nanoseconds = time.perf_counter_ns() - started
            self._tell(end, context)
            return body

        # Taken as a stream of one, so that waiting for the message is ours and has an end: see Patience.
        return grpc.stream_unary_rpc_method_handler(call)

    def _carry(self, method: str, answer: Answer) -> Call:
        callers = self._callers

        def carry(messages: Messages, context: grpc.ServicerContext, send: Send) -> None:
            if not context.add_callback(self.tally.leave):
                self.tally.leave()
            end = End(method, kind=STREAM)
            languages = heard(context.invocation_metadata(), end)
            end.nanoseconds = -time.perf_counter_ns()
            answered = partial(self._part, answer, languages, end)
            stream = Stream(self._streams, context, send, end, answered, self._ended)
            code, message, reason = "OK", "", ""
            try:
                if callers:
                    end.caller = callers.name(context)
                    callers.admit(end.caller, context)
                code, message = self._streams.opened(stream)
                reason = "streams" if code == "RESOURCE_EXHAUSTED" else ""
            except Unasked as never:
                code, message, reason, end.details = never.code, never.message, never.reason, never.details
            if trailing := _trailing(end):
                context.set_trailing_metadata(trailing)
            if code == "OK":
                stream.begin(messages)
            else:
                stream.refuse(code, message, reason)

        return grpc.stream_stream_rpc_method_handler(self._streams.carrying(carry))

    def _ended(self, end: End, context: grpc.ServicerContext) -> None:
        end.nanoseconds += time.perf_counter_ns()
        self._enter(end, context)

    def _part(self, answer: Answer, languages: str, end: End, question: bytes) -> bytes:
        part = End(end.method, kind=PART)
        started = time.perf_counter_ns()
        reply = answer(question, languages)
        part.nanoseconds = time.perf_counter_ns() - started
        part.note, part.code, part.reason = reply.note, reply.note.code, reply.note.reason
        part.bytes_in, part.bytes_out = len(question), len(reply.body)
        part.trace, part.at = end.trace, time.time_ns()
        self._journal.enter(part)
        end.questions += 1
        end.refused += part.code != "OK"
        end.bytes_in += part.bytes_in
        end.bytes_out += part.bytes_out
        return reply.body

    def _refuse(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> None:
        self._tell(End(OTHER, "UNIMPLEMENTED", "This server has no such method."), context)

    def _tell(self, end: End, context: grpc.ServicerContext) -> None:
        self._enter(end, context)
        if trailing := _trailing(end):
            context.set_trailing_metadata(trailing)
        if end.code != "OK":
            context.abort(grpc.StatusCode[end.code], end.message)

    def _enter(self, end: End, context: grpc.ServicerContext) -> None:
        end.peer = context.peer()
        end.at = time.time_ns()
        self._journal.enter(end)


def _trailing(end: End) -> tuple[tuple[str, str | bytes], ...]:
    numbers: tuple[tuple[str, str | bytes], ...] = echo(end) if end.request or end.trace else ()
    return (*numbers, ("grpc-status-details-bin", end.details)) if end.details else numbers
