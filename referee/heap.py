"""The heap of a process that serves: one for all threads, and what is free in it given back.

glibc keeps what was freed for whoever asks next, and gives back only what lies at the end of a heap. A server that once
held gigabytes would hold them ever after; one that never did would still grow for hundreds of thousands of calls.
"""

import ctypes
import gc
import sys
import time
from contextlib import suppress
from threading import Thread

# glibc's own number for it, in malloc.h.
_ARENA_MAX = -8
_SECONDS = 5.0


def share() -> None:
    """Have the threads that start from now on share one heap: on one CPU a heap for each spares no waiting, and what is
    free in one is no use to the others."""
    _glibc("mallopt", _ARENA_MAX, 1)


def settle() -> None:
    """Have the collector pass over all that was made to serve, and the heap give back what is free from time to time.

    A collection of everything takes 20 ms, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()
    Thread(target=_give_back_again, name="heap", daemon=True).start()


def give_back() -> None:
    """Give the system back what is free."""
    _glibc("malloc_trim", 0)


def _glibc(function: str, *numbers: int) -> None:
    if sys.platform == "linux":
        with suppress(AttributeError):  # another libc has no such thing, nor the heaps
            getattr(ctypes.CDLL(None), function)(*numbers)


def _give_back_again() -> None:
    while True:
        time.sleep(_SECONDS)
        give_back()
