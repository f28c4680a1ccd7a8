"""The corpus through the library: the pure core, asked directly."""

from __future__ import annotations

from collections import Counter

import pytest

from charleston.conformance.cases import Case, load
from charleston.conformance.comparing import MAY_GO_ON, Answer, mismatches, open_act
from referee.judge import judge
from referee.next import what_next
from referee.notation import NotationError
from referee.rulebook import RULEBOOK, Rulebook
from referee.ruling import Misdeal
from referee.stages import SEATS
from referee.unreachable import act_faults, table_faults

CASES = load()


def ask(case: Case, rulebook: Rulebook = RULEBOOK) -> Answer:
    """Ask the core a case, act after act."""
    try:
        table = case.table()
    except NotationError:
        return Answer(error="ids")
    answer = Answer()
    for fault in table_faults(table):
        return Answer(error=_last_name(fault.path))
    table = table.tidied()
    for act in case.parsed:
        answer.went_on = answer.went_on and answer.verdict in ("", *MAY_GO_ON)
        for fault in act_faults(table, act):
            return Answer(error=_last_name(fault.path))
        ruling, table = judge(table, act, rulebook=rulebook)
        answer.verdict = ruling.verdict.name
        answer.broken = [finding.rule for finding in ruling.broken]
        answer.undecided = [finding.rule for finding in ruling.undecided]
        answer.rests_on = list(ruling.rests_on)
        misdeal = ruling.remedy if isinstance(ruling.remedy, Misdeal) else None
        answer.when = misdeal.moment.name if misdeal else ""
        answer.counts = {count.seat.name: count.counted for count in misdeal.counts} if misdeal else {}
    answer.stage = table.stage.name
    answer.debts = [f"{d.debtor.name} owes {d.creditor.name} {d.tiles}" for d in table.debts]
    answer.racks = {seat.name: Counter(map(int, table.place(seat).rack)) for seat in SEATS}
    answer.may = [
        open_act(entry.seat.name, act.must, act.kind.name, [r.name for r in act.receivers], act.tiles, act.blind)
        for entry in what_next(table).seats
        for act in entry.acts
    ]
    return answer


def _last_name(path: str) -> str:
    return path.rpartition(".")[2].partition("[")[0]


@pytest.mark.parametrize("case", [case for case in CASES if case.acts], ids=lambda case: case.name)
def test_the_core_answers_as_the_case_wants(case: Case) -> None:
    """The core answers as the case wants."""
    assert [] == mismatches(case, ask(case))
