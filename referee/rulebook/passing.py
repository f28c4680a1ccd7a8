"""A pass: three tiles, and only those that a seat holds."""

from __future__ import annotations

from referee.acts import Pass, Replace
from referee.rulebook.article import Answers, found, rule, unsure
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, IN_HAND, SIX_PASSES
from referee.table import Table


@rule("pass.three", Verdict.ILLEGAL, {Pass: SIX_PASSES})
def three_go(table: Table, act: Pass) -> Answers:
    """Three tiles go on every pass of both Charlestons, own and blind together. Everyone passes, even a perfect
    hand."""
    if len(act.tiles) + act.blind != 3:
        yield found("pass.three", act.seat, blind=act.blind, own=len(act.tiles), total=len(act.tiles) + act.blind)


@rule("pass.held", Verdict.ILLEGAL, {Pass: BEFORE_OPENING, Replace: IN_HAND})
def from_the_rack(table: Table, act: Pass | Replace) -> Answers:
    """A seat passes and pays only tiles that lie on its rack, as many of each as it holds."""
    lacking, on_backs = table.holds(act.seat, act.tiles)
    if lacking:
        yield found("pass.held", act.seat, lacking=bytes(dict.fromkeys(lacking)))
    elif on_backs:
        yield unsure("pass.held", act.seat, lacking=bytes(dict.fromkeys(on_backs)))
