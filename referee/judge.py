"""The judge: which articles an act breaks, what that makes of it, and the table after.

A judgement commits nothing. It is a pure function of the table and the act: the same question has the same answer,
whoever asks and when.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from referee.acts import Act, HandBack, Pass
from referee.next import what_next
from referee.play import follow, rests_on_blind_order, thrown_in
from referee.precedents import Precedent, form
from referee.rulebook import RULEBOOK, Reading, Rule, Rulebook, Unsure
from referee.ruling import (
    ILLEGAL,
    JOKER_RETURN,
    LEGAL,
    MISDEAL,
    UNDECIDED,
    Asked,
    Finding,
    JokerReturn,
    Misdeal,
    Outcome,
    Ruling,
    SeatCount,
    Verdict,
)
from referee.table import Table
from referee.tiles import JOKER

Heard = list[tuple[Rule, Finding | Unsure | Reading]]
Ruled = tuple[Ruling, Table]
Remedy = JokerReturn | Misdeal | None


class Judgement(NamedTuple):
    """A ruling and the table after it: the table judged itself, when the act is refused."""

    ruling: Ruling
    table: Table


def judge(table: Table, act: Act | None = None, *, trace: bool = False, rulebook: Rulebook = RULEBOOK) -> Judgement:
    """Judge an act at a table, or with no act the table as it stands.

    The table is one that `unreachable.table_faults` has nothing against, as is every table in a judgement.
    """
    if not trace and (ruled := precedent(table, act, rulebook)):
        # As Judgement(…), in half the time.
        return tuple.__new__(Judgement, (ruled.ruling, ruled.after(table, act)))
    return judge_anew(table, act, trace=trace, rulebook=rulebook)


def judge_anew(table: Table, act: Act | None, *, trace: bool, rulebook: Rulebook) -> Judgement:
    """Judge an act with no regard to precedents."""
    ruling, after = _judged(table, act, rulebook, trace)
    decisive = [id for id in table.house.said if _differs_without(id, table, act, rulebook, ruling, after)]
    if decisive:
        ruling = replace(ruling, rests_on=(*ruling.rests_on, *decisive))
    return Judgement(ruling, after)


def precedent(table: Table, act: Act | None, rulebook: Rulebook = RULEBOOK) -> Precedent | None:
    """Return what is ruled on every act like this one, and set it where it is not yet; None where faces matter."""
    # Whether right.north decides hangs on faces: tiles that went the other way may have been the same ones.
    like = None if "right.north" in table.house.ids else form(table, act)
    shape = table.shape
    if like is None or shape is None:
        return None
    key = (shape, like)
    before = rulebook.precedents.get(key)
    if before is not None:
        return before
    ruling, after = judge_anew(table, act, trace=False, rulebook=rulebook)
    return rulebook.precedents.keep(key, Precedent(ruling, what_next(after).open, after.shape))


def _differs_without(id: str, table: Table, act: Act | None, rulebook: Rulebook, ruling: Ruling, after: Table) -> bool:
    """Tell whether the ruling, or the table after it, would be another without a house rule."""
    without = Table(table.stage, table.places, table.debts, table.rulebook, table.house.without(id))
    other, then = _judged(without, act, rulebook)
    same = (other.verdict, other.broken, other.undecided) == (ruling.verdict, ruling.broken, ruling.undecided)
    return not same or (then.stage, then.places, then.debts) != (after.stage, after.places, after.debts)


def _judged(table: Table, act: Act | None, rulebook: Rulebook, trace: bool = False) -> Ruled:
    heard: Heard = []
    asked: list[Rule] = []
    for step in rulebook.steps[type(act), table.stage]:
        for rule in step.rules:
            if not (rule.unless and rule.unless in _broken(heard)):
                asked.append(rule)
                heard += [(rule, answer) for answer in rule.ask(table, None if step.of_table else act)]
        if _broken(heard):
            break  # what this step found stands alone
    ruling, after = _weighed(table, act, rulebook, heard)
    return replace(ruling, trace=_traced(asked, heard, rulebook)) if trace else ruling, after


def _weighed(table: Table, act: Act | None, rulebook: Rulebook, heard: Heard) -> Ruled:
    """Weigh what was heard: the verdict with its reasons, and the table after it."""
    broken: list[Finding] = []
    undecided: list[Finding] = []
    rests_on: set[str] = set()
    for rule, answer in heard:
        if isinstance(answer, Finding):
            broken.append(answer)
        elif isinstance(answer, Unsure):
            undecided.append(answer.finding)
        else:
            rests_on.add(answer.of or rule.id)
    verdict = UNDECIDED if undecided else LEGAL
    for finding in broken:
        verdict = max(verdict, rulebook.verdicts[finding.rule])
    after = table
    if verdict is MISDEAL:
        after = thrown_in(table)
    elif act is not None and verdict is not ILLEGAL:
        after = follow(table, act)
        if rests_on_blind_order(table, act, after):
            rests_on.add("blind.last_pass")
    readings = _in_book_order(rests_on, rulebook)
    return Ruling(verdict, tuple(broken), tuple(undecided), readings, _remedy(verdict, table, act, broken)), after


def _broken(heard: Heard) -> set[str]:
    return {rule.id for rule, answer in heard if isinstance(answer, Finding)}


def _traced(asked: list[Rule], heard: Heard, rulebook: Rulebook) -> tuple[Asked, ...]:
    """Return what came of each article asked; one asked of the table and of a claim is broken if it is once."""
    unsure = {rule.id for rule, answer in heard if isinstance(answer, Unsure)}
    outcomes = {rule.id: Outcome.UNDECIDED if rule.id in unsure else Outcome.HELD for rule in asked}
    outcomes |= dict.fromkeys(outcomes.keys() & _broken(heard), Outcome.BROKEN)
    return tuple(Asked(id, outcomes[id]) for id in _in_book_order(outcomes, rulebook))


def _in_book_order(ids: Collection[str], rulebook: Rulebook) -> tuple[str, ...]:
    if len(ids) > 1:
        return tuple(id for id in rulebook.verdicts if id in ids)
    return tuple(id for id in ids if id in rulebook.verdicts)


def _remedy(verdict: Verdict, table: Table, act: Act | None, broken: list[Finding]) -> Remedy:
    if verdict is MISDEAL:
        assert table.moment is not None, "nothing is counted once East has discarded"
        return Misdeal(table.moment, tuple(_counted(finding) for finding in broken))
    if verdict is not JOKER_RETURN:
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
