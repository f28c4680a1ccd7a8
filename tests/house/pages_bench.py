"""The parts of pages that tell how fast the referee is, from the reports that are kept in tests/bench."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench import report, scale, shapes
from tests.bench.picture import picture
from tests.house.pages_tables import table

BENCH = Path(__file__).parents[1] / "bench"


def results() -> str:
    """Return what was measured, path by path."""
    found = report.read(BENCH / "measured.json")
    return table(report.HEAD, report.cells(found)) + "\n\n" + "\n\n".join(report.about(found)).replace("*", "\\*")


def drawn() -> str:
    """Return the picture of the same."""
    return picture(report.read(BENCH / "measured.json"))


def server_shapes() -> str:
    """Return what the shapes of a server measured."""
    found = json.loads((BENCH / "shapes.json").read_text(encoding="utf-8"))
    return table(shapes.HEAD, shapes.cells(found))


def cost() -> str:
    """Return what it costs to judge very much."""
    return scale.page(report.read(BENCH / "measured.json"))
