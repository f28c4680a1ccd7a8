"""Which CPU a process keeps to.

The threads of a referee hand each other the interpreter for every call. On one CPU that is cheap, and across several
it is not: `tests/bench/README.md` has the measurements.
"""

import os
import random
import sys

from referee.heap import share


def choose(processes: int) -> list[int]:
    """Return a CPU for each process, of those that this one may use; none where they are too few, or cannot be told."""
    if sys.platform != "linux":
        return []
    # Any of them: two referees of one machine should not both begin at the first.
    usable = sorted(os.sched_getaffinity(0))
    return random.sample(usable, processes) if processes <= len(usable) else []


def keep_to(cpu: int) -> None:
    """Keep this process, and the threads that it starts from now on, to one CPU and to one heap."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {cpu})
        share()
