"""The dashboard as Grafana reads it: its types are Grafana's own, and each of its queries is one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from deploy.grafana.dashboard import PAGE, ROWS, written

ROOT = Path(__file__).parents[3]
TOOLS = ROOT / ".tools"
PARSE = "import sys, promql_parser\nfor line in sys.stdin: promql_parser.parse(line)"


def compiled(place: Path, dashboard: str) -> str:
    """Return what the TypeScript compiler has against a dashboard."""
    (place / "node_modules").symlink_to(TOOLS / "grafana" / "node_modules")
    (place / "types.ts").write_text(Path(__file__).with_name("types.ts").read_text())
    (place / "dashboard.ts").write_text(f'import type {{ Ours }} from "./types";\nexport const it: Ours = {dashboard};')
    options = {"strict": True, "noEmit": True, "module": "esnext", "moduleResolution": "bundler", "skipLibCheck": True}
    (place / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["dashboard.ts"]}))
    compiler = place / "node_modules" / ".bin" / "tsc"
    return subprocess.run([compiler, "--project", place], capture_output=True, text=True).stdout


def parsed(*exprs: str) -> int:
    """Return the status of a parser of PromQL, 0 if it takes every expression."""
    lines = "".join(f"{expr}\n" for expr in exprs)
    return subprocess.run(
        [TOOLS / "watch" / "bin" / "python", "-c", PARSE], input=lines, capture_output=True, text=True
    ).returncode


def test_the_types_are_those_of_grafana(tmp_path: Path) -> None:
    """The dashboard has the types that Grafana itself is built with."""
    assert "" == compiled(tmp_path, PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"placement": "bottom"', '"placement": "below"'),
        ('"unit": "reqps"', '"unit": 5'),
        ('"drawStyle": "line"', '"drawStyle": "lines"'),
        ('"type": "timeseries"', '"type": "graph"'),
        ('"h": 8', '"h": "8"'),
        ('"expr":', '"query":'),
    ],
)
def test_other_types_are_noticed(tmp_path: Path, right: str, wrong: str) -> None:
    """A dashboard with a word or a type that Grafana has not is refused."""
    text = written()
    assert right in text

    assert "error TS" in compiled(tmp_path, text.replace(right, wrong, 1))


def test_every_query_is_promql() -> None:
    """A parser of PromQL takes every query, once its variables have values; one that is none it refuses."""
    exprs = [expr for _, panels in ROWS for panel in panels for expr, _ in panel.queries]
    told = [expr.replace("$job", "referee").replace("$__rate_interval", "1m") for expr in exprs]

    assert 0 == parsed(*told)
    assert 0 != parsed(f"{told[0]})")
