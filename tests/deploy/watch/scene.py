"""What is looked at: two referees under load, one of two workers and one with a fault, and what watches them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

from tests.deploy.loss.replicas import until
from tests.deploy.watch.load import FEW, faulty, loaded
from tests.deploy.watch.programs import Prometheus, alertmanager, hook, prometheus
from tests.ports import free_port, free_ports
from tests.wire.asking import Process, referee


class Watched(NamedTuple):
    """The referee of two workers, the Prometheus that reads all three, and the alerts that come of it."""

    two_workers: Process
    prometheus: Prometheus
    alerts: Queue[dict[str, Any]]

    def kill_a_worker(self) -> None:
        """Kill the first worker, once Prometheus has seen that none was replaced: without that it sees no increase."""
        unharmed = "referee_workers_replaced_total == 0"
        until(lambda: 3 == len(self.prometheus.query(unharmed)), "all workers are counted")
        first = next(line for line in self.two_workers.before if line["event"] == "worker_started")
        os.kill(first["pid"], signal.SIGKILL)


@contextmanager
def watching(place: Path) -> Iterator[Watched]:
    """Run all of it, with the rules and settings of deploy/prometheus, until the block ends."""
    (place / "key").write_bytes(b"0123456789abcdef")
    first, third = free_ports(2), free_port()
    targets = [f"127.0.0.1:{port}" for port in (first, first + 1, third)]
    flags = ("--workers", "2", "--log", "off", "--metrics", targets[0])
    limits = ("--max-questions", f"{FEW}", "--id-key-file", f"{place / 'key'}")
    with ExitStack() as opens:
        address, alerts = opens.enter_context(hook())
        manager = opens.enter_context(alertmanager(place, address))
        two_workers = opens.enter_context(referee(*flags, *limits))
        fault = opens.enter_context(faulty(targets[2]))
        opens.enter_context(loaded(two_workers.address, fault))
        yield Watched(two_workers, opens.enter_context(prometheus(place, targets, manager)), alerts)
