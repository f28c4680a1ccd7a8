"""`charleston conform`: the corpus put to any server of the protocol, in whatever language it is written."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from charleston.asking import Referee
from charleston.commands.source import STDIN, WrongQuestion
from charleston.conformance.cases import LEVELS, WrongCase, load
from charleston.conformance.known import fix_known, read_known
from charleston.conformance.reporting import closing, document, github, junit, readable
from charleston.conformance.running import Outcome, Result
from charleston.conformance.running import run as run_cases
from charleston.paint import Paint

HELP = "run the corpus of cases against any referee"
DESCRIPTION = """\
Run the corpus, the cases that are the second specification of the rules, against any server of the protocol, and say
where it answers otherwise. Without an address the referee inside this command is asked.

A case is "required" where the rule documents decide it, and "recommended" where it rests on a reading.
"""
EPILOG = """\
--known-failing is TOML with an entry for each case: [[failing]], and below it case = "…" and why = "…". Such a case is
skipped while it fails; one that passes again fails the run, and so comes off the list.

exit status: 0 no case failed, 1 one did, 2 the cases cannot be read or nobody answered
"""


def options(command: ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    command.add_argument("--level", action="append", choices=LEVELS, help="only cases of this level (both)")
    command.add_argument("--corpus", metavar="DIR", help="a folder of cases (the one that comes with this command)")
    command.add_argument("--known-failing", metavar="FILE", help="cases that this referee is known to fail, and why")
    command.add_argument("--fix", action="store_true", help="bring that list up to date; comments stay")
    command.add_argument("--junit", metavar="FILE", help="write JUnit XML; - is stdout")
    command.add_argument("--json", metavar="FILE", help="write one JSON document; - is stdout")
    command.add_argument("--github", action="store_true", help="print annotations for a GitHub workflow")
    command.add_argument("-v", "--verbose", action="store_true", help="tell of cases that passed or were skipped too")
    command.set_defaults(run=run)


def run(told: Namespace, door: Referee) -> int:
    """Ask every case and report; return 0 if none failed, 1 if one did."""
    if told.fix and not told.known_failing:
        raise WrongQuestion("--fix rewrites the list that --known-failing names, and there is none")
    try:
        cases = load(told.corpus and Path(told.corpus))
        known = read_known(Path(told.known_failing), {case.name for case in cases}) if told.known_failing else {}
    except WrongCase as wrong:
        raise WrongQuestion(str(wrong)) from None
    people = sys.stderr if STDIN in (told.junit, told.json) else sys.stdout
    paint = Paint.on(people)
    results = []
    for result in run_cases(door, cases, told.level or LEVELS, known):
        results.append(result)
        for line in readable(result, paint, verbose=told.verbose):
            print(line, file=people)
        if told.github and result.outcome is Outcome.FAILED:
            print(github(result), file=people)
    _write(told, results)
    print(closing(results), file=people)
    failed = [result.case.name for result in results if result.outcome is Outcome.FAILED]
    if told.fix:
        _fix(Path(told.known_failing), failed, known)
    return 1 if failed and not told.fix else 0


def _fix(path: Path, failed: Sequence[str], known: Mapping[str, str]) -> None:
    """Bring the list up to date: a case on it failed because it passes, and any other because it does not."""
    gone, new = [case for case in failed if case in known], [case for case in failed if case not in known]
    try:
        fix_known(path, gone, new)
    except WrongCase as wrong:
        raise WrongQuestion(str(wrong)) from None
    print(f"{path}: {len(gone)} off the list, {len(new)} put on it", file=sys.stderr)


def _write(told: Namespace, results: Sequence[Result]) -> None:
    as_json = json.dumps(document(results), indent=2, ensure_ascii=False) + "\n"
    for path, text in ((told.junit, junit(results)), (told.json, as_json)):
        if path == STDIN:
            sys.stdout.write(text)
        elif path:
            try:
                Path(path).write_text(text, encoding="utf-8")
            except OSError as why:
                raise WrongQuestion(f"{path}: {why.strerror}") from None
