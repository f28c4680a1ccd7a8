"""How far a check has come: one line at the foot of a terminal, and nothing where nobody looks."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable
from typing import TextIO

from charleston.commands.source import STDIN

PAUSE = 0.1
"""How many seconds the line stays as it is, at least."""
BAR = 24


class Progress:
    """Draws a bar of the bytes that have been read, as far as it is known how many there are."""

    def __init__(self, out: TextIO, total: int, read: Callable[[], int]) -> None:
        """Draw on a terminal, or nowhere."""
        self._out = out
        self._on = out.isatty() and os.environ.get("TERM") != "dumb"
        self._total = total
        self._read = read
        self._drawn = False
        self._next = 0.0

    def step(self, items: int, faults: int) -> None:
        """Draw how many items have been judged and have faults, if it is time to."""
        if not self._on or (now := time.monotonic()) < self._next:
            return
        self._next = now + PAUSE
        said = f"{items:,} judged, {faults:,} not lawful"
        if self._total:
            done = min(1.0, self._read() / self._total)
            full = round(done * BAR)
            said = f"[{'#' * full}{'.' * (BAR - full)}] {done:4.0%}  {said}"
        columns = shutil.get_terminal_size().columns - 1
        self._out.write(f"\r\x1b[K{said[:columns]}")
        self._out.flush()
        self._drawn = True

    def clear(self) -> None:
        """Make room for what is printed."""
        if self._drawn:
            self._out.write("\r\x1b[K")
            self._out.flush()
            self._drawn = False


def size_of(names: Iterable[str]) -> int:
    """Return how many bytes files have; none if one of them does not say."""
    total = 0
    for name in names:
        if name == STDIN or not os.path.isfile(name):
            return 0
        total += os.path.getsize(name)
    return total
