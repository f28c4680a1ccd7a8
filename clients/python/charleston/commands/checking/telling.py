"""The report for people: each fault with its place, the act, what is wrong and what it costs; then a summary."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from typing import TextIO

from charleston.commands.checking.results import Checked, Fault, Finding, Summary
from charleston.commands.source import MOST, name_of
from charleston.paint import STYLES, Paint, left

INDENT = "    "


class Telling:
    """Tells what is wrong, and known faults too if every one is asked for."""

    def __init__(self, out: TextIO, *, every: bool = False) -> None:
        """Tell on a stream, in colour where that suits it."""
        self._out = out
        self._paint = Paint.on(out)
        self._columns = max(60, min(shutil.get_terminal_size().columns, 120)) if out.isatty() else 100
        self._every = every

    def tell(self, checked: Checked) -> None:
        """Tell what is wrong with one item."""
        name = name_of(checked.file)
        for error in checked.errors[:MOST]:
            self._print([f"{self._paint('title', f'{name}:{error.line}:')} {_shown(error.message)}"])
        if len(checked.errors) > MOST:
            self._print([f"{self._paint('title', f'{name}:')} and {len(checked.errors) - MOST} more"])
        for fault in checked.faults:
            if self._every or not fault.expected:
                self._print(self._fault(name, fault))

    def end(self, summary: Summary) -> None:
        """Tell what known faults no longer fail, and how much of what was lawful."""
        for stale in summary.stale:
            self._print([f"{self._paint('title', f'{stale.file}:{stale.line}:')} {stale.message}"])
        style = "LEGAL" if summary.status == 0 else "ILLEGAL"
        self._print([self._paint(style, line) for line in _totals(summary)])
        width = max(map(len, summary.rules), default=0)
        for rule, times in summary.rules.most_common():
            known = f"  ({summary.known[rule]} expected)" if summary.known[rule] else ""
            self._print([f"{times:>7,}  {left(rule, width)}{known}".rstrip()])

    def _print(self, lines: Iterator[str] | list[str]) -> None:
        for line in lines:
            print(line, file=self._out)

    def _fault(self, name: str, fault: Fault) -> Iterator[str]:
        number = f"act {fault.number}: " if fault.number and not name.endswith(".charleston") else ""
        act = textwrap.shorten(f"{number}{fault.act}", self._columns - 8, placeholder=" …")
        yield f"{self._paint('title', f'{name}:{fault.line}:')} {act}"
        differ = [finding for finding in fault.findings if finding.difference]
        verdict = self._paint(fault.verdict if fault.verdict in STYLES else "ILLEGAL", fault.verdict)
        first, *rest = textwrap.wrap(fault.message, self._columns - len(INDENT) - len(fault.verdict) - 2) or [""]
        yield f"{INDENT}{verdict}  {first}".rstrip()
        yield from (f"{INDENT}{' ' * (len(fault.verdict) + 2)}{line}" for line in rest)
        for finding in differ:
            yield from textwrap.wrap(
                _difference(finding), self._columns, initial_indent=INDENT * 2, subsequent_indent=INDENT * 3
            )
        if fault.expected:
            yield from textwrap.wrap(
                f"expected: {fault.expected}", self._columns, initial_indent=INDENT, subsequent_indent=INDENT * 2
            )


def _shown(text: str) -> str:
    """Return a text without what would move the cursor or change the terminal: it may quote what was read."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _difference(finding: Finding) -> str:
    difference = finding.difference
    assert difference, "only differences are told so"
    tiles = ""
    if difference.kind == "flow":
        tiles = f" [lacks {difference.expected or 'nothing'}; too many: {difference.actual or 'nothing'}]"
    return f"{finding.message} ({finding.rule}){tiles}"


def _totals(summary: Summary) -> Iterator[str]:
    kinds = [f"{times:,} {kind}{'s' * (times != 1)}" for kind, times in sorted(summary.kinds.items())]
    parts = [f"{summary.lawful:,} lawful", f"{summary.unlawful:,} not"]
    if summary.expected:
        parts.append(f"{summary.expected:,} with known faults only")
    if summary.wrong:
        parts.append(f"{summary.wrong:,} that cannot be judged")
    stale = len(summary.stale)
    yield f"{' and '.join(kinds) or 'nothing'}: {', '.join(parts)}."
    if stale:
        yield f"{stale:,} known fault{'s' * (stale != 1)} no longer as listed."
