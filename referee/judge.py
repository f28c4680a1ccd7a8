"""The judge: which articles an act breaks, what that makes of it, and the table after.

A judgement commits nothing. It is a pure function of the table and the act: the same question has the same answer,
whoever asks and when.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from referee.acts import Act, HandBack, Pass
from referee.play import follow, rests_on_blind_order, thrown_in
from referee.rulebook import RULEBOOK, Reading, Rulebook, Step, Unsure
from referee.ruling import Asked, Finding, JokerReturn, Misdeal, Outcome, Ruling, SeatCount, Verdict
from referee.table import Table
from referee.tiles import JOKER

_WEIGHT = (Outcome.HELD, Outcome.UNDECIDED, Outcome.BROKEN)


class Judgement(NamedTuple):
    """A ruling and the table after it: the table judged itself, when the act is refused."""

    ruling: Ruling
    table: Table


def judge(table: Table, act: Act | None = None, *, trace: bool = False, rulebook: Rulebook = RULEBOOK) -> Judgement:
    """Judge an act at a table, or with no act the table as it stands.

    The table is one that `unreachable.table_faults` has nothing against, as is every table in a judgement.
    """
    ruling, after = _judged(table, act, trace, rulebook)
    decisive = [id for id in table.house.said if _differs_without(id, table, act, rulebook, ruling, after)]
    return Judgement(replace(ruling, rests_on=(*ruling.rests_on, *decisive)) if decisive else ruling, after)


def _differs_without(id: str, table: Table, act: Act | None, rulebook: Rulebook, ruling: Ruling, after: Table) -> bool:
    """Tell whether the ruling, or the table after it, would be another without a house rule."""
    house = table.house.without(id)
    other, other_after = _judged(replace(table, house=house), act, False, rulebook)
    same = (other.verdict, other.broken, other.undecided) == (ruling.verdict, ruling.broken, ruling.undecided)
    return not same or other_after != replace(after, house=house)


def _judged(table: Table, act: Act | None, trace: bool, rulebook: Rulebook) -> Judgement:
    hearing = _Hearing(trace)
    for step in rulebook.steps[type(act), table.stage]:
        hearing.ask(step, table, act)
        if hearing.broken:
            break  # what this step found stands alone
    broken = hearing.broken
    verdict = max((rulebook.verdicts[finding.rule] for finding in broken), default=Verdict.LEGAL)
    if hearing.undecided:
        verdict = max(verdict, Verdict.UNDECIDED)
    after = table
    if verdict is Verdict.MISDEAL:
        after = thrown_in(table)
    elif act is not None and verdict is not Verdict.ILLEGAL:
        after = follow(table, act)
        if rests_on_blind_order(table, act):
            hearing.rests_on.add("blind.last_pass")
    ruling = Ruling(
        verdict,
        tuple(broken),
        tuple(hearing.undecided),
        _in_book_order(hearing.rests_on, rulebook),
        _remedy(verdict, table, act, broken),
        tuple(Asked(id, hearing.asked[id]) for id in _in_book_order(hearing.asked, rulebook)) if trace else (),
    )
    return Judgement(ruling, after)


def _in_book_order(ids: Collection[str], rulebook: Rulebook) -> tuple[str, ...]:
    return tuple(rule.id for rule in rulebook.articles if rule.id in ids) if ids else ()


class _Hearing:
    """What has been found so far about one act."""

    def __init__(self, trace: bool) -> None:
        self._trace = trace
        self.broken: list[Finding] = []
        self.undecided: list[Finding] = []
        self.rests_on: set[str] = set()
        self.asked: dict[str, Outcome] = {}

    def ask(self, step: Step, table: Table, act: Act | None) -> None:
        """Ask the articles of a step, in book order."""
        for rule in step.rules:
            if rule.unless and any(finding.rule == rule.unless for finding in self.broken):
                continue
            outcome = Outcome.HELD
            for answer in rule.ask(table, None if step.of_table else act):
                match answer:
                    case Finding():
                        self.broken.append(answer)
                        outcome = Outcome.BROKEN
                    case Unsure(finding):
                        self.undecided.append(finding)
                        outcome = Outcome.UNDECIDED
                    case Reading(of):
                        self.rests_on.add(of or rule.id)
            if self._trace:
                # A count is asked of the table and of a claim; what is broken once is broken.
                self.asked[rule.id] = max(outcome, self.asked.get(rule.id, outcome), key=_WEIGHT.index)


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
