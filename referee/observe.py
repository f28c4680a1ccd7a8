"""One interceptor round every call: clock, status, log line, metrics. Nothing else in the referee knows them.

No tile face, rack or table passes through here: a line and a label are made of a Note, which has none. Not even
the message of an unexpected exception is logged, as it could quote one.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import grpc
import structlog

from referee.metrics import Metrics
from referee.service import STREAMS, Note, Refused, Reply
from referee.streams import STOPPING, Stream, Streams
from referee.workers import Patience, Tally, Unasked, gone, over

Answer = Callable[[bytes, str], Reply]
Log = structlog.typing.FilteringBoundLogger
if TYPE_CHECKING:  # only the stubs know that it is generic
    Call = grpc.RpcMethodHandler[Any, Any]
else:
    Call = grpc.RpcMethodHandler

# The method of a call to anything that this server does not have, whatever the client named it.
OTHER = "other"

NOTHING = Note()

_encode = json.JSONEncoder(separators=(",", ":")).encode


class _Lines:
    """Write each line with one unbuffered write; a log that cannot be written never fails a call."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def msg(self, line: bytes) -> None:
        with suppress(OSError, ValueError):  # a broken pipe, a full disk, a closed file
            self._out.write(line)

    info = warning = error = msg


def log_to(out: BinaryIO) -> Log:
    """Return a logger that writes one JSON line for each event, with the time in seconds since 1970."""
    logger: Log = structlog.wrap_logger(
        _Lines(out),
        processors=[_line],
        wrapper_class=structlog.make_filtering_bound_logger(0),
    ).bind()  # the logger itself, not the proxy that makes one for every line
    return logger


def _line(logger: object, level: str, event: MutableMapping[str, Any]) -> bytes:
    first = {"time": round(time.time(), 6), "level": level, "event": event.pop("event")}
    return _encode(first | {key: value for key, value in event.items() if value}).encode() + b"\n"


