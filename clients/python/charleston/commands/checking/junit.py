"""JUnit XML: a suite for each file, a case for each item in it. What is told goes to disk at once."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from tempfile import TemporaryFile
from typing import TextIO
from xml.etree import ElementTree as ET
from xml.sax.saxutils import quoteattr

from charleston.commands.checking.reports import from_root
from charleston.commands.checking.results import Checked, Fault, Stale, Summary

# XML cannot hold these, and a game or a server may send them.
UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
COUNTED = ("tests", "failures", "errors", "skipped")


class JUnit:
    """Writes cases: known faults are skipped with their reason, what cannot be judged is an error.

    The numbers stand before the cases, so each suite is kept in a file of its own until it is whole.
    """

    def __init__(self, out: TextIO) -> None:
        """Write to a stream when all is told."""
        self._out = out
        self._all = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._suite = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self._name: str | None = None
        self._counts: Counter[str] = Counter()
        self._totals: Counter[str] = Counter()

    def tell(self, checked: Checked) -> None:
        """Write one case."""
        name = from_root(checked.file)
        if name != self._name:
            self._close()
            self._name = name
        case = ET.Element("testcase", classname=name, name=f"{checked.kind} at line {checked.line}")
        case.set("file", name)
        case.set("line", str(checked.line))
        known = [fault for fault in checked.faults if fault.expected]
        if checked.errors:
            said = "\n".join(f"{name}:{error.line}: {error.message}" for error in checked.errors)
            self._add(case, "errors", "error", checked.errors[0].message, "question", said)
        elif unexpected := checked.unexpected:
            rules = ", ".join(dict.fromkeys(rule for fault in unexpected for rule in fault.rules))
            told = "\n\n".join(_told(name, fault) for fault in unexpected)
            self._add(case, "failures", "failure", f"line {unexpected[0].line}: {unexpected[0].act}", rules, told)
        elif known:
            whys = dict.fromkeys(fault.expected for fault in known)
            self._add(case, "skipped", "skipped", "; ".join(whys), "expected", "")
        self._write(case)

    def end(self, summary: Summary) -> None:
        """Write what no longer fails, and then all of it to the stream."""
        for file, stale in _by_file(summary.stale).items():
            self._close()
            self._name = from_root(file)
            for each in stale:
                case = ET.Element("testcase", classname=self._name, name=f"known fault at line {each.line}")
                self._add(case, "failures", "failure", each.message, "stale", each.message)
                self._write(case)
        self._close()
        self._out.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self._out.write(f'<testsuites name="charleston check"{_numbers(self._totals)}>\n')
        _move(self._all, self._out)
        self._out.write("</testsuites>\n")
        self._all.close()
        self._suite.close()

    def _add(self, case: ET.Element, count: str, tag: str, message: str, type: str, text: str) -> None:
        self._counts[count] += 1
        result = ET.SubElement(case, tag, message=printable(message), type=printable(type))
        result.text = printable(text)

    def _write(self, case: ET.Element) -> None:
        self._counts["tests"] += 1
        self._suite.write(ET.tostring(case, encoding="unicode") + "\n")

    def _close(self) -> None:
        if self._name is None:
            return
        self._all.write(f"<testsuite name={quoteattr(printable(self._name))}{_numbers(self._counts)}>\n")
        _move(self._suite, self._all)
        self._all.write("</testsuite>\n")
        self._totals += self._counts
        self._counts = Counter()


def _told(name: str, fault: Fault) -> str:
    lines = [f"{name}:{fault.line}: {fault.act}", f"{fault.verdict}: {fault.message}"]
    lines += [f"{finding.rule}: {finding.message}" for finding in fault.findings]
    return "\n".join(lines)


def _by_file(stale: list[Stale]) -> dict[str, list[Stale]]:
    files: dict[str, list[Stale]] = {}
    for each in stale:
        files.setdefault(each.file, []).append(each)
    return files


def _numbers(counts: Counter[str]) -> str:
    return "".join(f' {name}="{counts[name]}"' for name in COUNTED)


def _move(source: TextIO, out: TextIO) -> None:
    source.seek(0)
    shutil.copyfileobj(source, out)
    source.seek(0)
    source.truncate()


def printable(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return UNWRITABLE.sub("\ufffd", text)
