"""SARIF 2.1.0: a result for each fault. Results are written as they are told, and never kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from importlib import metadata
from typing import Any, TextIO

from charleston.commands.checking.reports import uri
from charleston.commands.checking.results import Checked, Fault, Summary
from charleston.referee.v1 import service_pb2

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
KINDS = {
    "unreachable": "No play leads to a table such as the one after.",
    "stage": "The stages do not follow each other so.",
    "count": "A seat owns another number of tiles than it should.",
    "tiles": "Tiles have come or gone, or more have changed than passes account for.",
    "joker": "A Joker has changed racks.",
    "flow": "Tiles went elsewhere than they should have.",
    "field": "Something of the table is not what the acts lead to.",
}
QUESTION, STALE = "question.wrong", "expected.stale"
OWN = {
    QUESTION: "This describes no game and no transition, and cannot be judged.",
    STALE: "A known fault no longer fails as it is listed.",
}


class Sarif:
    """Writes one run. A known fault is a result that is suppressed, with the reason."""

    def __init__(self, out: TextIO, articles: Iterable[service_pb2.Article]) -> None:
        """Begin with what can be broken: the articles of the referee that is asked, and the kinds of differences."""
        rules = [_rule(each.id, f"{each.title}.".replace("..", "."), each.text) for each in articles]
        rules += [_rule(f"difference.{kind}", text, text) for kind, text in KINDS.items()]
        rules += [_rule(id, text, text) for id, text in OWN.items()]
        self._index = {rule["id"]: index for index, rule in enumerate(rules)}
        self._out = out
        self._begun = False
        driver = {"name": "charleston", "version": metadata.version("charleston-referee"), "rules": rules}
        head = json.dumps({"$schema": SCHEMA, "version": "2.1.0"})[:-1]
        tool = json.dumps({"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}, ensure_ascii=False)[:-1]
        self._out.write(f'{head}, "runs": [{tool}, "results": [')

    def tell(self, checked: Checked) -> None:
        """Write the results of one item."""
        for error in checked.errors:
            self._result(QUESTION, checked.file, error.line, error.message)
        for fault in checked.faults:
            for rule in fault.rules:
                self._result(rule, checked.file, fault.line, _said(fault, rule), fault)

    def end(self, summary: Summary) -> None:
        """Write what no longer fails, and close the run."""
        for stale in summary.stale:
            self._result(STALE, stale.file, stale.line, stale.message)
        invocation = {"executionSuccessful": not summary.wrong, "exitCode": summary.status}
        self._out.write(f'\n], "invocations": [{json.dumps(invocation)}]}}]}}\n')

    def _result(self, rule: str, file: str, line: int, message: str, fault: Fault | None = None) -> None:
        where = {"artifactLocation": {"uri": uri(file)}, "region": {"startLine": line}}
        # The same fault is known again in the next run, wherever the checkout lies.
        print_of = sha256("\0".join([rule, uri(file), str(line), fault.act if fault else ""]).encode())
        result: dict[str, Any] = {
            "ruleId": rule,
            "level": "error",
            "message": {"text": message if message.endswith(".") else f"{message}."},
            "locations": [{"physicalLocation": where}],
            "partialFingerprints": {"charlestonFault/v1": print_of.hexdigest()[:32]},
        }
        if rule in self._index:
            result["ruleIndex"] = self._index[rule]
        if fault and fault.expected:
            result["suppressions"] = [{"kind": "external", "justification": fault.expected}]
        self._out.write((",\n" if self._begun else "\n") + json.dumps(result, ensure_ascii=False))
        self._begun = True


def _said(fault: Fault, rule: str) -> str:
    sentences = [finding.message for finding in fault.findings if finding.rule == rule]
    return f"{fault.act}: {' '.join(sentences)}"


def _rule(id: str, title: str, text: str) -> dict[str, Any]:
    return {
        "id": id,
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "defaultConfiguration": {"level": "error"},
    }
