"""The open streams of one server: so many and no more, each in a thread of its own, and ended when the server stops.

Questions are read one at a time, each once the answer before it has found room at its caller's. What a caller does not
take in therefore stays with the caller, and with HTTP/2 between the two; nothing piles up here.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import grpc

from referee.workers import Apart, Send

STOPPING = "The referee is stopping."
# Threads beside those of open streams, to say that there are too many.
_SPARE = 2


class Streams:
    """The streams that are open now."""

    def __init__(self, most: int) -> None:
        """Keep up to so many streams open."""
        self._most = most
        self._pool = ThreadPoolExecutor(most + _SPARE, "stream")
        self._open: set[Stream] = set()
        self._lock = Lock()
        self._ended = False

    def carrying(self, carry: "Callable[[Iterator[bytes], grpc.ServicerContext, Stream], None]") -> Apart:
        """Make the behaviour of a method whose calls are carried so, each to its end."""

        def behaviour(messages: Iterator[bytes], context: grpc.ServicerContext, send: Send) -> None:
            carry(messages, context, Stream(context, send))

        return Apart(behaviour, self._pool, non_blocking=True)

    def opened(self, stream: "Stream") -> tuple[str, str]:
        """Count a stream in and return OK, or the status with which it is turned away."""
        with self._lock:
            if self._ended:
                return "UNAVAILABLE", STOPPING
            if len(self._open) >= self._most:
                return "RESOURCE_EXHAUSTED", f"This referee keeps at most {self._most} streams open."
            self._open.add(stream)
        return "OK", ""

    def ended(self, stream: "Stream") -> None:
        """Make room for another stream."""
        with self._lock:
            self._open.discard(stream)

    def end(self) -> None:
        """End every stream, each once what was taken from it is answered; no more are opened."""
        with self._lock:
            self._ended = True
            idle = tuple(self._open)
        for stream in idle:
            stream.stop()

    def close(self) -> None:
        """Let the threads go, once the server has stopped: before, it may hand them another call."""
        self._pool.shutdown(wait=False)


class Stream:
    """One open stream."""

    def __init__(self, context: grpc.ServicerContext, send: Send) -> None:
        self._context = context
        self._send = send
        self._lock = Lock()
        self._answering = False
        self._stopping = False
        self._ended = False

    def taken(self, messages: Iterator[bytes]) -> Iterator[bytes]:
        """Yield each message as it comes, until there are no more or the server stops."""
        while True:
            try:
                message = next(messages)
            except StopIteration:
                return
            except grpc.RpcError as lost:
                lost.__traceback__ = None  # as in Patience.take
                return
            with self._lock:
                if self._stopping:
                    return
                self._answering = True
            yield message
            with self._lock:
                self._answering = False
                if self._stopping:
                    return

    def answer(self, body: bytes) -> None:
        """Send an answer; return when the caller has made room for it, or is gone."""
        self._send(body)

    def stop(self) -> None:
        """End the stream as soon as nothing taken from it is unanswered: at once, or after the answer in hand."""
        with self._lock:
            self._stopping = True
            if self._answering:
                return
        self.close("UNAVAILABLE", STOPPING)

    @property
    def stopping(self) -> bool:
        """Whether the server has told the stream to end."""
        return self._stopping

    def close(self, code: str, message: str) -> None:
        """End the stream with a status, unless it has ended."""
        with self._lock:
            if self._ended or not self._context.is_active():
                return
            self._ended = True
        self._context.set_code(grpc.StatusCode[code])
        self._context.set_details(message)
        self._send(None)
