"""The order of play: what may be done when, and to whom."""

from __future__ import annotations

from referee.acts import ACTS, Act, Deal, Offer, Pass, Stop
from referee.rulebook.article import READING, Answers, found, rule
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, COURTESY, DEALT, NOT_DEALT, OPENING, PLAY
from referee.table import Table

EVERY_ACT = {kind: DEALT | NOT_DEALT for kind in ACTS}
AT_PLAY = {kind: frozenset({PLAY}) for kind in ACTS}
AT_OPENING = {kind: frozenset({PLAY, OPENING}) for kind in (Pass, Offer, Stop)}


@rule("order.deal", Verdict.ILLEGAL, {kind: DEALT if kind is Deal else NOT_DEALT for kind in ACTS})
def dealt_once(table: Table, act: Act) -> Answers:
    """Nothing is judged before a deal; a hand is dealt once; after a misdeal only a deal is accepted."""
    yield found("order.deal", act.seat, why="dealt" if isinstance(act, Deal) else table.stage.name.lower())


@rule("order.stage", Verdict.ILLEGAL, EVERY_ACT)
def of_this_stage(table: Table, act: Act) -> Answers:
    """The stages are right, across, left; then left, across, right; then the courtesy. An act made for another stage
    than the table's is refused."""
    if act.stage is not None and act.stage is not table.stage:
        yield found("order.stage", act.seat, named=act.stage, stage=table.stage)


@rule("order.direction", Verdict.ILLEGAL, {Pass: BEFORE_OPENING})
def to_that_seat(table: Table, act: Pass) -> Answers:
    """A pass goes to the seat that the stage says, and to no other."""
    if act.receiver is not None and act.receiver is not (receiver := table.receiver(act.seat)):
        yield found("order.direction", act.seat, named=act.receiver, receiver=receiver)


@rule(
    "order.once",
    Verdict.ILLEGAL,
    {Pass: BEFORE_OPENING},
    reading="No document lets a seat change a pass it has set out, or pass in a pair with nothing agreed; it may not.",
)
def once_a_stage(table: Table, act: Pass) -> Answers:
    """A seat passes once in each stage and may not change what it has set out; a seat whose pair has nothing to pass
    passes nothing."""
    place = table.place(act.seat)
    if table.stage is COURTESY and table.agreed(act.seat) == 0:
        yield READING
        yield found("order.once", act.seat, why="nothing")
    elif place.set_out is not None or place.looked or place.incoming:
        yield READING  # that a second pass is refused, rather than taken in place of the first
        yield found("order.once", act.seat, why="again")


@rule("order.over", Verdict.ILLEGAL, AT_PLAY | AT_OPENING)
def over(table: Table, act: Act) -> Answers:
    """When the passing is over nothing is passed, offered or stopped; when East has discarded nothing more is judged
    here."""
    yield found("order.over", act.seat, why=table.stage.name.lower())
