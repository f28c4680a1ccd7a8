"""A run over the corpus: each case passed, failed or skipped, and why."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

import grpc

from charleston.asking import Referee
from charleston.conformance.asking import ask
from charleston.conformance.cases import Case
from charleston.conformance.comparing import mismatches
from charleston.errors import RefereeError

PATIENCE = 3
"""After so many cases in a row without an answer nobody is thought to be there."""
NOBODY = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNIMPLEMENTED})


class Outcome(Enum):
    """What became of a case."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a case, why where it did not pass, and in how many seconds."""

    case: Case
    outcome: Outcome
    why: tuple[str, ...] = ()
    seconds: float = 0.0


def run(referee: Referee, cases: Iterable[Case], levels: Collection[str], known: Mapping[str, str]) -> Iterator[Result]:
    """Ask every case of the levels; those known to fail are skipped where they do, and fail where they do not.

    `known` has for the name of such a case the reason. Raise RefereeError when nobody answers.
    """
    silent, answered = 0, False
    for case in cases:
        if case.level not in levels:
            yield Result(case, Outcome.SKIPPED, (f"its level is {case.level}",))
            continue
        began = time.perf_counter()
        try:
            wrong = mismatches(case, ask(referee, case)[0])
            silent, answered = 0, True
        except RefereeError as error:
            silent = silent + 1 if error.code in NOBODY else 0
            answered = answered or error.code not in NOBODY
            if silent and (not answered or silent >= PATIENCE):
                raise
            wrong = [f"there was no answer: {error}"]
        yield _judged(case, tuple(wrong), known, time.perf_counter() - began)


def _judged(case: Case, wrong: tuple[str, ...], known: Mapping[str, str], seconds: float) -> Result:
    if case.name not in known:
        return Result(case, Outcome.FAILED if wrong else Outcome.PASSED, wrong, seconds)
    if wrong:
        return Result(case, Outcome.SKIPPED, (f"known to fail: {known[case.name]}", *wrong), seconds)
    return Result(case, Outcome.FAILED, ("it passes, and is listed as known to fail",), seconds)
