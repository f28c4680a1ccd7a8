"""Say on grpc.health.v1 whether the referee takes questions, from raw bytes.

grpcio's own servicer is not used: its generated deserialiser answers garbage with INTERNAL, it keeps every
made-up service name that was ever watched, and it holds its lock while it sends, so that one stalled watcher
silences all.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from referee.workers import Apart, Patience, Send, Unasked

NAME = "grpc.health.v1.Health"


class Health:
    """The health of one server: every service it names stands and falls with the whole."""

    def __init__(self, services: Iterable[str], patience: Patience) -> None:
        """Start out as SERVING, for these services and for the empty name."""
        self._services = frozenset(("", *services))
        self._patience = patience
        self._watchers: set[_Watcher] = set()
        self._lock = Lock()
        # Probes are answered however busy the workers are, and watching needs a thread only while it sends.
        self._checking = ThreadPoolExecutor(2, "health-check")
        self._sending = ThreadPoolExecutor(4, "health-watch")
        self.serving = True
        self.ended = False

    def methods(self) -> grpc.GenericRpcHandler:
        """Return what the server is to register."""
        return grpc.method_handlers_generic_handler(
            NAME,
            {
                "Check": grpc.stream_unary_rpc_method_handler(Apart(self._check, self._checking)),
                "Watch": grpc.stream_stream_rpc_method_handler(Apart(self._watch, self._sending, non_blocking=True)),
            },
        )

    def turn_away(self) -> None:
        """Tell everybody NOT_SERVING, now and from now on."""
        self.serving = False
        self._tell()

    def end(self) -> None:
        """End every open Watch, so that no idle stream holds up a shutdown."""
        self.ended = True
        telling = self._tell()
        wait(telling, timeout=1)
        for told, watcher in telling.items():
            if not told.done():  # it takes nothing in
                watcher.context.cancel()

    def close(self) -> None:
        """Let the threads go, once the server has stopped: before, it may hand them another call."""
        self._sending.shutdown(wait=False)
        self._checking.shutdown(wait=False)

    def status(self, service: str) -> int:
        """Return how a service stands; SERVICE_UNKNOWN for a name that is not ours."""
        if service not in self._services:
            return HealthCheckResponse.SERVICE_UNKNOWN
        return HealthCheckResponse.SERVING if self.serving else HealthCheckResponse.NOT_SERVING

    def _check(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        status = self.status(self._asked(messages, context))
        if status == HealthCheckResponse.SERVICE_UNKNOWN:
            context.abort(grpc.StatusCode.NOT_FOUND, "This server knows no service of that name.")
        return HealthCheckResponse(status=status).SerializeToString()

    def _watch(self, messages: Iterator[bytes], context: grpc.ServicerContext, send: Send) -> None:
        watcher = _Watcher(self, self._patience, self._asked(messages, context), context, send)
        with self._lock:
            self._watchers.add(watcher)
        if not context.add_callback(lambda: self._forget(watcher)):
            self._forget(watcher)
        watcher.tell()

    def _asked(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> str:
        try:
            return HealthCheckRequest.FromString(self._patience.take(messages, context)).service
        except DecodeError:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "These bytes are no HealthCheckRequest.")
        except Unasked as never:
            context.abort(grpc.StatusCode[never.code], never.message)

    def _forget(self, watcher: "_Watcher") -> None:
        with self._lock:
            self._watchers.discard(watcher)

    def _tell(self) -> "dict[Future[None], _Watcher]":
        with self._lock:
            return {self._sending.submit(watcher.tell): watcher for watcher in self._watchers}


class _Watcher:
    """One open Watch."""

    def __init__(
        self, health: Health, patience: Patience, service: str, context: grpc.ServicerContext, send: Send
    ) -> None:
        self._health = health
        self._service = service
        self.context = context
        self._send = send
        self._patience = patience
        self._told: int | None = None
        self._lock = Lock()

    def tell(self) -> None:
        """Send how the service stands now, if that is news, and close the stream if health has ended."""
        with self._lock:
            status = self._health.status(self._service)
            if status != self._told:
                self._told = status
                answer = HealthCheckResponse(status=status).SerializeToString()
                self._patience.give(self._send, answer, self.context)
            if self._health.ended and self.context.is_active():
                self.context.set_code(grpc.StatusCode.UNAVAILABLE)
                self.context.set_details("The referee is stopping.")
                self._send(None)
