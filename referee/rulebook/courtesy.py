"""The courtesy: two pairs across, each with the smaller of its two offers."""

from __future__ import annotations

from referee.acts import Offer, Pass
from referee.rulebook.article import READING, Answers, found, rule
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, SIX_PASSES, Stage
from referee.table import Table

AT_COURTESY = frozenset({Stage.COURTESY})


@rule("courtesy.last", Verdict.ILLEGAL, {Offer: SIX_PASSES})
def comes_last(table: Table, act: Offer) -> Answers:
    """The courtesy is the last pass, after the second Charleston or after the stop; nothing is offered before that."""
    yield found("courtesy.last", act.seat, stage=table.stage)


@rule("courtesy.range", Verdict.ILLEGAL, {Offer: BEFORE_OPENING})
def up_to_three(table: Table, act: Offer) -> Answers:
    """A seat offers none, one, two or three."""
    if act.tiles > 3:
        yield found("courtesy.range", act.seat, offered=act.tiles)


@rule(
    "courtesy.lower",
    Verdict.ILLEGAL,
    {Offer: AT_COURTESY},
    reading="The documents say that who wants fewer sets the number; so a seat may come to want fewer, never more.",
)
def only_lowered(table: Table, act: Offer) -> Answers:
    """An offer may be lowered, never raised or repeated, until one of the pair has set out or its number is none."""
    before = table.place(act.seat).offer
    if before is None:
        return
    yield READING  # that there can be a second offer at all
    if table.pair_set_out(act.seat) or table.pair_done(act.seat):
        yield found("courtesy.lower", act.seat, before=before, offered=act.tiles, why="settled")
    elif act.tiles >= before:
        yield found("courtesy.lower", act.seat, before=before, offered=act.tiles, why="raised")


@rule("courtesy.offers", Verdict.ILLEGAL, {Pass: AT_COURTESY})
def both_have_offered(table: Table, act: Pass) -> Answers:
    """Both seats of a pair offer before either passes; the pairs, East with West and South with North, are
    independent."""
    if table.agreed(act.seat) is None:
        yield found("courtesy.offers", act.seat, partner=act.seat.across)


@rule("courtesy.fewer", Verdict.ILLEGAL, {Pass: AT_COURTESY})
def exactly_the_smaller_offer(table: Table, act: Pass) -> Answers:
    """Each seat of a pair passes exactly the smaller offer, own and blind counted together; if that is none, nothing
    crosses and the pair is done."""
    agreed = table.agreed(act.seat)
    if agreed is not None and len(act.tiles) + act.blind != agreed:
        yield found("courtesy.fewer", act.seat, agreed=agreed, total=len(act.tiles) + act.blind)
