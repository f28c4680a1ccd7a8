"""The messages of a stream, each answered by the thread that learns of it.

grpcio learns of all that happens to its calls in one thread, which polls its core. It wakes a stream's own thread when
a message has come, and again when the answer has gone. Here the polling thread answers, an open stream holds no thread,
and the answers to messages that come close together are written together: a message costs half of what it did.

That takes what grpcio does not document. Nothing else in the referee knows it, and where it is not to be found streams
are carried as grpcio's pages say, each in a thread of its own. Tried with grpcio 1.76 to 1.85.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from typing import Any

import grpc

from referee.service.turns import give_way

try:
    from grpc._cython.cygrpc import ReceiveMessageOperation, SendMessageOperation, WriteFlag
    from grpc._server import _CANCELLED, _is_rpc_state_active, _possibly_finish_call

    FOUND = True
except ImportError:
    FOUND = False

# All calls wait for the polling thread. A question has a few hundred bytes; so many of nonsense take it a millisecond.
_SHORT = 2_000
# So many answers at most wait or are written together, and after so many messages other threads that want the
# interpreter are let in, as in a batch.
_TOGETHER = 8
_RECEIVE = 0


class Polled:
    """The messages of one open stream, taken one at a time."""

    def __init__(
        self,
        context: grpc.ServicerContext,
        pool: Executor,
        answer: Callable[[bytes], bytes | None],
        over: Callable[[], None],
    ) -> None:
        """Answer each message, in the polling thread, or if it is long in one of the pool; None ends the stream.

        `over` is called when all that was taken is answered and no more will be, perhaps more than once. Neither may
        raise anything.
        """
        inside: Any = context
        self._call = inside._rpc_event.call
        self._state = inside._state
        self._context = context
        self._pool = pool
        self._answer = answer
        self._over = over
        self._answers: deque[bytes] = deque()
        self._reading = self._judging = self._writing = self._last = False
        # Whether a message has come since the last write began: then the next may well be here too.
        self._busy = False
        self._kept = 0
        self._number = 0

    def begin(self) -> None:
        """Wait for the first message; the rest is done by the polling thread."""
        with self._state.condition:
            self._go_on()

    def stop(self) -> None:
        """Take no more messages, and be over when what was taken is answered."""
        with self._state.condition:
            self._last = True
            self._go_on()

    @property
    def cut(self) -> bool:
        """Whether the call was cut off. The core ends the messages before it says so, and the call after it."""
        return bool(self._state.client is _CANCELLED)

    def _go_on(self) -> None:
        if not _is_rpc_state_active(self._state):
            self._answers.clear()
            self._last = True
        if not (self._last or self._reading) and len(self._answers) < _TOGETHER:
            self._reading = self._start((ReceiveMessageOperation(_RECEIVE),), self._came)
        if self._answers and not self._writing:
            self._write()
        if self._last and not (self._judging or self._answers or self._writing):
            self._over()

    def _came(self, event: Any) -> None:
        message = event.batch_operations[0].message()
        with self._state.condition:
            if message is None:
                self._last = True
                self._go_on()
            if self._last:
                return
            self._judging = True
        if len(message) > _SHORT:
            self._pool.submit(self._judge, message)
        else:
            self._judge(message)

    def _judge(self, message: bytes) -> None:
        answer = self._answer(message)
        with self._state.condition:
            self._reading = self._judging = False
            self._busy = self._writing
            if answer is None:
                self._last = True
            else:
                self._answers.append(answer)
            self._go_on()

    def _write(self) -> None:
        """Write the first answer that waits; where another may soon be there too, see first, and write both at once."""
        busy, self._busy = self._busy, False
        if busy and len(self._answers) == 1:
            self._writing = self._start((), self._written)
            return
        answer = self._answers.popleft()
        keep = bool(self._answers) and self._kept < _TOGETHER
        self._kept = self._kept + 1 if keep else 0
        if self._state.initial_metadata_allowed:
            self._context.send_initial_metadata(())
        flag = WriteFlag.buffer_hint if keep else 0
        self._writing = self._start((SendMessageOperation(answer, flag),), self._written)

    def _written(self, _: Any) -> None:
        with self._state.condition:
            self._writing = False
            self._go_on()

    def _start(self, operations: tuple[Any, ...], then: Callable[[Any], None]) -> bool:
        """Start what the core is to do, and go on when it is done; tell whether the call is still open for that."""
        if not _is_rpc_state_active(self._state):
            return False
        self._number += 1
        self._call.start_server_batch(operations, partial(self._done, self._number, then))
        self._state.due.add(self._number)
        return True

    def _done(self, number: Any, then: Callable[[Any], None], event: Any) -> Any:
        try:
            then(event)
            if not number % (2 * _TOGETHER):
                give_way()
        except Exception:
            # It would end the polling thread, and with it the server.
            self._context.cancel()
            with suppress(Exception):
                self._over()
        with self._state.condition:
            return _possibly_finish_call(self._state, number)
