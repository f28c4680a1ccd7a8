"""Calls carried by the thread that learns of them.

grpcio learns of all that happens to its calls in one thread, which polls its core. By its pages each call holds a
thread of its own, which is woken when a message has come, and for a stream again when the answer has gone. Here the
polling thread takes the messages in: a call by itself has a thread only while it is judged, and the messages of a
stream are judged where they came. A call costs two thirds of what it did, a stream's message half.

That takes what grpcio does not document. Nothing else in the referee knows it, and where it is not to be found calls
are carried as grpcio's pages say. Tried with grpcio 1.76 to 1.85.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from inspect import signature
from typing import Any

import grpc

from referee.bugs import complain
from referee.service.turns import give_way

try:
    from grpc._cython.cygrpc import (
        ReceiveMessageOperation,
        SendInitialMetadataOperation,
        SendMessageOperation,
        SendStatusFromServerOperation,
        WriteFlag,
    )
    from grpc._server import (
        _CANCELLED,
        _Context,
        _is_rpc_state_active,
        _possibly_finish_call,
        _stream_response_in_pool,
    )

    _GIVEN = [*signature(_stream_response_in_pool).parameters][:3], [*signature(_Context).parameters]
    FOUND = _GIVEN == (["rpc_event", "state", "behavior"], ["rpc_event", "state", "request_deserializer"])
except ImportError:
    FOUND = False

# All calls wait for the polling thread. A question has a few hundred bytes; so many of nonsense take it a millisecond.
_SHORT = 2_000
# So many answers at most wait or are written together, and after so many messages other threads that want the
# interpreter are let in, as in a batch.
_TOGETHER = 8
_NO_FLAGS = 0
_CODES = {code.name: code.value[0] for code in grpc.StatusCode}


class AtOnce(ThreadPoolExecutor):
    """What grpcio takes for the threads of a method: its calls are begun at once, by the polling thread."""

    def submit(self, _: Any, /, *given: Any, **__: Any) -> Any:
        """Begin a call, handed over as grpcio hands a stream to a pool."""
        _respond, event, state, begin, *_rest = given
        try:
            begin(Call(event, state))
        except Exception as bug:
            # It would end the polling thread, and with it the server.
            complain(bug)
            event.call.cancel()


class Call:
    """An open call, in which one message is answered by one."""

    def __init__(self, event: Any, state: Any) -> None:
        """Take how grpcio knows it."""
        self.context: grpc.ServicerContext = _Context(event, state, None)
        self._call = event.call
        self._state = state

    @property
    def cut(self) -> bool:
        """Whether the call was cut off. The core ends the messages before it says so, and the call after it."""
        return self._state.client is _CANCELLED

    def take(self, then: Callable[[bytes | None], None]) -> None:
        """Go on with the message once it has come, in the polling thread; with None when none will."""
        operations = (ReceiveMessageOperation(_NO_FLAGS),)
        self._start(operations, "message", lambda event: then(event.batch_operations[0].message()))

    def look(self, then: Callable[[], None]) -> None:
        """Go on when all that is here to be learnt of now has been, in the polling thread."""
        self._start((), object(), lambda _: then())

    def tell(self, then: Callable[[], None]) -> None:
        """Go on in the polling thread, from another; not where the call is over."""
        with self._state.condition:
            if _is_rpc_state_active(self._state):
                self.look(then)

    def end(self, code: str, message: str, trailing: Any = (), body: bytes = b"") -> None:
        """Send the status, and before it the answer if it is OK; nothing is sent where the call is over."""
        status = SendStatusFromServerOperation(trailing, _CODES[code], message.encode(), _NO_FLAGS)
        answer = (SendMessageOperation(body, _NO_FLAGS),) if code == "OK" else ()
        with self._state.condition:
            if _is_rpc_state_active(self._state):
                self._start((SendInitialMetadataOperation(None, _NO_FLAGS), *answer, status), "status", None)
                self._state.statused = True

    def _start(self, operations: tuple[Any, ...], mark: Any, then: Callable[[Any], None] | None) -> None:
        self._call.start_server_batch(operations, partial(self._done, mark, then))
        self._state.due.add(mark)

    def _done(self, mark: Any, then: Callable[[Any], None] | None, event: Any) -> Any:
        try:
            if then:
                then(event)
        except Exception as bug:
            # As in AtOnce.
            complain(bug)
            self.context.cancel()
        with self._state.condition:
            return _possibly_finish_call(self._state, mark)


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
        """Whether the call was cut off; see Call."""
        return self._state.client is _CANCELLED

    def _go_on(self) -> None:
        if not _is_rpc_state_active(self._state):
            self._answers.clear()
            self._last = True
        if not (self._last or self._reading) and len(self._answers) < _TOGETHER:
            self._reading = self._start((ReceiveMessageOperation(_NO_FLAGS),), self._came)
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
        except Exception as bug:
            # As in AtOnce.
            complain(bug)
            self._context.cancel()
            with suppress(Exception):
                self._over()
        with self._state.condition:
            return _possibly_finish_call(self._state, number)
