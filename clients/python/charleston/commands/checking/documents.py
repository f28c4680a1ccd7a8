"""The report for machines: a line of JSON for each item, then one with the summary. check.md says what is in it."""

from __future__ import annotations

import json
from typing import Any, TextIO

from charleston.commands.checking.results import Checked, Difference, Error, Fault, Finding, Stale, Summary


class Documents:
    """Writes JSON lines."""

    def __init__(self, out: TextIO) -> None:
        """Write to a stream."""
        self._out = out

    def tell(self, checked: Checked) -> None:
        """Write one item."""
        self._write(
            {
                "file": checked.file,
                "line": checked.line,
                "kind": checked.kind,
                "lawful": not checked.faults and not checked.errors,
                "acts": checked.acts,
                "faults": list(map(_fault, checked.faults)),
                "errors": list(map(_error, checked.errors)),
            }
        )

    def end(self, summary: Summary) -> None:
        """Write the summary."""
        told = {
            "status": summary.status,
            "kinds": dict(sorted(summary.kinds.items())),
            "lawful": summary.lawful,
            "unlawful": summary.unlawful,
            "expected": summary.expected,
            "wrong": summary.wrong,
            "rules": dict(summary.rules.most_common()),
            "stale": list(map(_stale, summary.stale)),
        }
        self._write({"summary": told})

    def _write(self, document: dict[str, Any]) -> None:
        print(json.dumps(document, ensure_ascii=False), file=self._out)


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "line": fault.line,
        "number": fault.number,
        "act": fault.act,
        "verdict": fault.verdict,
        "rules": list(fault.rules),
        "message": fault.message,
        "findings": list(map(_finding, fault.findings)),
        "remedy": fault.remedy,
        "expected": fault.expected,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    difference = finding.difference
    return {
        "rule": finding.rule,
        "seat": finding.seat,
        "message": finding.message,
        "difference": _difference(difference) if difference else None,
    }


def _difference(difference: Difference) -> dict[str, str]:
    return {
        "kind": difference.kind,
        "path": difference.path,
        "expected": difference.expected,
        "actual": difference.actual,
    }


def _error(error: Error) -> dict[str, Any]:
    return {"line": error.line, "message": error.message}


def _stale(stale: Stale) -> dict[str, Any]:
    return {"file": stale.file, "line": stale.line, "message": stale.message}
