"""Long work gives way: between the questions of a batch, or the acts of a replay, other threads get their turn."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from threading import active_count
from typing import TypeVar

Item = TypeVar("Item")

# So many are a tenth of a millisecond where they are compiled; what it costs a batch cannot be measured. Fewer would
# cost more where a busy program shares the CPU: to that the system gives what is given up here.
QUESTIONS, ACTS = 8, 24


def in_turns(items: Iterable[Item], at_once: int) -> Iterator[Item]:
    """Yield the items, and each time after so many let other threads of the process go on, if there are any.

    A thread that computes keeps the interpreter for 5 ms from others that want it, and in compiled code for longer; a
    call by itself wants it four times. `sys.setswitchinterval` shortens that only where code is interpreted, and every
    call by itself then costs a twelfth more.
    """
    for done, item in enumerate(items, 1):
        yield item
        if not done % at_once and active_count() > 1:
            give_way()


def give_way() -> None:
    """Let another thread that waits for the interpreter or the CPU go on."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        time.sleep(0)
