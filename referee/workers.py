"""Keep the worker threads for work: pools apart for what may idle, and an end to patience with the silent.

By its pages grpcio's sync server reads a call's message on the very thread that is to answer it, and a stream holds its
thread for as long as it is open. Left so, a few callers that call and say nothing would stop the whole referee. Where
calls are polled that is so for health and reflection only.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

import grpc

from referee.bugs import complain

# Send a message on a stream, or with None end it; returns when the caller has made room for the message.
Send = Callable[[bytes | None], None]

OVER = "The call was over before its message."
NONE_CAME = "This method takes exactly one message, and none came."


class Unasked(Exception):
    """A call that ended before its question had come; `code` names the status that the caller got.

    `reason` is why its caller was refused, where it was, and `details` the google.rpc.Status that goes with that.
    """

    def __init__(self, code: str, message: str, reason: str = "", details: bytes = b"") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.details = details


def gone(context: grpc.ServicerContext) -> str:
    """Return the status that the caller of a call that is over has most likely seen."""
    return "CANCELLED" if context.time_remaining() > 0 else "DEADLINE_EXCEEDED"


def over(context: grpc.ServicerContext) -> bool:
    """Tell whether a call whose messages have ended was given up or cut off, rather than closed by its caller.

    gRPC's core ends the messages a moment before it says that the call is over; that moment is waited for.
    """
    ended = Event()
    return not context.add_callback(ended.set) or ended.wait(0.1)


class Workers:
    """The threads that judge, for grpcio and the polling thread to hand calls to.

    A ThreadPoolExecutor makes a Future of each call, and locks round it, that nobody asks for: a tenth and more of all
    that a call costs.
    """

    def __init__(self, threads: int) -> None:
        """Start so many threads, which do not keep the process from ending."""
        self._calls: SimpleQueue[tuple[Callable[..., object], tuple[object, ...]] | None] = SimpleQueue()
        self._threads = threads
        for number in range(threads):
            Thread(target=self._work, name=f"worker-{number}", daemon=True).start()

    def submit(self, behaviour: Callable[..., object], *arguments: object) -> None:
        """Have a call answered by the next thread that is free."""
        self._calls.put((behaviour, arguments))

    def close(self) -> None:
        """Let the threads go, once they have done what was submitted."""
        for _ in range(self._threads):
            self._calls.put(None)

    def _work(self) -> None:
        while call := self._calls.get():
            behaviour, arguments = call
            try:
                behaviour(*arguments)
            except Exception as bug:  # a thread is not lost for it
                complain(bug)
            del call, behaviour, arguments  # else they would be kept until the next call


class Apart:
    """A behaviour of a method, marked for grpcio to run in a thread pool of its own."""

    def __init__(self, behaviour: Callable[..., Any], pool: ThreadPoolExecutor, *, non_blocking: bool = False) -> None:
        """Mark it; a non-blocking one is handed `send` too, and may return before its stream ends."""
        self._behaviour = behaviour
        self.experimental_thread_pool = pool
        self.experimental_non_blocking = non_blocking

    def __call__(self, *arguments: Any) -> Any:
        """Answer the call."""
        return self._behaviour(*arguments)


class Patience:
    """Hang up on callers that are waited for too long: that do not send their message, or do not take ours."""

    def __init__(self, seconds: float, max_bytes: int) -> None:
        """Start to wait, this long and for messages of up to so many bytes; `close` stops it."""
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._since: dict[grpc.ServicerContext, float] = {}
        self._over = Event()
        Thread(target=self._look_round, name="patience", daemon=True).start()

    def waits(self, context: grpc.ServicerContext) -> None:
        """Begin to wait for a caller, and to hang up on it in time."""
        self._since[context] = time.monotonic()

    def waited(self, context: grpc.ServicerContext) -> None:
        """Wait for a caller no more."""
        self._since.pop(context, None)

    def take(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        """Return the call's first message; raise Unasked when there will be none."""
        self.waits(context)
        try:
            message = next(messages)
        except StopIteration:
            # A message far over the limit ends the call too: gRPC's core sends the status for it itself.
            if over(context):
                raise Unasked(gone(context), OVER) from None
            raise Unasked("UNIMPLEMENTED", NONE_CAME) from None
        except grpc.RpcError as lost:
            # grpcio keeps it with the call, and it would keep the call: a ring that stays until rings are looked for.
            lost.__traceback__ = None
            raise Unasked(gone(context), OVER) from None
        finally:
            self.waited(context)
        return self.fit(message)

    def fit(self, message: bytes) -> bytes:
        """Return a message that is not too long; raise Unasked for one that is."""
        if len(message) > self._max_bytes:
            raise Unasked(
                "RESOURCE_EXHAUSTED",
                f"The message has {len(message)} bytes, and this referee takes {self._max_bytes}.",
                "bytes",
            )
        return message

    def give(self, send: Send, message: bytes, context: grpc.ServicerContext) -> None:
        """Send a message on a stream; one that its caller does not take in time is lost with the call."""
        self.waits(context)
        try:
            send(message)
        finally:
            self.waited(context)

    def close(self) -> None:
        """Stop looking after the callers; those that still wait are the server's to end."""
        self._over.set()

    def _look_round(self) -> None:
        while not self._over.wait(min(1.0, self._seconds / 2)):
            longest = time.monotonic() - self._seconds
            for context, since in self._since.copy().items():
                if since < longest:
                    context.cancel()


class Tally:
    """How many calls are open."""

    def __init__(self) -> None:
        """Start with none."""
        self.came = 0
        self._open = 0
        self._last = time.monotonic()
        self._lock = Lock()

    def enter(self) -> int:
        """Count a call that came, and return how many are open now."""
        with self._lock:
            self.came += 1
            self._open += 1
            return self._open

    def leave(self) -> None:
        """Count a call that ended, its answer sent."""
        with self._lock:
            self._open -= 1
            self._last = time.monotonic()

    def idle(self) -> float:
        """Return for how many seconds no call has been open; 0 while one is."""
        with self._lock:
            return 0.0 if self._open else time.monotonic() - self._last
