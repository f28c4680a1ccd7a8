"""The game proper: nothing of it during the Charleston, and East opens it."""

from __future__ import annotations

from referee.acts import Draw, Play, PlayKind
from referee.rulebook.article import Answers, found, rule, unsure
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, EAST, IN_HAND, OPENING, Moment
from referee.table import Table
from referee.tiles import ONE


@rule("play.nothing", Verdict.ILLEGAL, {Play: BEFORE_OPENING})
def not_during_the_charleston(table: Table, act: Play) -> Answers:
    """During the Charleston nothing is called, exposed, discarded or declared, and no hand can be dead."""
    declared = act.seat is EAST and act.kind is PlayKind.DECLARE_MAHJONG and table.moment is Moment.BEFORE
    if not (declared and "east.declares" in table.house):
        yield found("play.nothing", act.seat)


@rule("play.east", Verdict.ILLEGAL, {Play: frozenset({OPENING})})
def east_opens(table: Table, act: Play) -> Answers:
    """When the passing is over East, holding fourteen, opens the game with the discard of a tile it holds; nobody else
    plays before that."""
    lacking, on_backs = table.holds(act.seat, ONE[act.tile] if act.tile else b"")
    why = (
        "seat" if act.seat is not EAST
        else "kind" if act.kind is not PlayKind.DISCARD
        else "draw" if table.east_draws
        else "held" if lacking
        else ""
    )  # fmt: skip
    if why:
        yield found("play.east", act.seat, why=why)
    elif on_backs:
        yield unsure("play.east", act.seat, lacking=on_backs)


@rule("draw.house", Verdict.ILLEGAL, {Draw: IN_HAND})
def nobody_draws(table: Table, act: Draw) -> Answers:
    """Nobody draws from the wall before the discard, unless a house rule says who, when and one tile."""
    if not (table.short(act.seat) or (act.seat is EAST and table.east_draws)):
        yield found("draw.house", act.seat)
