"""What the referee counts, each with the sentence that a dashboard shows, and the port where it is read.

Every label comes from a closed set: our methods, gRPC's codes, verdicts, rule ids, reasons. Nothing that a
client makes up becomes one, and no tile ever does.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Generic, TypeVar
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.metrics import MetricWrapperBase

from referee.service import Note
from referee.settings import split

# Else each count comes with its time of birth, which doubles the page.
disable_created_metrics()  # type: ignore[no-untyped-call]

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Child = TypeVar("Child", bound=MetricWrapperBase)

# From a tenth of a millisecond, where one act is judged, to the seconds that only a fault would take.
SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class _Bound(dict[tuple[str, ...], Child], Generic[Child]):
    """The children of one metric by their labels; prometheus-client, slow at it, looks each up only once."""

    def __init__(self, metric: Child) -> None:
        self._metric = metric

    def __missing__(self, labels: tuple[str, ...]) -> Child:
        child = self[labels] = self._metric.labels(*labels)
        return child


class Metrics:
    """The counts of one server, in a registry of its own."""

    def __init__(self, methods: Iterable[str], verdicts: Iterable[str], rules: Iterable[str]) -> None:
        """Declare the metrics; what is named here starts at zero, so that a rate sees the first of each."""
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = _Bound(
            Counter(
                "referee_requests",
                "Calls that ended, by method and by the status that the caller got.",
                ("method", "code"),
                registry=self.registry,
            )
        )
        self._seconds = _Bound(
            Histogram(
                "referee_request_seconds",
                "Seconds from a question read to its answer made, by method.",
                ("method",),
                buckets=SECONDS,
                registry=self.registry,
            )
        )
        self._rulings = _Bound(
            Counter(
                "referee_rulings",
                "Rulings given, by verdict; a Replay counts once, with the verdict of its last act.",
                ("verdict",),
                registry=self.registry,
            )
        )
        self._findings = _Bound(
            Counter(
                "referee_findings",
                "Rulings that found an article broken, by the id of the article.",
                ("rule",),
                registry=self.registry,
            )
        )
        self._malformed = _Bound(
            Counter(
                "referee_malformed",
                "Questions refused because they describe no table or act, by what was wrong first.",
                ("reason",),
                registry=self.registry,
            )
        )
        self._questions = _Bound(
            Counter(
                "referee_questions",
                "Questions in batches and on streams, by method and by the status that each got.",
                ("method", "code"),
                registry=self.registry,
            )
        )
        self.streams = Gauge("referee_streams", "Streams that are open.", registry=self.registry)
        self.replaced = Counter(
            "referee_workers_replaced",
            "Worker processes that died in this one's place, and were replaced; 0 with one worker.",
            registry=self.registry,
        )
        for method in methods:
            self._seconds[(method,)]
            for code in ("OK", "INVALID_ARGUMENT", "INTERNAL"):
                self._requests[method, code]
        for verdict in verdicts:
            self._rulings[(verdict,)]
        for rule in rules:
            self._findings[(rule,)]

    def count(self, method: str, code: str, seconds: float, note: Note) -> None:
        """Count one call that ended."""
        self.ended(method, code)
        self._seconds[(method,)].observe(seconds)
        self._note(note)
        for each in note.many:
            self._questions[method, each.code].inc()
            self._note(each)

    def ended(self, method: str, code: str) -> None:
        """Count the end of a call whose questions were counted one by one."""
        self._requests[method, code].inc()

    def answered(self, method: str, seconds: float, note: Note) -> None:
        """Count one question of a stream."""
        self._questions[method, note.code].inc()
        self._seconds[(method,)].observe(seconds)
        self._note(note)

    def _note(self, note: Note) -> None:
        if note.verdict:
            self._rulings[(note.verdict,)].inc()
        for rule in note.rules:
            self._findings[(rule,)].inc()
        if note.reason:
            self._malformed[(note.reason,)].inc()

    def serve(self, address: str) -> WSGIServer:
        """Open the metrics port at host:port, served from threads of its own; raise OSError if it cannot be."""
        host, port = split(address)
        # Without an address prometheus-client would listen on every interface.
        page, _ = start_http_server(port, host.strip("[]"), self.registry)
        app = page.get_app()
        assert app is not None, "prometheus-client has given it one"
        page.set_app(_unshaken(app))
        return page


def _unshaken(app: "WSGIApplication") -> "WSGIApplication":
    """Answer what prometheus-client stumbles over, such as an Accept header of nonsense, as if it had not been said."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        try:
            return app(environ, start_response)
        except Exception:
            plain = {key: value for key, value in environ.items() if not key.startswith("HTTP_")}
            return app({**plain, "QUERY_STRING": ""}, start_response)

    return answer
