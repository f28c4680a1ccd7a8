"""Stopping the second Charleston: one no is enough, as long as nobody has looked."""

from __future__ import annotations

from referee.acts import Stop
from referee.rulebook.article import READING, Answers, found, rule
from referee.ruling import Verdict
from referee.stages import COURTESY, FIRST_CHARLESTON, SECOND_CHARLESTON, SECOND_LEFT
from referee.table import Table


@rule("stop.first", Verdict.ILLEGAL, {Stop: FIRST_CHARLESTON})
def not_the_first(table: Table, act: Stop) -> Answers:
    """The first Charleston is compulsory."""
    yield found("stop.first", act.seat)


@rule(
    "stop.looked",
    Verdict.ILLEGAL,
    {Stop: SECOND_CHARLESTON},
    reading="No document says where the tiles of a stopped pass go; they go back to whoever passed them.",
)
def before_a_look(table: Table, act: Stop) -> Answers:
    """Any one seat may stop the second Charleston, without a reason, until somebody has looked at tiles received in it;
    after that it is played to the end. Tiles set out or moved go back to whoever passed them, and the courtesy
    follows."""
    if table.stage is not SECOND_LEFT or not table.stoppable:
        unseen = table.stage is SECOND_LEFT and not any(place.looked for place in table.places)
        yield found("stop.looked", act.seat, why="set_out" if unseen else "looked")
    elif any(place.set_out is not None or place.incoming for place in table.places):
        yield READING  # where those tiles go


@rule("stop.over", Verdict.ILLEGAL, {Stop: frozenset({COURTESY})})
def something_to_stop(table: Table, act: Stop) -> Answers:
    """Once the second Charleston is stopped or played out there is nothing left to stop."""
    yield found("stop.over", act.seat)
