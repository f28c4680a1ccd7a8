"""Files that may change while they are in use, as certificates and tokens do."""

import os
from collections.abc import Iterable
from time import monotonic

# Seconds until a change is noticed, at most: so often they are looked at, however often that is asked.
NOTICED = 1.0

Seen = tuple[tuple[int, int, int], ...]


class Unusable(Exception):
    """A file that is not what it has to be; its text is a sentence that names the file, and nothing in it."""


class Files:
    """Some files, and how they looked when they were last taken."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Watch over these; they look new until taken."""
        self._paths = tuple(paths)
        self._taken: Seen | None = None
        self._next = 0.0

    def changed(self) -> bool:
        """Look whether one was written or replaced since they were last taken, and take them as they are now.

        A file that cannot be looked at has not changed: it may be on its way.
        """
        now = monotonic()
        if now < self._next:
            return False
        self._next = now + NOTICED
        try:
            seen = tuple((one.st_mtime_ns, one.st_ino, one.st_size) for one in map(os.stat, self._paths))
        except OSError:
            return False
        if seen == self._taken:
            return False
        self._taken = seen
        return True

    def doubt(self) -> None:
        """Have them looked at anew: what was taken could not be used, perhaps as it was only half written."""
        self._taken = None
