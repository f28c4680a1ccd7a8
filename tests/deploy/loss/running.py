"""One run of the loss test: replicas, a front, players, events, and what came of the questions."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.deploy.loss.events import Event, Scene
from tests.deploy.loss.fronts import Envoy, bare, shipped
from tests.deploy.loss.hands import hands
from tests.deploy.loss.hosts import Hosts
from tests.deploy.loss.load import Load, Players
from tests.deploy.loss.node import NodePlayers
from tests.deploy.loss.replicas import REFEREE, Replica
from tests.deploy.loss.table import Row, Window, rows
from tests.ports import free_port

FRONTS = ("envoy", "python", "typescript")
UP = 3  # replicas at the beginning; on this machine there may come one more


class Terms(NamedTuple):
    """How to run: `front` is one of FRONTS; `rate` is questions a second; `beat` as in a Scene.

    Without retries, or with another command for the first replica, it is a run that has to fail.
    """

    front: str
    rate: float = 100.0
    beat: int = 200
    retries: bool = True
    first: Sequence[str] = REFEREE


def run(events: Sequence[Event], terms: Terms, network: Hosts | None = None) -> list[Row]:
    """Have hands judged while the events take place; return what came of it."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-loss-")))
        replicas = list(_replicas(place, network))
        for replica in replicas:
            stack.callback(replica.end)
        replicas[0].start(terms.first)
        for replica in replicas[1:UP]:
            replica.start()
        addresses = [replica.address for replica in replicas]
        if terms.front == "envoy":
            envoy = Envoy(place, addresses[:UP], retries=terms.retries)
            stack.callback(envoy.end)
            players = Players(bare(envoy.address), hands(), rate=terms.rate)
            scene = Scene(replicas, players, terms.beat, partial(envoy.replicas, addresses), network)
        else:
            scene = Scene(replicas, _client(place, addresses, terms), terms.beat, lambda: None, network)
        stack.callback(scene.load.stop)
        scene.load.more(terms.beat)  # what is slow only the first time is nobody's event
        windows = []
        for event in events:
            began = time.time()
            event(scene)
            windows.append(Window(event.__name__, began, time.time()))
        return rows(scene.load.stop(), windows)


def _client(place: Path, addresses: Sequence[str], terms: Terms) -> Load:
    if terms.front == "typescript":
        return NodePlayers(place, addresses, hands(), rate=terms.rate)
    return Players(shipped(addresses) if terms.retries else bare(*addresses), hands(), rate=terms.rate)


def _replicas(place: Path, network: Hosts | None) -> Iterator[Replica]:
    if network:
        for host in network.hosts[1:]:
            yield Replica(place, f"{host.address}:50051", f"{host.address}:9464", prefix=host.prefix)
    else:
        for _ in range(UP + 1):
            yield Replica(place, f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}")
