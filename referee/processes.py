"""Serve with several worker processes: start them, watch over them, replace those that die, and stop them.

The parent opens nothing itself: it holds the port, and its workers listen there together. Each is a program started
anew, for what gRPC has running in one process does not survive a fork.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, replace
from io import FileIO
from queue import SimpleQueue
from threading import Thread, Timer
from time import monotonic
from typing import NamedTuple

from referee.cpus import choose
from referee.log import Log
from referee.ports import CannotServe, held
from referee.readers import split
from referee.settings import Settings, compiled, version
from referee.signals import Told

# Seconds that a worker has served after which its end is no sign of more to come.
STEADY = 10.0
# Seconds until a worker is replaced: the first at once, then after each that was not steady twice as long.
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
# Seconds beside the pause and the grace that workers have to stop.
SPARE = 15.0


class Started(NamedTuple):
    """A worker that tells how its start went: which metrics port it has, or why it cannot serve."""

    worker: "Worker"
    told: dict[str, str]


class Ended(NamedTuple):
    """A worker that has ended: its exit status, or below zero the signal."""

    worker: "Worker"
    status: int


class Due(NamedTuple):
    """A worker that is to be replaced now."""

    worker: "Worker"


class Stop(NamedTuple):
    """A signal to stop."""

    why: str


Event = Started | Ended | Due | Stop


class Worker:
    """One worker, counted from 1, and whatever takes its place when it dies."""

    def __init__(self, number: int, settings: Settings, cpus: list[int], events: SimpleQueue[Event]) -> None:
        self.number = number
        self.cpus = cpus
        self.metrics = ""
        self.complaint = ""
        self.serving = False
        self.replaced = 0
        self._settings = settings
        self._events = events
        self._pause = FIRST_PAUSE
        self._since = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start a process; how that went, and its end, become events."""
        self._since = monotonic()
        self._order, theirs = socket.socketpair()
        with theirs:
            process = self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "referee.worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                process_group=0,  # Ctrl-C on a terminal is for the parent alone
                env=os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            )
        order = {"settings": asdict(self._settings), "cpus": self.cpus, "replaced": self.replaced}
        self._send(json.dumps(order))
        Thread(target=self._watch, args=(process, self._order), name=f"worker {self.number}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process that it is now, or was last."""
        return self._process.pid if self._process else 0

    @property
    def running(self) -> bool:
        """Whether it runs now."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Tell it to finish what it has taken, and end."""
        self._send("stop")

    def kill(self) -> None:
        """End it at once, if it runs."""
        if self._process:
            self._process.kill()

    def ended(self, seconds: float) -> int | None:
        """Wait so long for its end; return the exit status, or None if it runs on."""
        assert self._process, "it was started"
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def again(self) -> float:
        """Count its end, and return the seconds until it should be started again."""
        steady = monotonic() - self._since >= STEADY
        pause = self._pause = FIRST_PAUSE if steady else min(2 * self._pause, LONGEST_PAUSE)
        self.replaced += 1
        timer = Timer(pause, self._events.put, [Due(self)])
        timer.daemon = True
        timer.start()
        return pause

    def _send(self, line: str) -> None:
        with suppress(OSError):  # it has died, and that is an event of its own
            self._order.sendall(line.encode() + b"\n")

    def _watch(self, process: subprocess.Popen[bytes], order: socket.socket) -> None:
        with order, order.makefile("rb") as said:
            if line := said.readline():
                self._events.put(Started(self, json.loads(line)))
            self._events.put(Ended(self, process.wait()))


class Crew:
    """All workers of one parent."""

    def __init__(self, settings: Settings, address: str) -> None:
        """Have them serve at this address, each with a metrics port of its own and if possible a CPU of its own."""
        self.log = Log(FileIO(1, "w", closefd=False), settings.log_format)
        self._settings = settings
        self._address = address
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._up = False
        cpus = choose(settings.workers) if settings.pin else []
        if settings.pin and not cpus:
            self.log.warning("unpinned", workers=settings.workers)
        host, port = split(settings.metrics) if settings.metrics else ("", 0)
        self._workers = []
        for index in range(settings.workers):
            metrics = f"{host}:{port + index if port else 0}" if host else ""
            told = replace(settings, listen=address, metrics=metrics, workers=1)
            self._workers.append(Worker(index + 1, told, cpus[index : index + 1], self._events))

    def serve(self) -> None:
        """Serve until told to stop; raise CannotServe if not all workers can start, later if none can."""
        told = Told()
        Thread(target=lambda: self._events.put(Stop(told.wait())), name="signals", daemon=True).start()
        try:
            for worker in self._workers:
                worker.start()
            self._watch_over()
        except CannotServe:
            for worker in self._workers:
                worker.kill()
            raise
        self._stop()
        self.log.info("stopped")

    def _watch_over(self) -> None:
        while True:
            match self._events.get():
                case Started(worker, said):
                    self._started(worker, said)
                case Ended(worker, status):
                    self._ended(worker, status)
                case Due(worker):
                    worker.start()
                case Stop(why):
                    self.log.info("stopping", signal=why)
                    return

    def _started(self, worker: Worker, said: dict[str, str]) -> None:
        worker.complaint = said.get("cannot", "")
        if worker.complaint:
            return  # it ends now
        worker.serving, worker.metrics = True, said["metrics"]
        self.log.info("worker_started", worker=worker.number, pid=worker.pid, cpus=worker.cpus, metrics=worker.metrics)
        if not self._up and all(each.serving for each in self._workers):
            self._up = True
            metrics = [each.metrics for each in self._workers if each.metrics]
            self.log.info(
                "serving",
                address=self._address,
                metrics=metrics,
                workers=len(self._workers),
                version=version(),
                compiled=compiled(),
            )

    def _ended(self, worker: Worker, status: int) -> None:
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        served, worker.serving = worker.serving, False
        if not served and not (self._up and any(each.serving for each in self._workers)):
            raise CannotServe(worker.complaint or f"Worker {worker.number} could not start: it ended with {how}.")
        pause = worker.again()
        self.log.error(
            "worker_died",
            worker=worker.number,
            pid=worker.pid,
            how=how,
            why=worker.complaint,
            replaced=worker.replaced,
            again=pause,
        )

    def _stop(self) -> None:
        left = [worker for worker in self._workers if worker.running]
        for worker in left:
            worker.stop()
        last = monotonic() + self._settings.drain_pause + self._settings.grace + SPARE
        unclean = [worker for worker in left if worker.ended(max(0.0, last - monotonic())) != 0]
        for worker in unclean:
            worker.kill()
        if unclean:
            raise CannotServe(f"{len(unclean)} of {len(left)} workers did not stop as they should.")


def serve(settings: Settings) -> None:
    """Serve with as many workers as the settings say, until SIGTERM or SIGINT; a second signal ends all at once.

    Raise CannotServe if that is not possible, or if a worker did not stop as it should.
    """
    if sys.platform != "linux":
        raise CannotServe("Several workers share a port on Linux only: leave --workers at 1.")
    with held(settings.listen) as address:
        Crew(settings, address).serve()
