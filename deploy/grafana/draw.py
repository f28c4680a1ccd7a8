"""Draw panels, given as JSON, into one SVG; with matplotlib, which is not among the tools of every day."""

from __future__ import annotations

import io
import json
import math
import sys
from typing import Any

from matplotlib import rc_context  # type: ignore[import-not-found]
from matplotlib.figure import Figure  # type: ignore[import-not-found]
from matplotlib.ticker import FuncFormatter, MaxNLocator  # type: ignore[import-not-found]

Axes = Any
COLUMNS = 3
MOST = 7  # in a legend
# How a unit is written, and by how much a value in it is multiplied to be written so.
UNITS = {
    "reqps": ("/s", 1.0),
    "ops": ("/s", 1.0),
    "percentunit": (" %", 100.0),
    "s": (" ms", 1000.0),
    "bytes": (" kB", 1 / 1000),
    "megabytes": (" MB", 1 / 1_000_000),
    "short": ("", 1.0),
}


def draw(panels: list[dict[str, Any]]) -> str:
    """Return the picture."""
    rows = math.ceil(len(panels) / COLUMNS)
    figure = Figure(figsize=(16, 2.3 * rows))
    axes = figure.subplots(rows, COLUMNS, squeeze=False)
    for place, panel in zip((one for row in axes for one in row), panels, strict=False):
        place.set_title(panel["title"], loc="left", fontsize=8, fontweight="bold")
        if panel["kind"] == "table":
            _table(place, panel)
        else:
            _lines(place, panel)
    for place in [one for row in axes for one in row][len(panels) :]:
        place.axis("off")
    figure.tight_layout(h_pad=1.5)
    out = io.StringIO()
    figure.savefig(
        out, format="svg", metadata={"Date": None, "Creator": None, "Title": "The dashboard of the Charleston referee"}
    )
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _lines(place: Axes, panel: dict[str, Any]) -> None:
    last = max(at for one in panel["series"] for at, _ in one["values"])
    largest = sorted(panel["series"], key=lambda one: -max(_numbers(one["values"]), default=0.0))
    large = panel["unit"] == "bytes" and max(_numbers(largest[0]["values"])) > 1_000_000
    suffix, times = UNITS["megabytes" if large else panel["unit"]]
    for one in largest[:MOST]:
        at = [(when - last) for when, _ in one["values"]]
        place.plot(at, [round(float(value) * times, 4) for _, value in one["values"]], linewidth=1, label=one["name"])
    place.set_ylim(bottom=0)
    place.yaxis.set_major_locator(MaxNLocator(4))
    place.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}{suffix}"))
    place.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} s"))
    place.grid(linewidth=0.3)
    place.legend(fontsize=5.5, loc="upper left", bbox_to_anchor=(1.0, 1.02), frameon=False)


def _table(place: Axes, panel: dict[str, Any]) -> None:
    place.axis("off")
    columns = sorted({label for one in panel["series"] for label in one["labels"]})
    cells = [[one["labels"].get(column, "") for column in columns] for one in panel["series"]]
    place.table(cellText=cells, colLabels=columns, loc="upper center", fontsize=6)


def _numbers(values: list[tuple[float, str]]) -> list[float]:
    return [float(value) for _, value in values if value != "NaN"]


if __name__ == "__main__":
    # Text stays text, and the same data is the same picture.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "1", "font.size": 7, "font.family": "sans-serif"}):
        sys.stdout.write(draw(json.load(sys.stdin)))
