"""Rules, alerts and the dashboard, before real referees under load: `make test-watch` runs it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest

from deploy.grafana.dashboard import ROWS
from tests.deploy.loss.load import SOON
from tests.deploy.loss.replicas import until
from tests.deploy.watch.programs import HERE
from tests.deploy.watch.scene import Watched, watching

QUERIES = [
    pytest.param(expr, id=f"{panel.title}: {name}" if name else panel.title)
    for _, panels in ROWS
    for panel in panels
    for expr, name in panel.queries
]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Watch referees under load."""
    with watching(tmp_path_factory.mktemp("watch")) as up:
        yield up


@pytest.mark.parametrize(
    "command",
    [
        ("promtool", "check", "rules", "rules.yml", "alerts.yml", "play.yml"),
        ("promtool", "check", "config", "prometheus.yml"),
        ("promtool", "test", "rules", "alerts_test.yml"),
        ("promtool", "test", "rules", "play_test.yml"),
        ("amtool", "check-config", "alertmanager.yml"),
    ],
    ids=" ".join,
)
def test_files_are_right(command: tuple[str, ...]) -> None:
    """The tools of Prometheus find nothing wrong with our files, and every alert fires when it should and only then."""
    said = subprocess.run(command, cwd=HERE, capture_output=True, text=True)

    assert 0 == said.returncode, said.stdout + said.stderr


def test_every_target_is_scraped(watched: Watched) -> None:
    """Prometheus reads each worker, and the other referee."""
    until(lambda: 3 == len(watched.prometheus.query('up{job="referee"} == 1')), "three targets are up")


def test_what_is_scraped_is_well_formed(watched: Watched) -> None:
    """Prometheus's own linter finds nothing wrong with what a referee shows."""
    with urlopen(f"http://{watched.two_workers.metrics[0]}/metrics", timeout=SOON) as page:
        said = subprocess.run(["promtool", "check", "metrics"], input=page.read(), capture_output=True)

    assert (0, b"", b"") == (said.returncode, said.stdout, said.stderr)


@pytest.mark.parametrize("expr", QUERIES)
def test_no_panel_is_empty(watched: Watched, expr: str) -> None:
    """Every query of the dashboard has something to show, of misdeals, Joker returns and faults too."""
    asked = expr.replace("$job", "referee").replace("$__rate_interval", "10s")

    until(lambda: bool(watched.prometheus.query(asked)), asked)
    until(lambda: any(float(one["value"][1]) >= 0 for one in watched.prometheus.query(asked)), f"a number: {asked}")


@pytest.mark.parametrize(
    "expr",
    [
        'referee_requests_total{code="INTERNAL"} > 0',
        'sum by (job) (referee_rulings_total{verdict="MISDEAL"}) > 0',
        'sum by (job) (referee_rulings_total{verdict="JOKER_RETURN"}) > 0',
        'sum by (job) (referee_rulings_total{verdict="UNDECIDED"}) > 0',
        "sum by (job) (referee_jokers_returned_total) > 0",
        'referee_callers_refused_total{reason="questions"} > 0',
        "job:referee_misdeals:share1h > 0",
    ],
)
def test_the_load_has_everything_in_it(watched: Watched, expr: str) -> None:
    """Faults, misdeals, Joker returns, refused callers: what the panels are there to show has happened."""
    until(lambda: bool(watched.prometheus.query(expr)), expr)


def test_exemplars_are_kept(watched: Watched) -> None:
    """Prometheus keeps the keyed id of a ruling beside the count of its verdict."""
    until(lambda: bool(watched.prometheus.exemplars('referee_rulings_total{verdict="MISDEAL"}')), "an exemplar")

    assert {26} == {len(labels["ruling"]) for labels in watched.prometheus.exemplars("referee_rulings_total")}


def test_alerts_reach_the_hook(watched: Watched) -> None:
    """Malformed questions, a fault, callers refused and a worker that is killed: each alert goes the whole way."""
    watched.kill_a_worker()
    expected = {"RefereeMalformedQuestions", "RefereeFaults", "RefereeCallersRefused", "RefereeWorkersReplaced"}
    heard: dict[str, dict[str, Any]] = {}

    def all_heard() -> bool:
        while not watched.alerts.empty():
            alert = watched.alerts.get()
            heard[alert["labels"]["alertname"]] = alert
        return expected <= set(heard)

    until(all_heard, f"the hook has heard of {sorted(expected)}")

    assert {"/ticket"} == {heard[name]["path"] for name in expected}
    assert {"firing"} == {heard[name]["status"] for name in expected}
    assert all(heard[name]["annotations"]["runbook"].startswith("deploy/prometheus/README.md#") for name in expected)
