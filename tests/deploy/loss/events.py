"""What befalls the replicas while hands are judged; each event ends when all is well again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.deploy.loss.hands import hands
from tests.deploy.loss.hosts import Hosts
from tests.deploy.loss.load import Load
from tests.deploy.loss.replicas import REFEREE, Replica

UPGRADED = (sys.executable, "-m", "tests.deploy.loss.odd", "upgraded")


class Scene(NamedTuple):
    """Everything that an event has to do with.

    `beat` is the number of questions that each state of things lasts; `join` tells whoever is in front of all replicas.
    """

    replicas: Sequence[Replica]
    load: Load
    beat: int
    join: Callable[[], None]
    network: Hosts | None = None

    @property
    def up(self) -> list[Replica]:
        """The replicas that run."""
        return [replica for replica in self.replicas if replica.up]

    def wait(self) -> None:
        """Let things be as they are for a while."""
        self.load.more(self.beat)


def steady(scene: Scene) -> None:
    """Nothing happens."""
    scene.wait()


def kill(scene: Scene) -> None:
    """Kill one with signal 9, and start it again later."""
    scene.replicas[0].kill()
    scene.wait()
    scene.replicas[0].start()
    scene.replicas[0].joined()


def freeze(scene: Scene) -> None:
    """Stop one with SIGSTOP, as a machine does that hangs, and let it go on later."""
    scene.replicas[1].freeze()
    scene.wait()
    scene.replicas[1].thaw()
    scene.replicas[1].joined()


def hang(scene: Scene) -> None:
    """Stop two for so long that nobody asks them, let them go on, and at once kill the third."""
    for replica in scene.replicas[1:3]:
        replica.freeze()
    scene.load.more(scene.beat // 3)
    for replica in scene.replicas[1:3]:
        replica.thaw()
    scene.load.more(scene.beat // 10)
    kill(scene)


def drain(scene: Scene) -> None:
    """Tell one to stop, and start it again later."""
    scene.replicas[2].drain()
    scene.wait()
    scene.replicas[2].start()
    scene.replicas[2].joined()


def restart(scene: Scene) -> None:
    """Restart all, one after another."""
    for replica in scene.up:
        _again(replica)


def add(scene: Scene) -> None:
    """Start one more, and tell whoever is in front."""
    scene.replicas[-1].start()
    scene.join()
    scene.replicas[-1].joined()
    scene.wait()


def upgrade(scene: Scene) -> None:
    """Replace all by replicas that serve rulebook 2 as well, in the middle of hands; then deal hands under it."""
    for replica in scene.up:
        _again(replica, UPGRADED)
    scene.wait()
    scene.load.deal(hands(2))
    scene.wait()


def cut(scene: Scene) -> None:
    """Cut the link to one, and mend it later."""
    assert scene.network
    scene.network.cut(1)
    scene.wait()
    scene.network.mend(1)
    scene.replicas[0].joined()


def slow(scene: Scene) -> None:
    """Make the link from one as slow as an old telephone line's, and fast again later."""
    assert scene.network
    scene.network.slow(2, kilobits=64)
    scene.wait()
    scene.network.fast(2)
    scene.replicas[1].joined()


def _again(replica: Replica, command: Sequence[str] = REFEREE) -> None:
    """Stop one, start it and go on only when calls reach it, as Kubernetes does in a rolling update."""
    replica.drain()
    replica.start(command)
    replica.joined()


Event = Callable[[Scene], None]
HERE: tuple[Event, ...] = (steady, kill, freeze, hang, drain, restart, add, upgrade)
ACROSS: tuple[Event, ...] = (steady, cut, slow, kill, freeze, hang, drain, restart)
