"""The parts of pages for those who run a referee: settings, metrics and the values of their labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from referee.meters import METERS, REFUSALS
from referee.observe import OTHER
from referee.ruling import Verdict
from referee.service import referee
from referee.settings import Settings, flag, variable, written
from referee.stages import Moment, Stage
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
    """Return the meters with their labels, what they tell and when to worry, as a table."""
    rows = []
    for meter in METERS:
        name = f"{meter.name}_total" if meter.kind == "counter" else meter.name
        labels = ", ".join(f"`{label}`" for label in meter.labels) or "none"
        rows.append([f"`{name}`", meter.kind, labels, meter.tells, meter.worry])
    return table(["metric", "type", "labels", "what it tells", "when to worry"], rows)


def labels() -> str:
    """Return every label with all the values that it can have."""
    methods = (*referee(), OTHER)
    rows = {
        "method": _listed(methods),
        "code": "the names of [gRPC's status codes](https://grpc.io/docs/guides/status-codes/)",
        "stage": _listed(Stage.__members__),
        "verdict": _listed(Verdict.__members__),
        "rule": "the id of an [article](rulebook/README.md)",
        "moment": _listed(Moment.__members__),
        "reason of `referee_malformed_total`": "a [reason](../proto/README.md#reason) without its prefix",
        "reason of `referee_callers_refused_total`": _listed(REFUSALS),
    }
    return table(["label", "values"], rows.items())


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
