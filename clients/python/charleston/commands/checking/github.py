"""Workflow commands that GitHub shows beside the lines of a change."""

from __future__ import annotations

from typing import TextIO

from charleston.commands.checking.reports import from_root
from charleston.commands.checking.results import Checked, Summary


class Annotations:
    """Prints an annotation for each fault that is not known, and for each known one that no longer fails."""

    def __init__(self, out: TextIO) -> None:
        """Print to a stream, which the workflow reads."""
        self._out = out

    def tell(self, checked: Checked) -> None:
        """Annotate one item."""
        for error in checked.errors:
            self._annotate(checked.file, error.line, "cannot be judged", error.message)
        for fault in checked.unexpected:
            differences = [finding.message for finding in fault.findings if finding.difference]
            said = "\n".join([fault.act, fault.message, *differences])
            self._annotate(checked.file, fault.line, ", ".join(fault.rules), said)

    def end(self, summary: Summary) -> None:
        """Annotate what no longer fails."""
        for stale in summary.stale:
            self._annotate(stale.file, stale.line, "no longer as listed", stale.message)

    def _annotate(self, file: str, line: int, title: str, message: str) -> None:
        where = f"file={property_of(from_root(file))},line={line},title={property_of(title)}"
        print(f"::error {where}::{data_of(message)}", file=self._out)


def data_of(text: str) -> str:
    """Escape what ends a message early."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def property_of(text: str) -> str:
    """Escape what ends a property early."""
    return data_of(text).replace(":", "%3A").replace(",", "%2C")
