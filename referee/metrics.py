"""Count what the meters show, in plain numbers: this sits on every call.

The counters of prometheus-client, with a lock each, take three times as long. How they are read is its own:
`referee.exposition`.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from referee import meters
from referee.ending import PART, STREAM, End
from referee.meters import METERS, Meter
from referee.rulebook import RULEBOOK
from referee.ruling import Verdict
from referee.service import REASONS, Note
from referee.stages import Moment, Stage

Labels = tuple[str, ...]
# One call out of many, to look up: the id of its ruling, its traceparent, its value, and when, in nanoseconds.
Shown = tuple[str, str, float, int]


class Spread:
    """A histogram: how many values lie at each bound or below, the bound before it excluded."""

    __slots__ = ("bounds", "counts", "shown", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.shown: list[Shown | None] = [None] * len(self.counts)
        self.total = 0.0

    def add(self, value: float) -> int:
        """Count a value; return the place of its bound."""
        place = bisect_left(self.bounds, value)
        self.counts[place] += 1
        self.total += value
        return place


class Spreads(dict[Labels, Spread]):
    """The histograms of one meter by their labels, each made when it is first needed."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds

    def __missing__(self, labels: Labels) -> Spread:
        spread = self[labels] = Spread(self._bounds)
        return spread


def alike(notes: Sequence[Note]) -> list[tuple[Note, int]]:
    """Return notes with how often there is the very same one, as of rulings that rest on a precedent."""
    of = {id(note): note for note in notes}
    return [(of[which], times) for which, times in Counter(map(id, notes)).items()]


class Metrics:
    """The counts of one server."""

    def __init__(self, methods: Iterable[str]) -> None:
        """Start at zero; each thing that can be foreseen has its zero, so that a rate sees the first of it."""
        self.started: dict[str, int] = dict.fromkeys(methods, 0)
        self.replaced = 0
        self.counts: dict[Meter, defaultdict[Labels, int]] = {
            meter: defaultdict(int) for meter in METERS if meter.kind == "counter"
        }
        self.spreads = {meter: Spreads(meter.bounds) for meter in METERS if meter.kind == "histogram"}
        self.shown: dict[Labels, Shown] = {}
        """The last ruling at each stage with each verdict, where rulings have ids."""
        self._handled = self.counts[meters.HANDLED]
        self._questions = self.counts[meters.QUESTIONS]
        self._rulings = self.counts[meters.RULINGS]
        self._findings = self.counts[meters.FINDINGS]
        self._seconds = self.spreads[meters.SECONDS_TAKEN]
        self._bytes_in = self.spreads[meters.BYTES_IN]
        self._bytes_out = self.spreads[meters.BYTES_OUT]
        self._foresee()

    def count(self, ended: Iterable[End]) -> None:
        """Count what ended; not from two threads at once."""
        told: list[Note] = []
        for end in ended:
            self._count(end)
            notes = end.note.many or end.note.steps or (end.note,)
            for note in notes:
                if note.ruling:
                    self.shown[note.stage, note.verdict] = (note.ruling, end.trace, 1.0, end.at)
            told += notes
        # Most are the very same as others, so all are counted before any is looked at.
        for note, times in alike(told):
            if note.stage:
                self._tell(note, times)

    def _count(self, end: End) -> None:
        method, code, note = end.method, end.code, end.note
        if end.kind is PART:
            self._questions[method, code] += 1
        else:
            self._handled[method, code] += 1
        if end.kind is not STREAM:
            seconds = end.nanoseconds / 1e9
            spread = self._seconds[method, code]
            place = spread.add(seconds)
            if note.ruling:
                spread.shown[place] = (note.ruling, end.trace, seconds, end.at)
            self._bytes_in[(method,)].add(end.bytes_in)
            self._bytes_out[(method,)].add(end.bytes_out)
        if end.reason:
            meter = meters.MALFORMED if code == "INVALID_ARGUMENT" else meters.REFUSED
            self.counts[meter][(end.reason,)] += 1
        if note.many:
            self._questions[method, "OK"] += end.questions - end.refused
        for each in note.many if end.refused else ():
            if each.code != "OK":
                self._questions[method, each.code] += 1
            if each.reason:
                self.counts[meters.MALFORMED][(each.reason,)] += 1

    def _tell(self, note: Note, times: int) -> None:
        stage = note.stage
        self._rulings[stage, note.verdict] += times
        for rule in note.rules:
            self._findings[stage, rule] += times
        for rule in note.undecided:
            self.counts[meters.UNDECIDED][(rule,)] += times
        if note.jokers:
            rule = "joker.passed" if "joker.passed" in note.rules else "joker.found"
            self.counts[meters.JOKERS][(rule,)] += note.jokers * times
        if note.moment:
            self.counts[meters.MISDEALS][(note.moment,)] += times

    def _foresee(self) -> None:
        for method in self.started:
            for code in ("OK", "INVALID_ARGUMENT", "INTERNAL"):
                self._handled[method, code] += 0
            self._seconds[method, "OK"], self._bytes_in[(method,)], self._bytes_out[(method,)]
        for stage in Stage:
            for verdict in Verdict:
                self._rulings[stage.name, verdict.name] += 0
        for rule in RULEBOOK.articles:
            for stage in sorted(set().union(*rule.asked.values())):
                self._findings[stage.name, rule.id] += 0
        for meter, values in (
            (meters.MISDEALS, Moment.__members__),
            (meters.JOKERS, ("joker.passed", "joker.found")),
            (meters.MALFORMED, REASONS),
            (meters.REFUSED, meters.REFUSALS),
        ):
            for value in values:
                self.counts[meter][(value,)] += 0
