"""Calls of one question, from their coming to their status."""

from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic, perf_counter_ns

import grpc

from referee.ending import End
from referee.heard import trailing
from referee.polled import Call
from referee.service import Refused, Reply
from referee.workers import NONE_CAME, OVER, Patience, Tally, Unasked, Workers, gone

Answer = Callable[[bytes, str], Reply]
# Seconds that others are let in for at most, and that pass until they are again. A thousand come in within as many.
_TURN = 0.1
UNHEARD = "The call was over before its answer."


class Entrance:
    """The questions that were taken in, on their way to the workers.

    The polling thread and the workers take turns, so that of a crowd most would wait in gRPC's core, where nobody
    counts them, and from a thousand on the core drops them. Therefore now and then nothing is judged for as long as
    there are others to let in: from then on all are in hand, and those are told to ask another who are too many.
    """

    def __init__(self, workers: Workers, tally: Tally) -> None:
        """Lead to these workers; `tally` counts calls as they come."""
        self._workers = workers
        self._tally = tally
        self._held: list[tuple[Callable[[bytes], None], bytes]] = []
        self._holding = False
        self._came = 0
        self._turn = 0.0

    def take(self, call: Call, judge: Callable[[bytes], None], question: bytes) -> None:
        """Have the question of a call judged; called by the polling thread only."""
        if not self._holding:
            if (now := monotonic()) < self._turn:
                self._workers.submit(judge, question)
                return
            self._holding, self._turn = True, now + _TURN
            self._look(call)
        self._held.append((judge, question))

    def _look(self, call: Call) -> None:
        self._came = self._tally.came
        try:
            call.look(partial(self._looked, call))
        except Exception:
            self._let_go()
            raise

    def _looked(self, call: Call) -> None:
        if self._tally.came > self._came and monotonic() < self._turn:
            self._look(call)
        else:
            self._let_go()

    def _let_go(self) -> None:
        held, self._held, self._holding = self._held, [], False
        self._turn = monotonic() + _TURN
        for judge, question in held:
            self._workers.submit(judge, question)


class Single:
    """One call of one question."""

    __slots__ = ("_answer", "_call", "_end", "_entered", "_entrance", "_languages", "_patience")

    def __init__(
        self,
        call: Call,
        end: End,
        languages: str,
        answer: Answer,
        patience: Patience,
        entrance: Entrance,
        entered: Callable[[End, grpc.ServicerContext], None],
    ) -> None:
        """Take it with its End, what answers it, and what is told when it has ended."""
        self._call = call
        self._end = end
        self._languages = languages
        self._answer = answer
        self._patience = patience
        self._entrance = entrance
        self._entered = entered

    def begin(self) -> None:
        """Have the question answered by a worker once it has come."""
        self._call.take(self._taken)
        self._patience.waits(self._call.context)

    def _taken(self, question: bytes | None) -> None:
        self._patience.waited(self._call.context)
        if question is None:
            # Whether its caller has closed the call or is gone is known once it is over.
            self._call.context.add_callback(self._never)
            self._call.end("UNIMPLEMENTED", NONE_CAME)
        else:
            self._entrance.take(self._call, self._judge, question)

    def _never(self) -> None:
        code, message = (gone(self._call.context), OVER) if self._call.cut else ("UNIMPLEMENTED", NONE_CAME)
        self._end.refuse(code, message)
        self._entered(self._end, self._call.context)

    def _judge(self, question: bytes) -> None:
        body = b""
        try:
            body = judged(self._answer, self._patience.fit(question), self._languages, self._end)
        except Unasked as long:
            self._end.refuse(long.code, long.message, long.reason)
        if self._call.cut and self._end.code == "OK":
            self._end.refuse(gone(self._call.context), UNHEARD)
        self._close(body)

    def _close(self, body: bytes) -> None:
        try:
            self._entered(self._end, self._call.context)
        finally:
            tell(self._call, self._end, body)


def tell(call: Call, end: End, body: bytes = b"") -> None:
    """Send the answer and the status that an End speaks of."""
    call.end(end.code, end.message, trailing(end), body)


def waited_for(
    messages: Iterator[bytes],
    end: End,
    languages: str,
    answer: Answer,
    patience: Patience,
    context: grpc.ServicerContext,
) -> bytes:
    """Wait for the question of a call in this thread, and return the answer to it; how that went is in its End."""
    try:
        body = judged(answer, patience.take(messages, context), languages, end)
    except Unasked as never:
        end.refuse(never.code, never.message, never.reason, never.details)
        return b""
    if end.code == "OK" and not context.is_active():
        end.refuse(gone(context), UNHEARD)
    return body


def judged(answer: Answer, question: bytes, languages: str, end: End) -> bytes:
    """Return the answer to the question of a call; how that went is in its End."""
    end.nanoseconds = -perf_counter_ns()
    end.bytes_in = len(question)
    try:
        body, end.note = answer(question, languages)
    except Refused as no:
        end.refuse(no.code, no.message, no.note.reason, no.details)
        return b""
    except Exception as bug:
        end.blame(bug)
        return b""
    end.bytes_out = len(body)
    if end.note.many:
        end.questions = len(end.note.many)
        end.refused = sum(note.code != "OK" for note in end.note.many)
    return body
