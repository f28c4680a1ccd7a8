"""A server that judges wrongly is found out, whatever is wrong with it."""

from __future__ import annotations

import pytest

from charleston import RefereeClient
from charleston.conformance.cases import LEVELS, load
from charleston.conformance.running import Outcome, run
from referee.rulebook import RULEBOOK
from tests.clients.conftest import Ask
from tests.conformance.servers import Judge, Mute, careless, crashing, foreign, lawful, lenient, serving, vague, without

CASES = load()
SOON = 20.0
NO_REFEREE = "charleston.chess.v1.ChessService"


def failed(judge: Judge) -> dict[str, tuple[str, ...]]:
    """Return the cases that a server fails, and why."""
    with serving(judge) as address, RefereeClient(address, timeout=SOON) as client:
        results = list(run(client, CASES, LEVELS, {}))
    return {result.case.name: result.why for result in results if result.outcome is Outcome.FAILED}


def test_the_referee_passes() -> None:
    """A server that judges as the referee does fails nothing."""
    assert {} == failed(lawful)


@pytest.mark.parametrize("id", [rule.id for rule in RULEBOOK.articles])
def test_a_server_without_an_article_is_found_out(id: str) -> None:
    """A server that knows every article but one fails a case that breaks it."""
    breaking = {case.name for case in CASES if id in case.want.get("broken", ())}

    assert breaking & set(failed(without(id)))


def test_a_lenient_server_is_found_out() -> None:
    """A server to which everything is LEGAL fails every case that wants anything else, and malformed questions too."""
    wanted = {case.name for case in CASES if case.want.get("verdict", "LEGAL") != "LEGAL" or "error" in case.want}

    assert set() == wanted - set(failed(lenient))


def test_a_server_that_loses_tiles_is_found_out() -> None:
    """A server that rules rightly and loses a tile fails where it is asked about its own table."""
    found = failed(careless)

    assert any("rack of SOUTH" in sentence for why in found.values() for sentence in why)
    assert any("earlier acts go on: wanted yes, got no" in why for why in found.values())


def test_values_that_there_are_not_are_told() -> None:
    """A server with enum values of its own fails, and the report names their numbers."""
    found = [sentence for why in failed(foreign).values() for sentence in why]

    assert any(sentence == "verdict: wanted LEGAL, got 99" for sentence in found)
    assert any(sentence.startswith("debts: ") and sentence.endswith("got 96 owes 95 1") for sentence in found)


def test_a_server_that_crashes_fails_every_case() -> None:
    """A server that fails at every question fails every case, and is not taken for nobody."""
    found = failed(crashing)

    assert {case.name for case in CASES} == set(found)
    assert {"there was no answer: INTERNAL: the table is on fire\0"} == {why for (why,) in found.values()}


def test_a_refusal_has_to_say_where() -> None:
    """A server that refuses what is malformed without a field fails every case of such a question."""
    assert {case.name for case in CASES if "error" in case.want} == set(failed(vague))


@pytest.mark.parametrize("answers", [0, 5])
def test_a_server_that_falls_silent_is_given_up(answers: int, ask: Ask) -> None:
    """A server that does not answer, or no longer does, ends the run: exit 2."""
    mute = Mute(answers)
    with serving(mute) as address:
        status, _, told = ask("conform", address, "--timeout", "0.2")
        mute.let_go.set()

    assert 2 == status
    assert f"charleston: the referee at {address} did not answer within 0.2 seconds\n" == told


def test_what_is_no_referee_is_told(ask: Ask) -> None:
    """A server of something else ends the run: exit 2."""
    with serving(lawful, NO_REFEREE) as address:
        status, _, told = ask("conform", address)

    assert (2, f"charleston: what serves at {address} is no referee\n") == (status, told)
