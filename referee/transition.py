"""Whether one table can come of another by lawful play, and what speaks against it.

With the acts in between it is a matter of replaying them. Without, one stage is decided exactly, tile by tile; over
more than one a broken check is an answer, and an unbroken one is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.acts import Act, Look, Offer, Pass, Stop
from referee.differences import Difference, DifferenceKind, checked, compared, decided, flow, places
from referee.judge import Judgement, judge
from referee.play import thrown_in
from referee.ruling import Verdict
from referee.table import Seat, Stage, Table


class Transition(NamedTuple):
    """The verdict on a transition, the differences that it rests on, and a judgement for each act replayed."""

    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    judgements: tuple[Judgement, ...] = ()


def transition(before: Table, after: Table, acts: Sequence[Act] | None = None) -> Transition:
    """Judge whether `after` can lawfully follow `before`, by these acts if they are given.

    The table before is one that play can reach, counts apart; the table after need only be readable. Without acts a
    Joker that changed racks was passed: for one handed back, give the acts.
    """
    judgements = tuple(_replayed(before, acts or ()))
    verdicts = [judgement.ruling.verdict for judgement in judgements]
    end = judgements[-1].table if judgements else before
    refused = Verdict.ILLEGAL in verdicts
    if end == after and not refused:
        return Transition(Verdict.UNDECIDED if Verdict.UNDECIDED in verdicts else Verdict.LEGAL, (), judgements)
    if acts is None and _by_itself(before, after):
        return Transition(Verdict.LEGAL)
    differences = tuple(checked(before, after)) or tuple(flow(before, after))
    if acts is not None and not differences:
        differences = tuple(compared(end, after))
    if differences:
        count = any(difference.kind is DifferenceKind.COUNT for difference in differences)
        return Transition(Verdict.MISDEAL if count else Verdict.ILLEGAL, differences, judgements)
    if refused:
        return Transition(Verdict.ILLEGAL, (), judgements)
    return Transition(Verdict.LEGAL if decided(before, after) else Verdict.UNDECIDED, (), judgements)


def _replayed(table: Table, acts: Sequence[Act]) -> Iterator[Judgement]:
    for act in acts:
        judgement = judge(table, act)
        yield judgement
        if judgement.ruling.verdict is Verdict.ILLEGAL:
            return
        table = judgement.table


def _by_itself(before: Table, after: Table) -> bool:
    """Tell whether the table after shows how it came about: by a misdeal, or by acts that can be read off it."""
    if before.stage is not Stage.PLAY and after == thrown_in(before):
        return judge(before).ruling.verdict is Verdict.MISDEAL
    return any(_leads(before, after, acts) for acts in _readable_acts(before, after))


def _leads(before: Table, after: Table, acts: Sequence[Act]) -> bool:
    judgements = list(_replayed(before, acts))
    lawful = all(judgement.ruling.verdict in (Verdict.LEGAL, Verdict.UNDECIDED) for judgement in judgements)
    return bool(judgements) and lawful and judgements[-1].table == after


def _readable_acts(before: Table, after: Table) -> Iterator[list[Act]]:
    """Yield acts that the table after suggests: what was set out, offered and looked at since, a look, or a stop."""
    yield [Look(None)]
    yield [Stop(Seat.EAST)]
    acts: list[Act] = []
    for seat, was, now in places(before, after):
        if now.offer is not None and now.offer != was.offer:
            acts.append(Offer(seat, now.offer))
    for seat, was, now in places(before, after):
        if was.set_out is None and now.set_out is not None:
            acts.append(Pass(seat, now.set_out.tiles, now.set_out.blind, now.set_out.picks))
        elif was.set_out is None and after.moved and not before.moved:
            acts.append(Pass(seat, after.place(after.receiver(seat)).incoming))
    acts += [Look(seat) for seat, was, now in places(before, after) if now.looked and not was.looked]
    yield acts
