"""The judge: which articles an act breaks, what that makes of it, and the table after.

A judgement commits nothing. It is a pure function of the table and the act: the same question has the same answer,
whoever asks and when.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.acts import Act, HandBack, Pass
from referee.play import follow, rests_on_blind_order, thrown_in
from referee.rulebook import RULEBOOK, Reading, Rulebook, Step
from referee.ruling import Asked, Finding, JokerReturn, Misdeal, Outcome, Ruling, SeatCount, Verdict
from referee.table import Table
from referee.tiles import JOKER


class Judgement(NamedTuple):
    """A ruling and the table after it: the table judged itself, when the act is refused."""

    ruling: Ruling
    table: Table


def judge(table: Table, act: Act | None = None, *, trace: bool = False, rulebook: Rulebook = RULEBOOK) -> Judgement:
    """Judge an act at a table, or with no act the table as it stands.

    The table is one that `unreachable.faults` has nothing against, as is every table in a judgement.
    """
    broken: list[Finding] = []
    rests_on: list[str] = []
    asked: list[Asked] = []
    for step in rulebook.steps[type(act), table.stage]:
        _ask(step, table, act, broken, rests_on, asked)
        if broken:
            break  # what this step found stands alone
    verdict = max((rulebook.verdicts[finding.rule] for finding in broken), default=Verdict.LEGAL)
    after = table
    if verdict is Verdict.MISDEAL:
        after = thrown_in(table)
    elif act is not None and verdict is not Verdict.ILLEGAL:
        after = follow(table, act)
        if rests_on_blind_order(table, act):
            rests_on.append("blind.last_pass")
    ruling = Ruling(
        verdict,
        tuple(broken),
        tuple(rests_on),
        _remedy(verdict, table, act, broken),
        tuple(asked) if trace else (),
    )
    return Judgement(ruling, after)


def _ask(
    step: Step,
    table: Table,
    act: Act | None,
    broken: list[Finding],
    rests_on: list[str],
    asked: list[Asked],
) -> None:
    for rule in step.rules:
        if rule.unless and any(finding.rule == rule.unless for finding in broken):
            continue
        before = len(broken)
        for answer in rule.ask(table, None if step.of_table else act):
            if not isinstance(answer, Reading):
                broken.append(answer)
            elif rule.id not in rests_on:
                rests_on.append(rule.id)
        asked.append(Asked(rule.id, Outcome.BROKEN if len(broken) > before else Outcome.HELD))


def _remedy(verdict: Verdict, table: Table, act: Act | None, broken: list[Finding]) -> JokerReturn | Misdeal | None:
    if verdict is Verdict.MISDEAL:
        assert table.moment is not None, "nothing is counted once East has discarded"
        return Misdeal(table.moment, tuple(_counted(finding) for finding in broken))
    if verdict is not Verdict.JOKER_RETURN:
        return None
    if isinstance(act, HandBack):
        return JokerReturn(act.seat, act.passer, act.jokers)
    assert isinstance(act, Pass), "only a pass or a hand-back returns a Joker"
    return JokerReturn(act.seat, act.seat, act.tiles.count(JOKER))


def _counted(finding: Finding) -> SeatCount:
    facts = dict(finding.facts)
    seat, counted, dealt = finding.seat, facts["counted"], facts["dealt"]
    assert seat is not None and isinstance(counted, int) and isinstance(dealt, int), "a count is a seat's"
    return SeatCount(seat, counted, dealt)
