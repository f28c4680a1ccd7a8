"""What is round every call: who may call, and an entry in the journal. How a call goes on is told by calls and streams.

No tile face, rack or table passes through here: what is entered is an End, which has none. Not even the message of an
unexpected exception is kept, as it could quote one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter_ns, time_ns
from typing import TYPE_CHECKING, Any

import grpc

from referee import polled
from referee.callers import Callers
from referee.calls import Answer, Single, Singles, tell, waited_for
from referee.ending import CALL, PART, STREAM, End
from referee.heard import heard, trailing
from referee.journal import Journal
from referee.service import SERVICE, STREAMS
from referee.streams import Messages, Stream, Streams
from referee.workers import Apart, Patience, Send, Tally, Unasked, Workers

if TYPE_CHECKING:  # only the stubs know that it is generic
    Method = grpc.RpcMethodHandler[Any, Any]
else:
    Method = grpc.RpcMethodHandler

# The method of a call to anything that this server does not have, whatever the client named it.
OTHER = "other"


class Observer(grpc.GenericRpcHandler):
    """Answer each call of our service through its pure function; enter it in the journal, map what went wrong."""

    def __init__(
        self,
        answers: Mapping[str, Answer],
        beside: Sequence[grpc.GenericRpcHandler],
        patience: Patience,
        workers: Workers,
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
        self._at_once = polled.AtOnce()
        self._streams = streams
        self._started = started
        self._started[OTHER] = 0
        self._journal = journal
        self._callers = callers if callers.matter else None
        self._most = most
        self._turning_away = ThreadPoolExecutor(2, "overload")
        self.tally = Tally()
        self._singles = Singles(patience, workers, self.tally, self._enter)
        # One for a method: one made for each call costs 10 %.
        self._known = {f"/{SERVICE}/{method}": self._method(method, answer) for method, answer in answers.items()}
        self._other: Method = grpc.stream_stream_rpc_method_handler(self._refuse)

    def close(self) -> None:
        """Let the threads go, once the server has stopped: before, it may hand them another call."""
        self._turning_away.shutdown(wait=False)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Method | None:
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

    def _method(self, method: str, answer: Answer) -> tuple[str, Method, Method]:
        wrap = self._carry if method in STREAMS else self._single
        return method, wrap(method, answer), self._overloaded(method)

    def _overloaded(self, method: str) -> Method:
        sentence = f"This referee has {self._most} calls in hand; ask another, or later."

        def overload(context: grpc.ServicerContext) -> End:
            self._counted(context)
            end = End(method)
            end.refuse("UNAVAILABLE", sentence, "overload")
            self._enter(end, context)
            return end

        def begin(call: polled.Call) -> None:
            tell(call, overload(call.context))

        def turn_away(messages: Iterator[bytes], context: grpc.ServicerContext) -> None:
            self._tell(overload(context), context)

        # Not by the workers, who have enough to do.
        return self._polled(begin) or grpc.stream_stream_rpc_method_handler(Apart(turn_away, self._turning_away))

    def _single(self, method: str, answer: Answer) -> Method:
        def begin(call: polled.Call) -> None:
            try:
                end, languages = self._opened(method, call.context)
            except Exception as bug:
                end, languages = End(method), ""
                end.blame(bug)
            if end.code == "OK":
                Single(self._singles, call, end, languages, answer).begin()
            else:
                self._enter(end, call.context)
                tell(call, end)

        def wait(messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
            end, languages = self._opened(method, context)
            body = waited_for(messages, end, languages, answer, self._patience, context) if end.code == "OK" else b""
            self._enter(end, context)
            self._tell(end, context)
            return body

        # Taken as a stream of one, so that waiting for the message is ours and has an end: see Patience.
        return self._polled(begin) or grpc.stream_unary_rpc_method_handler(wait)

    def _polled(self, begin: Callable[[polled.Call], None]) -> Method | None:
        """Return how a call is begun by the polling thread, where that can be had."""
        return grpc.stream_stream_rpc_method_handler(Apart(begin, self._at_once)) if polled.FOUND else None

    def _carry(self, method: str, answer: Answer) -> Method:
        def carry(messages: Messages, context: grpc.ServicerContext, send: Send) -> None:
            end, languages = self._opened(method, context, STREAM)
            answered = partial(self._part, answer, languages, end)
            stream = Stream(self._streams, context, send, end, answered, self._enter)
            if end.code == "OK":
                end.code, end.message = self._streams.opened(stream)
                end.reason = "streams" if end.code == "RESOURCE_EXHAUSTED" else ""
            if beside := trailing(end):
                context.set_trailing_metadata(beside)
            if end.code == "OK":
                stream.begin(messages)
            else:
                stream.refuse()

        return grpc.stream_stream_rpc_method_handler(self._streams.carrying(carry))

    def _opened(self, method: str, context: grpc.ServicerContext, kind: str = CALL) -> tuple[End, str]:
        """Return the End of a call that has come, with a code if its caller is turned away, and its languages."""
        self._counted(context)
        end = End(method, kind=kind)
        end.nanoseconds = -perf_counter_ns()
        languages = heard(context.invocation_metadata(), end)
        if self._callers:
            try:
                end.caller = self._callers.name(context)
                self._callers.admit(end.caller, context)
            except Unasked as no:
                end.refuse(no.code, no.message, no.reason, no.details)
            except Exception as bug:
                end.blame(bug)
        return end, languages

    def _counted(self, context: grpc.ServicerContext) -> None:
        """Count a call that has come out again when it is over."""
        if not context.add_callback(self.tally.leave):
            self.tally.leave()

    def _part(self, answer: Answer, languages: str, end: End, question: bytes) -> bytes:
        part = End(end.method, kind=PART)
        started = perf_counter_ns()
        reply = answer(question, languages)
        part.nanoseconds = perf_counter_ns() - started
        part.note, part.code, part.reason = reply.note, reply.note.code, reply.note.reason
        part.bytes_in, part.bytes_out = len(question), len(reply.body)
        part.trace, part.at = end.trace, time_ns()
        self._journal.enter(part)
        end.questions += 1
        end.refused += part.code != "OK"
        end.bytes_in += part.bytes_in
        end.bytes_out += part.bytes_out
        return reply.body

    def _refuse(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> None:
        end = End(OTHER, "UNIMPLEMENTED", "This server has no such method.")
        self._enter(end, context)
        self._tell(end, context)

    def _tell(self, end: End, context: grpc.ServicerContext) -> None:
        if beside := trailing(end):
            context.set_trailing_metadata(beside)
        if end.code != "OK":
            context.abort(grpc.StatusCode[end.code], end.message)

    def _enter(self, end: End, context: grpc.ServicerContext) -> None:
        if end.nanoseconds < 0:
            end.nanoseconds += perf_counter_ns()
        end.peer = context.peer()
        end.at = time_ns()
        self._journal.enter(end)
