"""The order of play holds in every state that play can reach: the proof by looking at all of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import chain, islice
from pathlib import Path

import pytest

from referee.judge import judge
from referee.stages import BEFORE_OPENING, SEATS
from tests.proof.order import Reached, acts, acts_of, bare, dead_ends, faults, lay, reach, turned

README = Path(__file__).parents[2] / "README.md"
DEBTS = int(os.environ.get("PROOF_DEBTS", "1"))
SHARES = 4
pytestmark = pytest.mark.timeout(3600 if DEBTS > 1 else 600)


@pytest.fixture(scope="module")
def reached() -> Reached:
    """Reach every state, once for each process of the tests."""
    return reach(DEBTS)


def test_every_path_can_end_at_the_opening_discard(
    reached: Reached, record_property: Callable[[str, object], None]
) -> None:
    """From every state that play can reach a path leads to the discard; README says how many they are."""
    asked = sum(1 for state in reached for _ in acts(lay(state), DEBTS))
    numbers = f"{len(reached):,} states and {asked:,} acts"
    record_property("told", f"The order of play, with at most {DEBTS} open debt(s): {numbers} looked at.")

    assert set() == dead_ends(reached)
    assert DEBTS != 1 or numbers in README.read_text(), f"README should say: {numbers}"


@pytest.mark.parametrize("share", range(SHARES))
def test_what_is_open_is_what_is_lawful(reached: Reached, share: int) -> None:
    """In every state what is open is what is judged lawful, somebody is waited for, and its table is accepted."""
    mine = islice(reached, share, None, SHARES)
    wrong = chain.from_iterable(faults(state, DEBTS) for state in mine)

    assert [] == list(islice(wrong, 5))


def test_turning_the_table_changes_nothing() -> None:
    """Before the opening no seat differs from another: what a seat does on a turned table does the same, turned."""
    states = [state for state in reach(0) if state.stage in BEFORE_OPENING]
    for state in states[::5]:
        table, round_table = lay(state), lay(turned(state))
        for seat in SEATS:
            pairs = zip(acts_of(table, seat, 1), acts_of(round_table, seat.on(3), 1), strict=True)
            for act, same in list(pairs)[::3]:
                ruling, after = judge(table, act)
                turned_ruling, turned_after = judge(round_table, same)

                assert ruling.verdict is turned_ruling.verdict
                assert turned(bare(after)) == bare(turned_after)
