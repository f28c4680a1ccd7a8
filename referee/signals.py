"""What tells a process to stop."""

import signal
from queue import SimpleQueue
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Told:
    """Wait until SIGTERM, SIGINT or another part of the program says stop; a second signal ends the process at once."""

    def __init__(self) -> None:
        """Take the signals from now on; only the main thread can."""
        self._told: SimpleQueue[str] = SimpleQueue()  # unlike an Event's set, its put is safe in a signal handler
        for number in _SIGNALS:
            signal.signal(number, self._signalled)

    def stop(self, why: str) -> None:
        """Say stop."""
        self._told.put(why)

    def wait(self) -> str:
        """Wait until something says stop and return what: the name of the signal, for one."""
        return self._told.get()

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        self.stop(signal.Signals(number).name)
