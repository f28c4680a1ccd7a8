"""The blind pass: on the last pass of each Charleston, from the tiles coming in, unseen."""

from __future__ import annotations

from referee.acts import Pass
from referee.rulebook.article import Answers, found, rule
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, BLIND_PASSES
from referee.table import Table

FOUR_BLIND = (
    "Who sends tiles on takes the first that come in, unless the pass picks others; when all four pass blind picks are "
    "not heeded, and when all four pass three blind nothing moves and the stage is done."
)


@rule("blind.last_pass", Verdict.ILLEGAL, {Pass: BEFORE_OPENING}, reading=FOUR_BLIND)
def only_on_the_last_pass(table: Table, act: Pass) -> Answers:
    """Only on the last pass of each Charleston, the first left and the second right, may one, two or all three tiles be
    taken from those coming in on this very pass, unseen; never on another pass, never in the courtesy."""
    # The reading is applied where the tiles move, in the ring of play.py, and marked there.
    if act.blind and table.stage not in BLIND_PASSES:
        yield found("blind.last_pass", act.seat, blind=act.blind, stage=table.stage)
