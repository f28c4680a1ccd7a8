"""The loss test in short, and that it can fail. `make test-loss` runs it at length."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.deploy.loss import events
from tests.deploy.loss.events import HERE
from tests.deploy.loss.running import FRONTS, Terms, run
from tests.deploy.loss.soak import PARTS, Use, faults, soak
from tests.deploy.loss.table import Row, printed

LIAR = (sys.executable, "-m", "tests.deploy.loss.odd", "lying")


def ran(found: list[Row], told: str) -> Row:
    """Show a table, and return its last line."""
    print(f"\n{told}\n{printed(found)}")
    return found[-1]


@pytest.mark.parametrize("front", FRONTS)
def test_no_question_is_lost_whatever_befalls_the_replicas(front: str) -> None:
    """Replicas are killed, frozen, drained, restarted, joined and upgraded: every question has its right answer."""
    total = ran(run(HERE, Terms(front, rate=60, beat=100)), front)

    assert (0, 0) == (total.lost, total.wrong)
    assert total.asked > 1000


@pytest.mark.parametrize("front", FRONTS)
def test_no_question_is_lost_when_a_link_is_cut_or_slow(front: str) -> None:
    """Across hosts of their own a link is cut, and another made slow: every question has its right answer."""
    told = ["--across", "--front", front, "--events", "cut,slow", "--rate", "60", "--beat", "100"]
    ran = subprocess.run([sys.executable, "-m", "tests.deploy.loss", *told], capture_output=True, text=True)
    print(ran.stdout)

    assert 0 == ran.returncode, ran.stdout + ran.stderr


@pytest.mark.parametrize("front", ["envoy", "python"])
def test_without_retries_questions_are_lost(front: str) -> None:
    """Nobody asks again, and the test shows what was lost: so it would show it with retries, too."""
    total = ran(run([events.kill, events.freeze], Terms(front, rate=100, beat=200, retries=False)), front)

    assert total.lost > 0
    assert 0 == total.wrong


def test_a_replica_that_lies_is_found_out() -> None:
    """One of three loses a tile of South's in each answer, and the test finds wrong answers."""
    total = ran(run([events.steady], Terms("envoy", beat=100, first=LIAR)), "lying")

    assert total.wrong > 0
    assert 0 == total.lost


def test_a_process_that_grows_is_named() -> None:
    """The soak names the process whose memory or descriptors grow after it is warm, and no other."""
    flat = [Use(60_000, 12)] * (PARTS + 1)
    fat = [Use(60_000 + part * 2_000, 12) for part in range(PARTS + 1)]
    leaky = [Use(60_000, 12 + part) for part in range(PARTS + 1)]

    assert ["fat", "leaky"] == [fault.split()[0] for fault in faults({"flat": flat, "fat": fat, "leaky": leaky})]


def test_a_soak_in_short() -> None:
    """For a few seconds no question is lost, and the replicas' counters add up to what was asked."""
    assert 0 == soak(seconds=12, rate=60)
