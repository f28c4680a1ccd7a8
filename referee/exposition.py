"""The port where the metrics are read, as Prometheus reads them: with exemplars for who asks for OpenMetrics."""

import platform
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import metadata
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import Exemplar, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from referee import meters
from referee.codec import SERVED
from referee.journal import Journal
from referee.meters import METERS, Meter
from referee.metrics import Labels, Metrics, Shown, Spread
from referee.readers import split
from referee.settings import version
from referee.table import NEWEST_RULEBOOK

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class Exposition(Collector):
    """What a scraper reads of one server, beside the `process_` metrics of its process."""

    def __init__(self, metrics: Metrics, journal: Journal) -> None:
        """Show these metrics; before each reading the journal is settled, to count what has ended by then."""
        self._metrics = metrics
        self._journal = journal
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield each meter with all that it shows now."""
        self._journal.settle()
        now = self._now()
        for meter in METERS:
            family = Metric(meter.name, meter.tells, meter.kind)
            if meter.kind == "histogram":
                for labels, spread in tuple(self._metrics.spreads[meter].items()):
                    _add_spread(family, dict(zip(meter.labels, labels, strict=True)), spread)
            else:
                name = f"{meter.name}_total" if meter.kind == "counter" else meter.name
                shown = self._metrics.shown if meter is meters.RULINGS else {}
                values = now.get(meter) or self._metrics.counts[meter]
                for labels, value in tuple(values.items()):
                    said = dict(zip(meter.labels, labels, strict=True))
                    family.add_sample(name, said, value, None, _exemplar(shown.get(labels)))
            yield family

    def describe(self) -> Iterable[Metric]:
        """Say nothing in advance, so that to register is not to collect."""
        return ()

    def serve(self, address: str) -> WSGIServer:
        """Open the metrics port at host:port, served from threads of its own; raise OSError if it cannot be."""
        host, port = split(address)
        # Without an address prometheus-client would listen on every interface.
        page, _ = start_http_server(port, host.strip("[]"), self.registry)
        app = page.get_app()
        assert app is not None, "prometheus-client has given it one"
        page.set_app(_unshaken(app))
        return page

    def _now(self) -> dict[Meter, dict[Labels, float]]:
        """Return what is not counted but looked at."""
        ended: defaultdict[str, int] = defaultdict(int)
        for (method, _), number in tuple(self._metrics.counts[meters.HANDLED].items()):
            ended[method] += number
        started = self._metrics.started.copy()  # after the ends, so that no call has ended and not started
        return {
            meters.STARTED: {(method,): number for method, number in started.items()},
            meters.IN_FLIGHT: {(method,): number - ended[method] for method, number in started.items()},
            meters.REPLACED: {(): self._metrics.replaced},
            meters.LINES_LOST: {(): self._journal.lost},
            meters.BUILD: {_BUILD: 1},
            meters.RULEBOOK_INFO: {(str(NEWEST_RULEBOOK), ",".join(map(str, SERVED))): 1},
        }


_BUILD = (version(), platform.python_version(), metadata.version("grpcio"), metadata.version("protobuf"))


def _add_spread(family: Metric, labels: dict[str, str], spread: Spread) -> None:
    total, sum_so_far = 0, spread.total
    for bound, count, shown in zip((*spread.bounds, float("inf")), tuple(spread.counts), spread.shown, strict=True):
        total += count
        le = floatToGoString(bound)  # type: ignore[no-untyped-call]
        family.add_sample(f"{family.name}_bucket", labels | {"le": le}, total, None, _exemplar(shown))
    family.add_sample(f"{family.name}_count", labels, total)
    family.add_sample(f"{family.name}_sum", labels, sum_so_far)


def _exemplar(shown: Shown | None) -> Exemplar | None:
    if shown is None:
        return None
    ruling, trace, value, at = shown
    labels = {"ruling": ruling, "trace_id": trace[3:35]}
    return Exemplar({name: said for name, said in labels.items() if said}, value, at / 1e9)


def _unshaken(app: "WSGIApplication") -> "WSGIApplication":
    """Answer what prometheus-client stumbles over, such as an Accept header of nonsense, as if it had not been said."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        try:
            return app(environ, start_response)
        except Exception:
            plain = {key: value for key, value in environ.items() if not key.startswith("HTTP_")}
            return app({**plain, "QUERY_STRING": ""}, start_response)

    return answer
