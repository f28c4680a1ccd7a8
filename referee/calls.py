"""Calls of one question, from their coming to their status."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic, perf_counter_ns

import grpc

from referee.bugs import complain
from referee.ending import End
from referee.heard import trailing
from referee.polled import Call
from referee.service import Refused, Reply
from referee.workers import NONE_CAME, OVER, Patience, Tally, Unasked, Workers, gone

Answer = Callable[[bytes, str], Reply]
AHEAD = 256 * 1024
"""How many bytes a call may send before they are taken in."""
# Of so many calls questions are taken in at the same time, for each may be as long as messages may be.
WAITED_FOR = 16
# Seconds in which others are let in at most, and after which they are again: a thousand calls come in meanwhile.
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
        self._until = self._next = 0.0

    def take(self, call: Call, judge: Callable[[bytes], None], question: bytes) -> None:
        """Have the question of a call judged; called by the polling thread only."""
        if not self._holding:
            if (now := monotonic()) < self._next:
                self._workers.submit(judge, question)
                return
            self._holding, self._until = True, now + _TURN
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
        if self._tally.came > self._came and monotonic() < self._until:
            self._look(call)
        else:
            self._let_go()

    def _let_go(self) -> None:
        held, self._held, self._holding = self._held, [], False
        self._next = monotonic() + _TURN
        for judge, question in held:
            self._workers.submit(judge, question)


class Singles:
    """The calls of one question of a server.

    Of so many at the same time questions are taken in; the others wait in the order they came. A long question keeps
    its place until it is judged. Only the polling thread comes here.
    """

    def __init__(
        self, patience: Patience, workers: Workers, tally: Tally, entered: Callable[[End, grpc.ServicerContext], None]
    ) -> None:
        """Have them judged by these workers; `entered` is told of each when it has ended."""
        self.patience = patience
        self.entrance = Entrance(workers, tally)
        self.entered = entered
        self._free = WAITED_FOR
        self._waiting: OrderedDict[Single, None] = OrderedDict()

    def add(self, call: "Single") -> None:
        """Begin with a call when it is its turn."""
        if self._free and call.start():
            self._free -= 1
        elif not self._free:
            self._waiting[call] = None

    def forget(self, call: "Single") -> None:
        """Wait no more for the turn of a call that is over."""
        self._waiting.pop(call, None)

    def leave(self) -> None:
        """Give a place back."""
        self._free += 1
        while self._free and self._waiting:
            call, _ = self._waiting.popitem(last=False)
            if call.start():
                self._free -= 1


class Single:
    """One call of one question."""

    __slots__ = ("_answer", "_call", "_end", "_inside", "_languages", "_singles", "_started")

    def __init__(self, singles: Singles, call: Call, end: End, languages: str, answer: Answer) -> None:
        """Take it among the others of its server, with its End and what answers it."""
        self._singles = singles
        self._call = call
        self._end = end
        self._languages = languages
        self._answer = answer
        self._started = self._inside = False

    def begin(self) -> None:
        """Have the question taken in when it is this call's turn, and answered by a worker."""
        self._singles.add(self)
        if not (self._started or self._call.context.add_callback(self._left)):
            self._left()

    def start(self) -> bool:
        """Take the question in; tell whether there is still a call to take it from."""
        if self._call.cut:
            return False
        self._singles.patience.waits(self._call.context)
        self._call.take(self._taken)
        self._started = self._inside = True
        return True

    def _left(self) -> None:
        if not self._started:
            self._singles.forget(self)
            self._never()

    def _taken(self, question: bytes | None) -> None:
        context = self._call.context
        self._singles.patience.waited(context)
        long = question is not None and len(question) > AHEAD
        if not (long and context.add_callback(self._leave)):
            self._leave()
        try:
            self._go_on(question)
        except Exception as bug:
            self._end.blame(bug)
            self._close()

    def _leave(self) -> None:
        if self._inside:
            self._inside = False
            self._singles.leave()

    def _go_on(self, question: bytes | None) -> None:
        if question is None:
            # Whether its caller has closed the call or is gone is known once it is over.
            self._call.context.add_callback(self._never)
            self._call.end("UNIMPLEMENTED", NONE_CAME, trailing(self._end))
            return
        self._end.nanoseconds = -perf_counter_ns()
        try:
            self._singles.entrance.take(self._call, self._judge, self._singles.patience.fit(question))
        except Unasked as long:
            self._leave()
            self._end.refuse(long.code, long.message, long.reason)
            self._close()

    def _never(self) -> None:
        code, message = (gone(self._call.context), OVER) if self._call.cut else ("UNIMPLEMENTED", NONE_CAME)
        self._end.refuse(code, message)
        self._singles.entered(self._end, self._call.context)

    def _judge(self, question: bytes) -> None:
        try:
            self._end.bytes_in = len(question)
            # Who is gone wants no answer; a flood of such calls would keep the others from theirs.
            body = b"" if self._call.cut else judged(self._answer, question, self._languages, self._end)
            if self._call.cut and self._end.code == "OK":
                self._end.refuse(gone(self._call.context), UNHEARD)
            if len(question) > AHEAD:
                self._call.tell(self._leave)
            self._close(body)
        except Exception:
            self._call.context.cancel()
            raise

    def _close(self, body: bytes = b"") -> None:
        try:
            self._singles.entered(self._end, self._call.context)
        except Exception as bug:  # the answer is not lost for it
            complain(bug)
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
        question = patience.take(messages, context)
        end.nanoseconds = -perf_counter_ns()
        body = judged(answer, question, languages, end)
    except Unasked as never:
        end.refuse(never.code, never.message, never.reason, never.details)
        return b""
    except Exception as bug:
        end.blame(bug)
        return b""
    if end.code == "OK" and not context.is_active():
        end.refuse(gone(context), UNHEARD)
    return body


def judged(answer: Answer, question: bytes, languages: str, end: End) -> bytes:
    """Return the answer to the question of a call; how that went is in its End."""
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
