"""The corpus through the wire: a real server, asked act by act as a game server asks it, and once more as a Replay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from charleston import RefereeClient, RefereeError
from charleston.conformance.asking import ask, laid, read, refused
from charleston.conformance.cases import Case, load
from charleston.conformance.comparing import Answer, mismatches
from charleston.referee.v1 import service_pb2
from referee.codec import write_act
from referee.server import Running

SOON = 20.0
CASES = load()


@pytest.fixture(scope="module")
def referee(server: Running) -> Iterator[RefereeClient]:
    """Connect to the server."""
    with RefereeClient(server.address, timeout=SOON) as client:
        yield client


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_server_answers_as_the_case_wants(referee: RefereeClient, case: Case) -> None:
    """The server answers as the case wants, and every ruling says so in words."""
    answer, rulings = ask(referee, case)

    assert [] == mismatches(case, answer)
    for ruling in rulings:
        assert ruling.message
        assert all(finding.message for finding in (*ruling.broken, *ruling.undecided))


@pytest.mark.parametrize("case", [case for case in CASES if case.acts], ids=lambda case: case.name)
def test_a_replay_rules_as_the_judge_does(referee: RefereeClient, case: Case) -> None:
    """One Replay of the acts of a case, skipping what is illegal, has the rulings that Judge gives one by one."""
    answer, rulings = ask(referee, case)
    acts = [write_act(act) for act in case.parsed]
    try:
        replayed = referee.replay(service_pb2.ReplayRequest(table=laid(case), acts=acts, skip_illegal=True))
    except RefereeError as error:
        assert answer.error == refused(error)
        return
    again = Answer(went_on=answer.went_on)
    read(again, replayed.rulings[-1], replayed.standing)

    assert rulings == list(replayed.rulings)
    assert answer == again
