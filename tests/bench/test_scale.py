"""The arithmetic of the cost of scale, by hand."""

from __future__ import annotations

import pytest

from tests.bench.scale import cores_for, page, rulings_a_day, seconds_for


def test_a_core_gives_as_many_rulings_as_its_microseconds_hold() -> None:
    """At 100 microseconds each, one core gives 864 million rulings a day."""
    assert 864_000_000 == rulings_a_day(100)


def test_hands_need_cores_for_their_busiest_second() -> None:
    """86.4 million hands of 40 rulings are 40,000 a second, 120,000 at the peak, and 20 cores at 0.6 and 100 µs."""
    assert 20 == cores_for(86_400_000, 40, 100)


def test_cores_are_whole() -> None:
    """A hand a day needs one core and not a part of one."""
    assert 1 == cores_for(1, 40, 100)


@pytest.mark.parametrize(("cores", "seconds"), [(1, 1000), (8, 125), (64, 15.625)])
def test_games_are_shared_among_cores(cores: int, seconds: float) -> None:
    """A million games at a thousand per second and core take a thousand seconds, shared among the cores."""
    assert seconds == seconds_for(1_000_000, 1000, cores)


def test_the_page_is_made_from_a_report_alone() -> None:
    """The page's numbers are those of the report: twice the cost, twice the cores."""
    costs = dict.fromkeys(("full us", "ruling us", "batch us", "batch ruling us", "replay us"), 100.0)
    values = {name: {"median": value} for name, value in {**costs, "acts": 40, "games": 1, "archived": 1}.items()}
    report = {"machine": {"processor": "x"}, "versions": {"python": "3"}, "commit": "c", "values": values}
    cheap = page(report)
    values["full us"]["median"] = 200.0

    assert "| `Judge`, full answer | 100.0 | 864 million | 24 |" in cheap
    assert "| `Judge`, full answer | 200.0 | 432 million | 47 |" in page(report)
