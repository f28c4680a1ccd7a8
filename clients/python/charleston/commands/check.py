"""`charleston check`: judge many games and transitions, and report what is not lawful in every form that CI reads."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from functools import partial
from typing import TextIO

from charleston.asking import Referee
from charleston.commands.checking.documents import Documents
from charleston.commands.checking.expected import Expected
from charleston.commands.checking.files import files
from charleston.commands.checking.github import Annotations
from charleston.commands.checking.items import Item, Reader
from charleston.commands.checking.judged import How, judge_at, judge_here
from charleston.commands.checking.junit import JUnit
from charleston.commands.checking.many import cores, in_flight, on_cores
from charleston.commands.checking.progress import Progress, size_of
from charleston.commands.checking.reports import Report
from charleston.commands.checking.results import Checked, Summary
from charleston.commands.checking.sarif import Sarif
from charleston.commands.checking.telling import Telling
from charleston.commands.source import STDIN, WrongQuestion
from charleston.commands.writing import replaced
from charleston.referee.v1 import service_pb2

IN_FLIGHT = 32
"""How many questions are on their way to a referee at an address, unless the command says."""


def run(told: Namespace, door: Referee) -> int:
    """Check all that was named; return 0 if it is lawful or a known fault, 1 if not, 2 if something is no question."""
    if told.fix and told.expected is None:
        raise WrongQuestion("--fix rewrites the file that --expected names, and there is none")
    if [told.junit, told.sarif, told.json].count(STDIN) > 1:
        raise WrongQuestion("only one report can go to standard output")
    named = files(told.path)
    expected = Expected.read(told.expected, fix=told.fix)
    reader, summary = Reader(), Summary()
    progress = Progress(sys.stderr, size_of(named), lambda: reader.bytes)
    with ExitStack() as stack:
        reports = list(_reports(told, door, stack))
        for found in stack.enter_context(closing(_judged(told, door, reader.items(named)))):
            checked = expected.settled(found)
            summary.add(checked)
            if checked.faults or checked.errors:
                progress.clear()
            for report in reports:
                report.tell(checked)
            progress.step(summary.kinds.total(), summary.unlawful + summary.expected)
        progress.clear()
        summary.stale += expected.stale()
        for report in reports:
            report.end(summary)
    if told.fix:
        print(f"{told.expected}: {expected.fixed()}", file=sys.stderr)
        return 2 if summary.wrong else 0
    return summary.status


def _judged(told: Namespace, door: Referee, items: Iterator[Item]) -> Generator[Checked]:
    how = How(told.house, told.skip_illegal, told.language)
    if told.address is None:
        return on_cores(items, partial(judge_here, how), told.jobs or cores())
    return in_flight(items, partial(judge_at, door, how), told.jobs or IN_FLIGHT)


def _reports(told: Namespace, door: Referee, stack: ExitStack) -> Iterator[Report]:
    def file(path: str) -> TextIO:
        return sys.stdout if path == STDIN else stack.enter_context(replaced(path))

    if told.sarif:
        articles = door.get_rulebook(service_pb2.GetRulebookRequest()).articles
        yield Sarif(file(told.sarif), articles)
    if told.junit:
        yield JUnit(file(told.junit))
    if told.json:
        yield Documents(file(told.json))
    if STDIN not in (told.junit, told.sarif, told.json):
        if told.github:
            yield Annotations(sys.stdout)
        yield Telling(sys.stdout, every=told.verbose)
