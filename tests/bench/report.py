"""What `make bench` tells: one table for people, and the same with every number as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.bench.bars import BARS
from tests.bench.rounds import Spread

Report = dict[str, Any]
MEASURED = ("rows", "costs", "own_echo", "values")
"""The parts of a report that hold spreads by name."""


def report(
    about: Mapping[str, Any],
    rows: Mapping[str, Spread],
    costs: Mapping[str, Spread],
    own: Mapping[str, Spread],
    values: Mapping[str, Spread],
) -> Report:
    """Put together what was measured: what is known about the run, the rows, also by their cost and over an
    echo that is carried as the referee's calls are, and all else."""
    return {
        **about,
        "rows": {name: asdict(row) for name, row in rows.items()},
        "costs": {name: asdict(cost) for name, cost in costs.items()},
        "own_echo": {name: asdict(each) for name, each in own.items()},
        "values": {name: asdict(value) for name, value in sorted(values.items())},
    }


def read(path: Path) -> Report:
    """Read a report; raise ValueError, with a sentence, if a file holds none."""
    try:
        found: Report = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(found[part], dict) for part in ("machine", "versions", *MEASURED)):
            raise KeyError
        for part in MEASURED:
            for each in found[part].values():
                Spread(**each)
    except OSError as why:
        raise ValueError(f"{path} cannot be read: {why.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path} holds no report of `make bench`.") from None
    return found


def row(found: Report, id: str, part: str = "rows") -> Spread | None:
    """Return a row of a part of a report by the id of its bar; None if it was not measured."""
    measured = found[part].get(id)
    return Spread(**measured) if measured else None


HEAD = ["path", "bar", "stretch", "measured: median [least..most]", "met", "over its own echo", "by processor time"]


def cells(found: Report) -> list[list[str]]:
    """Return the table without its head."""
    made = []
    for bar in BARS:
        measured, own, cost = (row(found, bar.id, part) for part in ("rows", "own_echo", "costs"))
        told = [f"{measured}{'*' * bool(measured.loud)}", bar.met(measured)] if measured else ["not measured", ""]
        made.append([bar.path, f"{bar.bar:,g}", f"{bar.stretch:,g}", *told, str(own or ""), str(cost or "")])
    return made


def text(found: Report) -> str:
    """Return a report as it is shown on a terminal."""
    table = [HEAD, *cells(found)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(each, widths, strict=True)).rstrip() for each in table]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*lines, "", *about(found)])


def about(found: Report) -> list[str]:
    """Return what is said under the table: the machine, the versions, how it was measured, and what was loud."""
    machine, versions = found["machine"], found["versions"]
    lines = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, {machine['system']}; "
        f"the referee {'compiled' if machine.get('compiled') else 'interpreted'}; "
        + ", ".join(f"{name} {version}" for name, version in versions.items()),
        f"{found['rounds']} rounds of {found['seconds']:g} s each; {found['checked']:,} answers compared one by one, "
        f"every other by its bytes; memory after {found['calls']:,} calls; commit {found['commit']}, {found['date']}.",
    ]
    if loud := sum(bool(each["loud"]) for each in found["rows"].values()):
        lines.append(
            f"{loud} rows, marked *, hold rounds in which other programs took more than {found['quiet']:g} cores: "
            "measure again on a quiet machine."
        )
    return lines
