"""Many items judged at once, and answered in the order in which they came, with never more than a few in memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain

from charleston.commands.checking.items import Item
from charleston.commands.checking.results import Checked
from charleston.commands.source import WrongQuestion

Judge = Callable[[list[Item]], list[Checked]]
ITEMS, LETTERS = 100, 256 * 1024
"""How many items, or how long together, one process is given at a time."""
AHEAD = 3
"""How many such portions are read for each process, the one that it has among them."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_cores(items: Iterable[Item], judge: Judge, jobs: int) -> Generator[Checked]:
    """Judge on several cores; what is little is judged right here. The judge has to be picklable."""
    batches = _batches(items, ITEMS)
    first, second = next(batches, None), next(batches, None)
    begun = [batch for batch in (first, second) if batch]
    if second is None or jobs == 1:
        for batch in chain(begun, batches):
            yield from judge(batch)
        return
    processes = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _quietly)
    try:
        yield from _in_order(chain(begun, batches), judge, processes, jobs * AHEAD)
    except BrokenProcessPool:
        raise WrongQuestion(
            "a process that judges has been ended from outside; there may be too little memory"
        ) from None


def in_flight(items: Iterable[Item], judge: Judge, jobs: int) -> Generator[Checked]:
    """Judge with several questions on their way at a time."""
    yield from _in_order(_batches(items, 1), judge, ThreadPoolExecutor(jobs), jobs * AHEAD)


def _in_order(batches: Iterable[list[Item]], judge: Judge, pool: Executor, most: int) -> Generator[Checked]:
    pending: deque[Future[list[Checked]]] = deque()
    try:
        for batch in batches:
            pending.append(pool.submit(judge, batch))
            if len(pending) >= most:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    batch: list[Item] = []
    letters = 0
    for item in items:
        batch.append(item)
        letters += len(item.text)
        if len(batch) >= most or letters >= LETTERS:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _quietly() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the command's own to answer
