"""The rulebook: every article, in book order, and which are asked of which act."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.acts import ACTS, Count, Play
from referee.precedents import Precedent
from referee.rulebook import blind, counting, courtesy, joker, looking, order, passing, play, stopping
from referee.rulebook.article import READING, Kind, Reading, Rule, Unsure
from referee.ruling import Verdict
from referee.shape import Kept
from referee.stages import IN_HAND, Stage

__all__ = ["READING", "RULEBOOK", "Reading", "Rule", "Rulebook", "Step", "Unsure"]

ARTICLES = (
    counting.counted_before,
    counting.counted_during,
    counting.counted_after,
    counting.claimed_in_the_open,
    order.dealt_once,
    order.of_this_stage,
    order.to_that_seat,
    order.once_a_stage,
    order.over,
    passing.three_go,
    passing.from_the_rack,
    looking.after_the_move,
    looking.at_something,
    blind.only_on_the_last_pass,
    stopping.not_the_first,
    stopping.before_a_look,
    stopping.something_to_stop,
    courtesy.comes_last,
    courtesy.up_to_three,
    courtesy.only_lowered,
    courtesy.both_have_offered,
    courtesy.exactly_the_smaller_offer,
    joker.never_passed,
    joker.from_a_seat_that_gave,
    joker.handed_back_when_found,
    joker.paid_whole,
    play.not_during_the_charleston,
    play.east_opens,
    play.nobody_draws,
)

COUNTS = frozenset({"count.before", "count.during", "count.after"})
ALONE = frozenset({"order.deal", "order.stage", "order.over"})
FIRST = frozenset({"count.claim"})


@dataclass(frozen=True, slots=True)
class Step:
    """Articles that are asked together; `of_table` asks them of the table as it lies, whatever the act."""

    rules: tuple[Rule, ...]
    of_table: bool = False


@dataclass(frozen=True)
class Rulebook:
    """Articles in book order, and for each kind of act (and for none) at each stage the steps in which they are asked.

    What a step finds stands alone: the steps after it are not asked. `precedents` are what was ruled by it.
    """

    articles: tuple[Rule, ...]
    steps: dict[tuple[Kind, Stage], tuple[Step, ...]] = field(init=False, compare=False)
    verdicts: dict[str, Verdict] = field(init=False, compare=False)
    precedents: Kept[Precedent] = field(init=False, compare=False, default_factory=Kept)

    def __post_init__(self) -> None:
        """Work out the steps once."""
        kinds: tuple[Kind, ...] = (*ACTS, type(None))
        steps = {(kind, stage): tuple(self._steps(kind, stage)) for kind in kinds for stage in Stage}
        object.__setattr__(self, "steps", steps)
        object.__setattr__(self, "verdicts", {rule.id: rule.verdict for rule in self.articles})

    def without(self, id: str) -> Rulebook:
        """Return the rulebook with one article struck out."""
        return Rulebook(tuple(rule for rule in self.articles if rule.id != id))

    def _steps(self, kind: Kind, stage: Stage) -> Iterator[Step]:
        return (step for step in self._all_steps(kind, stage) if step.rules)

    def _all_steps(self, kind: Kind, stage: Stage) -> Iterator[Step]:
        asked = {rule.id: rule for rule in self.articles if stage in rule.asked.get(kind, ())}
        # Nothing dealt, or dealt already; then East has discarded; then a wrong count; then a stale act.
        counted = stage in IN_HAND
        first = ("order.deal",) if counted else ("order.deal", "order.over")
        yield from (Step((asked[id],)) for id in first if id in asked)
        if counted:
            of_now = (rule for rule in self.articles if rule.id in COUNTS and stage in rule.asked[Count])
            yield Step(tuple(of_now), of_table=True)
        last = ("order.stage", "order.over") if counted else ("order.stage",)
        yield from (Step((asked[id],)) for id in last if id in asked)
        # A claim that may not be made is not counted; and a discard is counted once all else about it is lawful.
        yield Step(tuple(rule for rule in asked.values() if rule.id in FIRST))
        counting_last = kind is Play
        yield Step(
            tuple(r for r in asked.values() if r.id not in ALONE | FIRST and not (counting_last and r.id in COUNTS))
        )
        yield Step(tuple(r for r in asked.values() if counting_last and r.id in COUNTS))


RULEBOOK = Rulebook(ARTICLES)
