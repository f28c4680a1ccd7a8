"""The open streams of one server: so many and no more, and ended when the server stops.

Questions are read one at a time, each once the answer before it has found room at its caller's. What a caller does not
take in therefore stays with the caller, and with HTTP/2 between the two; nothing piles up here.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import grpc

from referee import polled
from referee.ending import End
from referee.polled import Polled
from referee.workers import Apart, Send, gone, over

STOPPING = "The referee is stopping."
# Threads beside those of open streams, to say that there are too many.
_SPARE = 2

Messages = Iterator[bytes]


class Streams:
    """The streams that are open now."""

    def __init__(self, most: int) -> None:
        """Keep up to so many streams open."""
        self._most = most
        # They are made when they are wanted. Where messages are polled a few will do, however many streams are open.
        self.pool = ThreadPoolExecutor(most + _SPARE, "stream")
        self._open: set[Stream] = set()
        self._lock = Lock()
        self._ended = False

    def carrying(self, carry: Callable[[Messages, grpc.ServicerContext, Send], None]) -> Apart:
        """Make the behaviour of a method whose calls are carried so."""
        return Apart(carry, self.pool, non_blocking=True)

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
        self.pool.shutdown(wait=False)


class Stream:
    """One stream, from its first message to its status."""

    def __init__(
        self,
        streams: Streams,
        context: grpc.ServicerContext,
        send: Send,
        end: End,
        answer: Callable[[bytes], bytes],
        ended: Callable[[End, grpc.ServicerContext], None],
    ) -> None:
        """Take what answers a message, and what is told how the stream has ended, once it has."""
        self._streams = streams
        self._context = context
        self._send = send
        self._end = end
        self._answer = answer
        self._ended = ended
        self._stopping = False
        # Taken by whoever closes the stream, for good.
        self._closing = Lock()
        self._wire: Polled | Threaded | None = None

    def begin(self, messages: Messages) -> None:
        """Answer message by message; return at once where they are polled, else when the stream has ended."""
        wire: Polled | Threaded
        if polled.FOUND:
            wire = Polled(self._context, self._streams.pool, self._answered, self._over)
        else:
            wire = Threaded(self._context, messages, self._send, self._answered, self._over)
        self._wire = wire
        if self._stopping:  # told so when there was no wire yet
            wire.stop()
        wire.begin()

    def stop(self) -> None:
        """End the stream as soon as nothing taken from it is unanswered: at once, or after the answer in hand."""
        self._stopping = True
        if wire := self._wire:
            wire.stop()

    def refuse(self) -> None:
        """Turn the stream away, as its End says."""
        self._close(self._end.code, self._end.message)

    def _answered(self, message: bytes) -> bytes | None:
        try:
            return self._answer(message)
        except Exception as bug:
            self._end.blame(bug)
            return None

    def _over(self) -> None:
        if self._end.fault:
            self._close(self._end.code, self._end.message)
        elif self._stopping:
            self._close("UNAVAILABLE", STOPPING)
        else:
            self._close("OK")

    def _close(self, code: str, message: str = "") -> None:
        if not self._closing.acquire(blocking=False):
            return
        self._streams.ended(self)
        self._end.code, self._end.message = code, message
        self._context.set_code(grpc.StatusCode[code])
        self._context.set_details(message)
        if not self._context.add_callback(self._done):
            self._done()
        self._send(None)

    def _done(self) -> None:
        wire, self._wire = self._wire, None  # they know each other
        if wire and wire.cut and self._end.code == "OK":
            self._end.code, self._end.message = gone(self._context), "The call was over before its caller closed it."
        self._ended(self._end, self._context)


class Threaded:
    """The messages of one open stream, in a thread of its own."""

    def __init__(
        self,
        context: grpc.ServicerContext,
        messages: Messages,
        send: Send,
        answer: Callable[[bytes], bytes | None],
        ended: Callable[[], None],
    ) -> None:
        """Take what Polled takes, and how grpcio gives messages and sends them."""
        self._context = context
        self._messages = messages
        self._send = send
        self._answer = answer
        self._ended = ended
        self._answering = Lock()
        self._last = False
        self.cut = False

    def begin(self) -> None:
        """Answer every message."""
        while not self._last:
            try:
                message = next(self._messages, None)
            except grpc.RpcError as lost:
                lost.__traceback__ = None  # as in Patience.take
                message = None
            if message is None:
                self.cut = over(self._context)
                break
            with self._answering:
                answer = None if self._last else self._answer(message)
                if answer is None:
                    break
                self._send(answer)
        self._ended()

    def stop(self) -> None:
        """Take no more messages, and be over when what was taken is answered."""
        self._last = True
        if self._answering.acquire(blocking=False):
            self._answering.release()
            self._ended()
