"""Files written as one step: whoever reads one meanwhile reads the old or the new one, whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import TextIO

from charleston.commands.source import WrongQuestion


@contextmanager
def replaced(path: str) -> Iterator[TextIO]:
    """Give a file to write, which takes the place of the one at a path when all is written."""
    place = Path(os.path.realpath(path))
    beside = None
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device is written to, not replaced
            with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
                yield file
            return
        handle, beside = mkstemp(dir=place.parent, prefix=f".{place.name}.")
        with open(handle, "w", encoding="utf-8", errors="replace", newline="") as file:
            yield file
            file.flush()
            os.fsync(handle)
        if place.exists():
            shutil.copymode(place, beside)
        else:
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(beside, 0o666 & ~umask)
        os.replace(beside, place)
    except OSError as why:
        raise WrongQuestion(f"{path}: {why.strerror}") from None
    finally:
        if beside:
            with suppress(OSError):
                os.unlink(beside)
