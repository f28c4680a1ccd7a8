"""Jokers never pass: what happens when one does, and what is owed for it."""

from __future__ import annotations

from referee.acts import HandBack, Pass, Play, PlayKind, Replace
from referee.rulebook.article import READING, Answers, found, rule, unsure
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, IN_HAND, Stage
from referee.table import Table
from referee.tiles import HIDDEN, JOKER, ONE, SET_SIZE


@rule("joker.passed", Verdict.JOKER_RETURN, {Pass: BEFORE_OPENING})
def never_passed(table: Table, act: Pass) -> Answers:
    """A Joker may never be passed, on any pass, courtesy included. It goes back to the rack of the seat that passed it,
    and that seat owes another tile in its place."""
    if JOKER in act.tiles:
        yield found("joker.passed", act.seat, jokers=act.tiles.count(JOKER))
    elif HIDDEN in act.tiles and table.a_back_may_be_a_joker:
        yield unsure("joker.passed", act.seat, hidden=act.tiles.count(HIDDEN))


@rule("joker.claim", Verdict.ILLEGAL, {HandBack: IN_HAND})
def from_a_seat_that_gave(table: Table, act: HandBack) -> Answers:
    """A Joker is handed back only by a seat that holds it, to a seat from which a tile can have come by now: once the
    first right has moved, the seat on the left; once the first across has, also the seat across; once the first left
    has, any other seat. A seat that owes hands nothing back before it has paid."""
    held = table.place(act.seat).rack.count(JOKER)
    lacking, on_backs = table.holds(act.seat, ONE[JOKER] * min(act.jokers, SET_SIZE))
    why = (
        "closed" if "claims.closed" in table.house
        else "own" if act.passer is act.seat
        else "source" if act.passer not in table.sources(act.seat)
        else "held" if lacking
        else "owes" if table.owes(act.seat)
        else ""
    )  # fmt: skip
    if why:
        yield found("joker.claim", act.seat, held=held, jokers=act.jokers, passer=act.passer, why=why)
    elif on_backs:
        yield unsure("joker.claim", act.seat, held=held, jokers=act.jokers, passer=act.passer)


@rule(
    "joker.found",
    Verdict.JOKER_RETURN,
    {HandBack: IN_HAND},
    reading="No document says how long a Joker can be handed back; until East has discarded, to whoever passed it.",
    unless="joker.claim",
)
def handed_back_when_found(table: Table, act: HandBack) -> Answers:
    """A Joker found later is handed back the same way until East has discarded: the seat that passed it owes the seat
    that found it a tile. A seat that sent it on blind is not at fault."""
    yield READING  # how long, and to whom
    yield found("joker.found", act.passer, finder=act.seat, jokers=act.jokers)


@rule("joker.owed", Verdict.ILLEGAL, {Replace: IN_HAND, Play: frozenset({Stage.OPENING})})
def paid_whole(table: Table, act: Replace | Play) -> Answers:
    """A debt is paid whole, with as many tiles as are owed, none of them a Joker. East does not discard while one is
    open."""
    if isinstance(act, Play):
        if act.kind is PlayKind.DISCARD and table.debts:
            yield found("joker.owed", act.seat, debtor=table.debts[0].debtor, why="open")
        return
    debt = table.oldest_debt(act.seat)
    owed, paid, jokers = debt.tiles if debt else 0, len(act.tiles), act.tiles.count(JOKER)
    why = "none" if not debt else "number" if owed != paid else "joker" if jokers else ""
    if why:
        yield found("joker.owed", act.seat, jokers=jokers, owed=owed, paid=paid, why=why)
    elif HIDDEN in act.tiles and table.a_back_may_be_a_joker:
        yield unsure("joker.owed", act.seat, hidden=act.tiles.count(HIDDEN))
