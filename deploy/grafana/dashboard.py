"""The dashboard as code: `python deploy/grafana/dashboard.py` writes dashboard.json, which Grafana imports.

A panel says in its description what its first metric tells and when to worry, in the words of `referee.meters`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee.meters import METERS

PAGE = Path(__file__).with_name("dashboard.json")
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
JOB = 'job="$job"'
WINDOW = "$__rate_interval"
WIDE, HIGH = 8, 8


class Panel(NamedTuple):
    """A panel with its queries: each an expression, and how a series of it is called; `says` goes before the meters."""

    title: str
    unit: str
    queries: tuple[tuple[str, str], ...]
    kind: str = "timeseries"
    says: str = ""


def _rate(metric: str, *by: str, only: str = "") -> str:
    chosen = ", ".join(filter(None, (JOB, only)))
    return f"sum by ({', '.join(by)}) (rate({metric}{{{chosen}}}[{WINDOW}]))"


def _quantile(quantile: str, metric: str, *by: str) -> str:
    return f"histogram_quantile({quantile}, {_rate(f'{metric}_bucket', *by, 'le')})"


def _hour(metric: str, by: str) -> str:
    return f"sum by ({by}) (increase({metric}{{{JOB}}}[1h]))"


ROWS: tuple[tuple[str, tuple[Panel, ...]], ...] = (
    (
        "Calls",
        (
            Panel("Calls by method", "reqps", ((_rate("referee_requests_total", "method"), "{{method}}"),)),
            Panel(
                "Calls that got no answer, by status",
                "reqps",
                ((_rate("referee_requests_total", "code", only='code!="OK"'), "{{code}}"),),
            ),
            Panel(
                "Failed and slow, of all calls",
                "percentunit",
                ((f"job:referee_failed:share5m{{{JOB}}}", "failed"), (f"job:referee_slow:share5m{{{JOB}}}", "slow")),
                says="Of all calls those that failed, and of the questions to Judge those that took longer than 5 ms. "
                "Promised are less than 0.1 % and 1 %.",
            ),
            Panel(
                "Time to an answer",
                "s",
                (
                    (_quantile("0.5", "referee_request_seconds", "method"), "{{method}}, half"),
                    (f"job_method:referee_request_seconds:p99_5m{{{JOB}}}", "{{method}}, 99 of 100"),
                ),
            ),
            Panel(
                "Calls in flight, and streams",
                "short",
                (
                    (
                        f'sum by (instance) (referee_requests_in_flight{{{JOB}, method!="JudgeStream"}})',
                        "calls, {{instance}}",
                    ),
                    (
                        f'sum by (instance) (referee_requests_in_flight{{{JOB}, method="JudgeStream"}})',
                        "streams, {{instance}}",
                    ),
                ),
            ),
            Panel(
                "Size of messages, 99 of 100",
                "bytes",
                (
                    (_quantile("0.99", "referee_request_bytes"), "questions"),
                    (_quantile("0.99", "referee_response_bytes"), "answers"),
                ),
            ),
        ),
    ),
    (
        "Play",
        (
            Panel("Rulings by verdict", "ops", ((_rate("referee_rulings_total", "verdict"), "{{verdict}}"),)),
            Panel(
                "Rulings that are not lawful, by stage",
                "ops",
                ((_rate("referee_rulings_total", "stage", only='verdict!="LEGAL"'), "{{stage}}"),),
            ),
            Panel(
                "Articles broken most",
                "ops",
                ((f"topk(8, {_rate('referee_findings_total', 'rule')})", "{{rule}}"),),
            ),
            Panel(
                "Misdeals and Joker returns, of all rulings",
                "percentunit",
                (
                    (f"job:referee_misdeals:share1h{{{JOB}}}", "misdeals"),
                    (f"job:referee_joker_returns:share1h{{{JOB}}}", "Joker returns"),
                ),
                says="Of all rulings in an hour. Worry: one moves away from where it has been all week.",
            ),
            Panel(
                "Hands thrown in, an hour",
                "short",
                ((_hour("referee_misdeals_total", "moment"), "{{moment}}"),),
            ),
            Panel(
                "Jokers that went back, an hour",
                "short",
                ((_hour("referee_jokers_returned_total", "rule"), "{{rule}}"),),
            ),
            Panel("Left undecided, an hour", "short", ((_hour("referee_undecided_total", "rule"), "{{rule}}"),)),
        ),
    ),
    (
        "Callers",
        (
            Panel(
                "Malformed questions, an hour",
                "short",
                ((_hour("referee_malformed_total", "reason"), "{{reason}}"),),
            ),
            Panel(
                "Callers refused, an hour",
                "short",
                ((_hour("referee_callers_refused_total", "reason"), "{{reason}}"),),
            ),
            Panel(
                "Questions in batches and on streams",
                "reqps",
                ((_rate("referee_questions_total", "method", "code"), "{{method}}, {{code}}"),),
            ),
        ),
    ),
    (
        "Replicas",
        (
            Panel(
                "CPU, of one core",
                "percentunit",
                ((f"rate(process_cpu_seconds_total{{{JOB}}}[{WINDOW}])", "{{instance}}"),),
                says="Worry: a worker stays near 1. It judges on one core, and has all of it.",
            ),
            Panel(
                "Memory",
                "bytes",
                ((f"process_resident_memory_bytes{{{JOB}}}", "{{instance}}"),),
                says="Worry: it grows for days, or nears the limit of the container.",
            ),
            Panel(
                "Workers replaced, and lines of the log lost",
                "short",
                (
                    (f"increase(referee_workers_replaced_total{{{JOB}}}[1h])", "replaced, {{instance}}"),
                    (f"increase(referee_log_lines_lost_total{{{JOB}}}[1h])", "lines lost, {{instance}}"),
                ),
            ),
            Panel("What runs", "short", ((f"referee_build_info{{{JOB}}}", ""),), "table"),
            Panel("Which rulebooks are served", "short", ((f"referee_rulebook_info{{{JOB}}}", ""),), "table"),
        ),
    ),
)


def dashboard() -> dict[str, Any]:
    """Return the dashboard as Grafana reads it."""
    return {
        "uid": "charleston-referee",
        "title": "Charleston referee",
        "description": "How the referees are called, what they rule, and how they are. No tile is in any of it.",
        "tags": ["charleston", "referee"],
        "schemaVersion": 39,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": _variables()},
        "panels": list(_placed()),
    }


def _variables() -> list[dict[str, Any]]:
    return [
        {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
        {
            "name": "job",
            "label": "Job",
            "type": "query",
            "datasource": SOURCE,
            "query": "label_values(referee_build_info, job)",
            "refresh": 1,
        },
    ]


def _placed() -> Iterator[dict[str, Any]]:
    id, top = 0, 0
    for title, panels in ROWS:
        id += 1
        yield {
            "id": id,
            "type": "row",
            "title": title,
            "collapsed": False,
            "gridPos": {"x": 0, "y": top, "w": 24, "h": 1},
            "panels": [],
        }
        top += 1
        for number, panel in enumerate(panels):
            id += 1
            at = {"x": number % 3 * WIDE, "y": top + number // 3 * HIGH, "w": WIDE, "h": HIGH}
            yield _written(id, panel, at)
        top += (len(panels) + 2) // 3 * HIGH


def _written(id: int, panel: Panel, at: dict[str, int]) -> dict[str, Any]:
    table = panel.kind == "table"
    form = {"format": "table", "instant": True} if table else {"exemplar": True, "range": True}
    targets = [
        {"refId": letter, "datasource": SOURCE, "expr": expr, "legendFormat": name, **form}
        for letter, (expr, name) in zip("ABC", panel.queries, strict=False)
    ]
    legend = {"displayMode": "list", "placement": "bottom", "showLegend": True, "calcs": []}
    options = {"showHeader": True} if table else {"legend": legend, "tooltip": {"mode": "multi", "sort": "desc"}}
    defaults: dict[str, Any] = {"unit": panel.unit, "min": 0}
    if not table:
        defaults["custom"] = {"drawStyle": "line", "lineWidth": 1, "fillOpacity": 10, "showPoints": "never"}
    return {
        "id": id,
        "type": panel.kind,
        "title": panel.title,
        "description": described(panel),
        "datasource": SOURCE,
        "gridPos": at,
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": options,
        "targets": targets,
    }


def described(panel: Panel) -> str:
    """Return what a panel says, what the meters tell that it asks, and when to worry."""
    asked = [name for expr, _ in panel.queries for name in re.findall(r"\breferee_\w+", expr)]
    told = {
        meter.name: f"{meter.tells} Worry: {meter.worry[0].lower()}{meter.worry[1:]}"
        for meter in METERS
        if any(re.fullmatch(rf"{meter.name}(_total|_bucket)?", name) for name in asked)
    }
    return "\n\n".join(filter(None, (panel.says, *told.values())))


def written() -> str:
    """Return the dashboard as JSON."""
    return json.dumps(dashboard(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
