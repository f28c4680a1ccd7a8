"""What calls leave behind, worked out many at a time.

A call enters its End and is done. Lines, counts and spans are made of it a little later, together with those of other
calls: one by one, between one call's work and the next, they would cost several times as much.
"""

from collections import deque
from threading import Lock

from referee.ending import PART, End
from referee.log import Fields, Log
from referee.metrics import Metrics
from referee.spans import Spans

# So many are worked out together, by whoever enters the last of them; fewer when the log is written.
TOGETHER = 64


class Journal:
    """The journal of one server."""

    def __init__(self, metrics: Metrics, log: Log, spans: Spans | None = None, *, each: bool) -> None:
        """Begin it; `each` writes a line for every call, else only faults have one."""
        self._metrics = metrics
        self._log = log
        self._spans = spans
        self._each = each
        self._entered: deque[End] = deque()
        self._settling = Lock()
        log.settled_by(self.settle)

    def enter(self, end: End) -> None:
        """Enter the end of a call; from a warning on its line is written at once."""
        self._entered.append(end)
        if end.code != "OK" or end.refused:
            self._log.soon()
        # Also here, for where nobody reads the log it settles nothing; but no call waits for another that settles.
        if len(self._entered) >= TOGETHER and not self._settling.locked():
            self.settle()

    def settle(self) -> None:
        """Work out what was entered: afterwards it is counted, and its lines wait to be written."""
        with self._settling:
            # And no more: a call that settles would be held up by all that come.
            ended = [self._entered.popleft() for _ in range(len(self._entered))]
            self._metrics.count(ended)
            for end in ended:
                if (self._each and end.kind is not PART) or end.fault:
                    self._log.add(_line(end))
                if self._spans and end.kind is not PART:
                    self._spans.add(end)

    @property
    def lost(self) -> int:
        """How many lines could not be kept until they were written."""
        return self._log.lost


def _line(end: End) -> Fields:
    """Return the line of a call: only what has a value, in the order of the page."""
    note = end.note
    line: Fields = {
        "time": end.at // 1000 / 1e6,
        "level": end.level,
        "event": "call",
        "method": end.method,
        "code": end.code,
    }
    if note.stage:
        line["stage"] = note.stage
        line["verdict"] = note.verdict
        if note.rules:
            line["rules"] = note.rules
        if note.acts:
            line["acts"] = note.acts
    if end.questions:
        line["questions"] = end.questions
        if end.refused:
            line["refused"] = end.refused
    if end.reason:
        line["reason"] = end.reason
    if note.ruling:
        line["ruling"] = note.ruling
    line["seconds"] = end.nanoseconds // 1000 / 1e6
    if end.bytes_in:
        line["bytes_in"] = end.bytes_in
    if end.bytes_out:
        line["bytes_out"] = end.bytes_out
    if end.request:
        line["request"] = end.request
    if end.trace:
        line["trace"] = end.trace[3:35]
    line["peer"] = end.peer
    if end.caller:
        line["caller"] = end.caller
    if end.fault:
        line.update(end.fault)
    return line
