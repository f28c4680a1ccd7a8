"""The alerts: each has its section on the page, is tried firing and not firing, and asks for metrics that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.meters import METERS
from tests.house.test_pages import anchors

HERE = Path(__file__).parents[2] / "deploy" / "prometheus"
PAGE = HERE / "README.md"
RULES = {name: (HERE / name).read_text(encoding="utf-8") for name in ("rules.yml", "alerts.yml", "play.yml")}
TESTS = "".join((HERE / name).read_text(encoding="utf-8") for name in ("alerts_test.yml", "play_test.yml"))
ALERTS = re.findall(r"- alert: (\w+)", "".join(RULES.values()))


def test_each_alert_has_its_section_and_each_section_its_alert() -> None:
    """The sections of the page are the alerts, no fewer and no more, and each annotation leads to its own."""
    sections = re.findall(r"^### (\w+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    led = re.findall(r'- alert: (\w+)\n(?:(?!- alert).)*?runbook: "(.*?)"', "".join(RULES.values()), re.DOTALL)

    assert len(ALERTS) > 10
    assert sorted(ALERTS) == sorted(sections)
    assert [(alert, f"deploy/prometheus/README.md#{alert.lower()}") for alert in ALERTS] == led
    assert {alert.lower() for alert in ALERTS} <= anchors(PAGE)


@pytest.mark.parametrize("alert", ALERTS)
def test_each_alert_is_tried_firing_and_not_firing(alert: str) -> None:
    """The tests of the rules have a moment at which an alert fires, and one at which it does not."""
    tried = re.findall(rf"alertname: {alert}\n\s+eval_time: \w+\n\s+exp_alerts:( \[\])?", TESTS)

    assert {" []", ""} == set(tried)


@pytest.mark.parametrize("name", RULES)
def test_the_rules_ask_for_metrics_that_there_are(name: str) -> None:
    """Every metric in a rule is one that the referee shows."""
    shown = {f"{meter.name}_total" if meter.kind == "counter" else meter.name for meter in METERS}
    asked = {
        re.sub(r"_(bucket|count|sum)$", "", metric) for metric in re.findall(r"\breferee_\w+(?=[{\[)])", RULES[name])
    }

    assert asked
    assert set() == asked - shown
