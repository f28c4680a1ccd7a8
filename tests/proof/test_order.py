"""The order of play holds in every state that play can reach: the proof by looking at all of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.judge import judge
from referee.table import BEFORE_OPENING, SEATS
from tests.proof.order import Explored, acts_of, bare, explore, lay, turned

README = Path(__file__).parents[2] / "README.md"
DEBTS = int(os.environ.get("PROOF_DEBTS", "1"))


@pytest.fixture(scope="module")
def explored() -> Explored:
    """Explore every state once."""
    return explore(DEBTS)


@pytest.mark.timeout(1800)
def test_every_state_does_what_is_open_and_leads_to_the_discard(
    explored: Explored, record_property: Callable[[str, object], None]
) -> None:
    """In every state what is open is what is judged lawful, somebody is waited for, and a path leads to the discard."""
    numbers = f"{len(explored.leads_to):,} states and {explored.acts:,} acts"
    record_property("told", f"The order of play, with at most {DEBTS} debt(s) open: {numbers}, and no dead end.")

    assert [] == explored.wrong[:5]
    assert set() == explored.dead_ends()
    assert DEBTS != 1 or numbers in README.read_text(), f"README should say {numbers}"


def test_turning_the_table_changes_nothing() -> None:
    """Before the opening no seat differs from another: what a seat does on a turned table does the same, turned."""
    states = [state for state in explore(0).leads_to if state.stage in BEFORE_OPENING]
    for state in states[::5]:
        table, round_table = lay(state), lay(turned(state))
        for seat in SEATS:
            pairs = zip(acts_of(table, seat, 1), acts_of(round_table, seat.on(3), 1), strict=True)
            for act, same in list(pairs)[::3]:
                ruling, after = judge(table, act)
                turned_ruling, turned_after = judge(round_table, same)

                assert ruling.verdict is turned_ruling.verdict
                assert turned(bare(after)) == bare(turned_after)
