"""`make dashboard-picture`: watch referees under load for two minutes, and draw the dashboard from what Prometheus has.

What is drawn is put together here and goes to deploy/grafana/draw.py, which runs where matplotlib is: .tools/picture.
"""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deploy.grafana.dashboard import PAGE, ROWS, Panel
from tests.deploy.watch.scene import Watched, watching

SECONDS = 120
ROOT = Path(__file__).parents[3]


def seen(watched: Watched, panel: Panel) -> dict[str, Any]:
    """Return a panel as it is drawn: its series by name, each with its times and values."""
    series = []
    for expr, name in panel.queries:
        asked = expr.replace("$job", "referee").replace("$__rate_interval", "10s")
        for one in watched.prometheus.over(asked, SECONDS, 2):
            called = name
            for label, value in one["metric"].items():
                called = called.replace("{{" + label + "}}", value)
            labels = {key: value for key, value in one["metric"].items() if key not in ("__name__", "job")}
            series.append({"name": called, "labels": labels, "values": one["values"]})
    return {"title": panel.title, "unit": panel.unit, "kind": panel.kind, "series": series}


def main() -> None:
    """Draw deploy/grafana/dashboard.svg anew."""
    with TemporaryDirectory() as place, watching(Path(place)) as watched:
        time.sleep(SECONDS / 2)
        watched.kill_a_worker()
        time.sleep(SECONDS / 2)
        panels = [seen(watched, panel) for _, row in ROWS for panel in row]
    draw = [ROOT / ".tools" / "picture" / "bin" / "python", PAGE.with_name("draw.py")]
    picture = subprocess.run(draw, input=json.dumps(panels), capture_output=True, text=True, check=True).stdout
    PAGE.with_suffix(".svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
