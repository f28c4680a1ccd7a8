"""What tells a process to stop."""

import os
import signal
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Told:
    """Wait until SIGTERM, SIGINT or another part of the program says stop; a second signal ends the process at once."""

    def __init__(self) -> None:
        """Take the signals from now on; only the main thread can."""
        self._why = ""
        # The system may give a signal to any thread, as it does right after SIGCONT. Python would act on it only once
        # the main thread does something, and that waits. A byte in a pipe is there for whoever reads.
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        signal.set_wakeup_fd(self._write)
        for number in _SIGNALS:
            signal.signal(number, self._signalled)

    def stop(self, why: str) -> None:
        """Say stop."""
        self._why = why
        os.write(self._write, b"\0")

    def wait(self) -> str:
        """Wait until something says stop and return what: the name of the signal, for one."""
        number = os.read(self._read, 1)[0]
        return signal.Signals(number).name if number else self._why

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)
