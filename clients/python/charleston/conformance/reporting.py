"""A run, told: to people, to machines as JUnit and JSON, and to GitHub as annotations."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

from charleston.commands.checking.github import data_of, property_of
from charleston.commands.checking.junit import UNWRITABLE
from charleston.conformance.running import Outcome, Result
from charleston.paint import Paint

SUITE = "charleston conform"
STYLES = {Outcome.PASSED: "LEGAL", Outcome.FAILED: "ILLEGAL", Outcome.SKIPPED: "quiet"}


def closing(results: Sequence[Result]) -> str:
    """Return the last line: `N passed, N failed, N skipped`."""
    times = Counter(result.outcome for result in results)
    return ", ".join(f"{times[outcome]} {outcome.value}" for outcome in Outcome)


def readable(result: Result, paint: Paint, *, verbose: bool) -> Iterator[str]:
    """Yield the lines that tell a person of a case; of one that did not fail only when asked for all."""
    if result.outcome is not Outcome.FAILED and not verbose:
        return
    outcome = paint(STYLES[result.outcome], result.outcome.value)
    where = paint("quiet", f"({result.case.file}, {result.case.level})")
    yield f"{outcome}  {paint('title', result.case.name)}  {where}"
    for sentence in result.why:
        yield textwrap.fill(sentence, 110, initial_indent=" " * 8, subsequent_indent=" " * 10)


def document(results: Sequence[Result]) -> dict[str, Any]:
    """Return the run for machines."""
    times = Counter(result.outcome for result in results)
    return {
        **{outcome.value: times[outcome] for outcome in Outcome},
        "cases": [
            {
                "name": result.case.name,
                "file": result.case.file,
                "level": result.case.level,
                "outcome": result.outcome.value,
                "why": list(result.why),
            }
            for result in results
        ],
    }


def junit(results: Sequence[Result]) -> str:
    """Return the run as JUnit's XML: a suite for each file of the corpus."""
    whole = ElementTree.Element("testsuites", _totals(SUITE, results))
    for file in dict.fromkeys(result.case.file for result in results):
        of_file = [result for result in results if result.case.file == file]
        suite = ElementTree.SubElement(whole, "testsuite", _totals(file, of_file))
        for result in of_file:
            told = {"classname": file.removesuffix(".toml"), "name": result.case.name, "time": f"{result.seconds:.3f}"}
            case = ElementTree.SubElement(suite, "testcase", told)
            if result.outcome is not Outcome.PASSED:
                why = [UNWRITABLE.sub("�", sentence) for sentence in result.why]
                tag = "failure" if result.outcome is Outcome.FAILED else "skipped"
                ElementTree.SubElement(case, tag, {"message": why[0]}).text = "\n".join(why)
    ElementTree.indent(whole)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(whole, encoding="unicode")}\n'


def github(result: Result) -> str:
    """Return the annotation that GitHub shows for a failed case."""
    return f"::error title={property_of(result.case.name)}::{data_of('; '.join(result.why))}"


def _totals(name: str, results: Sequence[Result]) -> dict[str, str]:
    times = Counter(result.outcome for result in results)
    return {
        "name": name,
        "tests": str(len(results)),
        "failures": str(times[Outcome.FAILED]),
        "skipped": str(times[Outcome.SKIPPED]),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }
