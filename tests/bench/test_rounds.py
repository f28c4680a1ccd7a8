"""The arithmetic of the benchmarks: rounds, spreads, bars and comparisons, and how h2load's words are read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench import report, rounds
from tests.bench.bars import BARS, Bar
from tests.bench.compare import change, table
from tests.bench.h2load import Done, Wrong, read
from tests.bench.latency import Wait, percentile, steady
from tests.bench.machine import ours
from tests.bench.picture import picture
from tests.bench.rounds import Round, Spread, spread

SAID = """\
finished in 2.00s, 500.00 req/s, 1.00MB/s
requests: 1000 total, 1000 started, 1000 done, {succeeded} succeeded, {failed} failed, 0 errored, 0 timeout
status codes: {succeeded} 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 1.95KB (2000) total, 1.00KB (1000) headers (space savings 90.00%), 4.88KB ({data}) data
"""


def noise(*cores: float) -> Callable[[], Callable[[], float]]:
    """Return a watch over others who take so many cores, round after round."""
    taken: Iterator[float] = iter(cores)
    return lambda: lambda: next(taken)


def test_rounds_go_in_turn_and_back_again() -> None:
    """What is measured first in one round is measured last in the next."""
    order: list[str] = []

    def thing(name: str) -> Callable[[], dict[str, float]]:
        return lambda: {name: float(order.append(name) or 1)}  # type: ignore[func-returns-value]

    rounds.measure({name: thing(name) for name in "ABC"}, 2, noise(0.0, 0.0))

    assert "ABCCBA" == "".join(order)


def test_a_loud_round_is_thrown_away() -> None:
    """A round in which others took more than allowed is measured again."""
    values = iter([1.0, 2.0, 3.0])
    kept, loud = rounds.measure({"a": lambda: {"a": next(values)}}, 2, noise(0.1, 0.2, 0.0), quiet=0.15)

    assert [3.0, 1.0] == [each.measured["a"] for each in kept]
    assert 0 == loud


def test_where_it_is_never_quiet_the_least_loud_rounds_count_and_are_named() -> None:
    """Where too few rounds were quiet, the least loud of all that were tried stand in, and are counted."""
    values = iter([1.0, 2.0, 3.0, 4.0])
    kept, loud = rounds.measure({"a": lambda: {"a": next(values)}}, 2, noise(0.9, 0.1, 0.7, 0.3), tries=2)

    assert [2.0, 4.0] == [each.measured["a"] for each in kept]
    assert 1 == loud


def test_a_ratio_is_taken_round_by_round() -> None:
    """A ratio is the median of the rounds' own ratios, not the ratio of medians."""
    kept = [Round({"a": a, "b": b}, 0.0) for a, b in ((1.0, 1.0), (4.0, 1.0), (9.0, 3.0))]

    assert Spread(3.0, 1.0, 4.0, 3) == rounds.ratio(kept, 0, "a", "b")


def test_a_spread_of_nothing_is_an_error() -> None:
    """What was never measured has no spread."""
    with pytest.raises(ValueError, match="nothing was measured"):
        spread([])


@pytest.mark.parametrize(
    ("bar", "median", "met"),
    [
        (Bar("x", "x", 0.7, 0.8), 0.69, "no"),
        (Bar("x", "x", 0.7, 0.8), 0.7, "yes"),
        (Bar("x", "x", 0.7, 0.8), 0.8, "stretch"),
        (Bar("x", "x", 5, 2, least=True), 5.1, "no"),
        (Bar("x", "x", 5, 2, least=True), 5, "yes"),
        (Bar("x", "x", 5, 2, least=True), 2, "stretch"),
    ],
)
def test_a_bar_is_met_by_the_median(bar: Bar, median: float, met: str) -> None:
    """A bar and its stretch are met by a median that is as good, whichever way is better."""
    assert met == bar.met(spread([median]))


def test_a_run_of_h2load_is_read() -> None:
    """A run in which every answer came with every byte tells its calls and seconds."""
    assert Done(1000, 2.0) == read(SAID.format(succeeded=1000, failed=0, data=5000), 1000, 5, "x")


@pytest.mark.parametrize(
    ("succeeded", "failed", "data"),
    [(999, 1, 4995), (1000, 0, 4995), (1000, 0, 5005), (999, 0, 4995)],
    ids=["a call failed", "an answer is missing", "an answer is too long", "a call is missing"],
)
def test_a_run_with_a_wrong_answer_is_wrong(succeeded: int, failed: int, data: int) -> None:
    """A run of h2load with a call that failed, or with bytes too few or too many, is wrong."""
    with pytest.raises(Wrong):
        read(SAID.format(succeeded=succeeded, failed=failed, data=data), 1000, 5, "x")


def test_what_h2load_never_says_is_wrong() -> None:
    """Output that is none of h2load's is wrong, not a measurement of nothing."""
    with pytest.raises(Wrong, match="understands"):
        read("segmentation fault", 1000, 5, "x")


def test_the_percentile_is_one_of_the_waits() -> None:
    """The 99th percentile of a hundred waits is the longest but for none, and of one the one."""
    assert 99.0 == percentile([float(number) for number in range(100)], 0.99)
    assert 7.0 == percentile([7.0], 0.99)


def test_calls_of_the_start_do_not_count() -> None:
    """Waits of the first half second, in which connections are made, are left out."""
    assert [2.0] == steady([Wait(10.0, 9.0), Wait(10.4, 8.0), Wait(10.5, 2.0)])


@pytest.mark.parametrize(
    ("b", "least", "said"),
    [
        (Spread(2.0, 1.9, 2.1, 5), False, "better"),
        (Spread(2.0, 1.9, 2.1, 5), True, "worse"),
        (Spread(2.0, 1.0, 2.1, 5), False, "within the noise"),
    ],
)
def test_a_change_is_told_only_beyond_the_noise(b: Spread, least: bool, said: str) -> None:
    """Two measurements differ only where their ranges do not meet."""
    assert said == change(Spread(1.0, 0.9, 1.1, 5), b, least=least)


def made(**rows: Spread) -> report.Report:
    """Return a report with these rows."""
    about = {"machine": {"processor": "x", "cores": 2, "memory_gib": 1.0, "system": "x"}, "versions": {"python": "3"}}
    run = {"date": "2026-01-01", "commit": "x", "rounds": 5, "seconds": 3.0, "quiet": 0.15, "checked": 10, "calls": 100}
    return report.report({**about, **run}, rows, {}, {}, {})


def test_a_comparison_has_every_bar() -> None:
    """A comparison tells each bar, those over an echo twice, and says where only one report has it."""
    compared = table(made(unary=Spread(0.5, 0.4, 0.6, 5)), made(unary=Spread(0.8, 0.7, 0.9, 5)))

    assert 1 + len(BARS) + sum(bar.echo for bar in BARS) == len(compared)
    assert ["1.60", "better"] == compared[1][3:]
    assert ["", "not measured in both"] == compared[2][3:]


def test_loud_rows_are_marked() -> None:
    """A row with loud rounds in it has a mark, and the table says what it means."""
    text = report.text(made(unary=Spread(0.5, 0.4, 0.6, 5, loud=2)))

    assert "0.50 [0.40..0.60]*" in text
    assert "1 rows, marked *, hold rounds in which other programs took more than 0.15 cores" in text


def test_the_picture_has_every_bar() -> None:
    """The picture names each path, measured or not."""
    drawn = picture(made(unary=Spread(0.5, 0.4, 0.6, 5)))

    assert drawn.count("not measured") == len(BARS) - 1
    assert 'class="no"' in drawn


def test_a_file_that_is_no_report_is_named(tmp_path: Path) -> None:
    """A file that holds something else is refused in a sentence that names it."""
    path = tmp_path / "x.json"
    path.write_text("[]")

    with pytest.raises(ValueError, match=r"x\.json holds no report"):
        report.read(path)


def test_the_work_of_what_we_start_is_ours() -> None:
    """The processor time of a process that we started is ours, while it lives and once it has ended."""
    before = ours()
    burn = "import time\nwhile time.process_time() < 0.2: pass\nprint('burnt', flush=True)\ninput()"
    with subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        living = ours() - before
        process.communicate(b"\n")
    ended = ours() - before

    assert living >= 0.2
    assert ended >= 0.19  # told in parts of a tick
