"""The parts of pages for those who run a referee: settings and metrics."""

from __future__ import annotations

from dataclasses import fields

from referee.metrics import Metrics
from referee.service import Note
from referee.settings import Settings, flag, variable, written
from tests.house.pages_tables import table


def settings() -> str:
    """Return the settings as a table."""
    return table(
        ["flag", "variable", "default", "what it is"],
        (
            [f"`{flag(each)}`", f"`{variable(each)}`", written(each.default) or "none", each.metadata["help"]]
            for each in fields(Settings)
        ),
    )


def metrics() -> str:
    """Return the metrics that are the referee's own, with their labels, as a table."""
    ours = Metrics(["Judge"], ["LEGAL"], ["pass.three"])
    ours.count("Judge", "OK", 0.0, Note(verdict="LEGAL", rules=("pass.three",), reason="MISSING"))
    ours.answered("JudgeStream", 0.0, Note())
    rows = []
    for family in ours.registry.collect():
        if family.name.startswith("referee_"):
            labels = sorted({label for sample in family.samples for label in sample.labels} - {"le"})
            name = f"{family.name}_total" if family.type == "counter" else family.name
            said = ", ".join(f"`{label}`" for label in labels) or "none"
            rows.append([f"`{name}`", family.type, said, family.documentation])
    return table(["metric", "kind", "labels", "what it counts"], rows)