class Observer(grpc.ServerInterceptor):
    """Answer each call of our service through its pure function; log it, count it, map what went wrong."""

    def __init__(
        self,
        methods: Mapping[str, str],
        patience: Patience,
        streams: Streams,
        metrics: Metrics,
        log: Log,
        *,
        each: bool,
    ) -> None:
        """Observe these methods, bare names by full path; `each` writes a line for every call."""
        self._methods = methods
        self._patience = patience
        self._streams = streams
        self._metrics = metrics
        self._log = log
        self._each = each
        self.tally = Tally()
        self._wrapped: dict[str, Call] = {}
        self._other: Call = grpc.stream_stream_rpc_method_handler(self._refuse)

    def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Call | None], details: grpc.HandlerCallDetails
    ) -> Call | None:
        """Return our methods wrapped, health and reflection as they are, and a refusal for all else."""
        wrapped = self._wrapped.get(details.method)  # one for a method: one for a call costs 10 %
        if wrapped is None:
            found = continuation(details)
            method = self._methods.get(details.method)
            if found is None or method is None:
                return found or self._other
            wrap = self._carry if method in STREAMS else self._wrap
            wrapped = self._wrapped[details.method] = wrap(method, cast(Answer, found.unary_unary))
        self.tally.enter()
        return wrapped

    def _wrap(self, method: str, answer: Answer) -> Call:
        def call(messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
            if not context.add_callback(self.tally.leave):
                self.tally.leave()
            end, body = _End(method), b""
            started = time.perf_counter()
            try:
                question = self._patience.take(messages, context)
                started = time.perf_counter()
                end.bytes_in = len(question)
                reply = answer(question, _language(context))
                body, end.note = reply.body, reply.note
                end.bytes_out = len(body)
                if not context.is_active():
                    end.code, end.message = gone(context), "The call was over before its answer."
            except Refused as no:
                end.code, end.message, end.details, end.note = no.code, no.message, no.details, no.note
            except Unasked as never:
                end.code, end.message = never.code, never.message
            except Exception as bug:
                end.blame(bug)
            end.seconds = time.perf_counter() - started
            self._tell(end, context)
            return body

        # Taken as a stream of one, so that waiting for the message is ours and has an end: see Patience.
        return grpc.stream_unary_rpc_method_handler(call)

    def _carry(self, method: str, answer: Answer) -> Call:
        def carry(messages: Iterator[bytes], context: grpc.ServicerContext, stream: Stream) -> None:
            if not context.add_callback(self.tally.leave):
                self.tally.leave()
            end = _End(method)
            opened = time.perf_counter()
            end.code, end.message = self._streams.opened(stream)
            if end.code == "OK":
                self._metrics.streams.inc()
                self._converse(answer, messages, context, stream, end)
                self._metrics.streams.dec()
                self._streams.ended(stream)
            end.seconds = time.perf_counter() - opened
            self._write(end, context)
            self._metrics.ended(method, end.code)
            stream.close(end.code, end.message)

        return grpc.stream_stream_rpc_method_handler(self._streams.carrying(carry))

    def _converse(
        self,
        answer: Answer,
        messages: Iterator[bytes],
        context: grpc.ServicerContext,
        stream: Stream,
        end: "_End",
    ) -> None:
        language = _language(context)
        try:
            for question in stream.taken(messages):
                started = time.perf_counter()
                reply = answer(question, language)
                self._metrics.answered(end.method, time.perf_counter() - started, reply.note)
                end.questions += 1
                end.refused += reply.note.code != "OK"
                end.bytes_in += len(question)
                end.bytes_out += len(reply.body)
                stream.answer(reply.body)
        except Exception as bug:
            end.blame(bug)
            return
        if stream.stopping:
            end.code, end.message = "UNAVAILABLE", STOPPING
        elif over(context):
            end.code, end.message = gone(context), "The call was over before its caller closed it."

    def _refuse(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> None:
        self._tell(_End(OTHER, "UNIMPLEMENTED", "This server has no such method."), context)

    def _tell(self, end: "_End", context: grpc.ServicerContext) -> None:
        self._metrics.count(end.method, end.code, end.seconds, end.note)
        self._write(end, context)
        if end.code != "OK":
            if end.details:
                context.set_trailing_metadata((("grpc-status-details-bin", end.details),))
            context.abort(grpc.StatusCode[end.code], end.message)

    def _write(self, end: "_End", context: grpc.ServicerContext) -> None:
        if end.fault:
            self._log.error("call", **end.line(context), **end.fault)
        elif self._each:
            self._log.info("call", **end.line(context))


@dataclass(slots=True)
class _End:
    """How one call ended."""

    method: str
    code: str = "OK"
    message: str = ""
    details: bytes = b""
    note: Note = NOTHING
    seconds: float = 0.0
    bytes_in: int = 0
    bytes_out: int = 0
    questions: int = 0
    refused: int = 0
    fault: dict[str, object] = field(default_factory=dict)

    def blame(self, bug: Exception) -> None:
        """End with a fault of the referee's own."""
        self.fault = _fault(bug)
        self.code = "INTERNAL"
        self.message = f"The referee itself is at fault; its log has more under {self.fault['fault']}."

    def line(self, context: grpc.ServicerContext) -> dict[str, object]:
        return {
            "method": self.method,
            "code": self.code,
            "stage": self.note.stage,
            "verdict": self.note.verdict,
            "rules": self.note.rules,
            "acts": self.note.acts,
            "questions": self.questions or len(self.note.many),
            "refused": self.refused or sum(note.code != "OK" for note in self.note.many),
            "reason": self.note.reason,
            "ruling": self.note.ruling,
            "seconds": round(self.seconds, 6),
            "bytes_in": self.bytes_in,
            "bytes_out": self.bytes_out,
            "peer": context.peer(),
        }


def _language(context: grpc.ServicerContext) -> str:
    return ",".join(str(value) for key, value in context.invocation_metadata() if key == "accept-language")


def _fault(bug: Exception) -> dict[str, object]:
    places = [f"{Path(frame.f_code.co_filename).name}:{line}" for frame, line in walk_tb(bug.__traceback__)]
    return {"fault": secrets.token_hex(4), "error": type(bug).__name__, "at": places[-8:]}
