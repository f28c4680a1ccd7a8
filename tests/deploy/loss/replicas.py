"""Replicas of the referee as processes that can be killed, frozen, drained and started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.request import urlopen

from tests.deploy.loss.load import SOON

REFEREE = (sys.executable, "-m", "referee")
JUDGED = re.compile(r'^referee_requests_total\{.*method="Judge".*\} (\S+)$', re.MULTILINE)


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait until something has come about; raise TimeoutError, saying what, if it does not."""
    ends = time.monotonic() + SOON
    while not condition():
        if time.monotonic() > ends:
            raise TimeoutError(f"waited in vain until {what}")
        time.sleep(0.05)


class Replica:
    """One referee at one address, under a prefix such as `ip netns exec NAME`."""

    def __init__(self, place: Path, address: str, metrics: str, *, prefix: Sequence[str] = ()) -> None:
        """Know where it is to be; what it writes goes to a file in `place`."""
        self.address, self.metrics = address, metrics
        self._log = place / f"replica-{address.replace(':', '-')}.jsonl"
        self._prefix = prefix
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def up(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self.process, "it was never started"
        return self.process.pid

    def start(self, command: Sequence[str] = REFEREE) -> None:
        """Start it, by a command that goes on as `referee` does, and wait until it serves."""
        told = ["--listen", self.address, "--metrics", self.metrics, "--log", "off", "--pin", "off"]
        # Hosts of a test are all on one machine; the pause is longer than it takes whoever is in front to notice.
        told += ["--insecure", "on", "--drain-pause", "4"]
        written = self._log.open("ab")
        began = written.tell()
        with written:
            line = [*self._prefix, *command, "serve", *told]
            quietly = os.environ | {"GRPC_VERBOSITY": "NONE"}
            self.process = subprocess.Popen(line, stdout=written, env=quietly, start_new_session=True)
        until(lambda: self._serves(began) or not self.up, "a replica serves")
        if not self.up:
            raise RuntimeError(f"a replica ended with {self._ended()} instead of serving")

    def kill(self) -> None:
        """End it at once, as a machine does that loses power."""
        self._signal(signal.SIGKILL)
        self._ended()

    def freeze(self) -> None:
        """Stop it from doing anything, while its connections stay open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def drain(self) -> None:
        """Tell it to stop and wait until it has; raise RuntimeError unless it says that all is well."""
        self._signal(signal.SIGTERM)
        if status := self._ended():
            raise RuntimeError(f"a replica that was told to stop ended with {status}")

    def end(self) -> None:
        """End it whatever it is doing."""
        if self.up:
            self.kill()

    def judged(self) -> float:
        """Return how many acts it says that it has judged since it was started."""
        with urlopen(f"http://{self.metrics}/metrics", timeout=SOON) as page:
            return sum(map(float, JUDGED.findall(page.read().decode())))

    def joined(self) -> None:
        """Wait until calls reach it."""
        begun = self.judged()
        until(lambda: self.judged() > begun + 2, "calls reach a replica")

    def _signal(self, number: int) -> None:
        os.killpg(self.pid, number)

    def _ended(self) -> int:
        assert self.process, "it was never started"
        return self.process.wait(SOON)

    def _serves(self, after: int) -> bool:
        return b'"event":"serving"' in self._log.read_bytes()[after:]
