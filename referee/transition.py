"""Whether one table can come of another by lawful play, and what speaks against it.

With the acts in between it is a matter of replaying them. Without, one stage is decided exactly, tile by tile; over
more than one a broken check is an answer, and an unbroken one is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.acts import Act, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.differences import Difference, DifferenceKind, checked, lost, places
from referee.judge import Judgement, judge
from referee.midway import midway
from referee.passage import passage
from referee.play import thrown_in
from referee.ruling import Verdict
from referee.stages import Seat, Stage
from referee.table import SetOut, Table
from referee.tiles import HIDDEN, JOKER, ONE, Tiles, heap
from referee.unreachable import Fault, table_faults


class Transition(NamedTuple):
    """The verdict on a transition, the differences that it rests on, and a judgement for each act replayed."""

    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    judgements: tuple[Judgement, ...] = ()


def transition(before: Table, after: Table, acts: Sequence[Act] | None = None) -> Transition:
    """Judge whether `after` can lawfully follow `before`, by these acts if they are given.

    The table before is one that play can reach, counts apart; the table after need only be readable. Without acts a
    Joker that changed racks was passed, unless a debt still open tells of it: for one handed back, give the acts.
    """
    return follows(before, after, None if acts is None else tuple(replayed(before, acts)))


def replayed(table: Table, acts: Iterable[Act]) -> Iterator[Judgement]:
    """Judge acts one after another, up to the first that is refused."""
    for act in acts:
        judgement = judge(table, act)
        yield judgement
        if judgement.ruling.verdict is Verdict.ILLEGAL:
            return
        table = judgement.table


def follows(before: Table, after: Table, judgements: Sequence[Judgement] | None) -> Transition:
    """Judge a transition by the judgements on the acts in between, which began at the table before, or without."""
    before, faults, after = before.tidied(), tuple(table_faults(after)), after.tidied()
    if judgements is None:
        return _without_acts(before, after, faults)
    verdicts = {judgement.ruling.verdict for judgement in judgements}
    end = judgements[-1].table if judgements else before
    differences: tuple[Difference, ...] = ()
    if end != after:
        ends = _Ends(end, after, blurred=_blurred(before, judgements))
        differences = tuple(ends.not_accounted_for(checked(before, after, faults)))
        differences = differences or tuple(ends.not_accounted_for(passage(before, after).differences))
        differences = differences or tuple(ends.compared())
    if differences:
        return Transition(_broken(differences), differences, tuple(judgements))
    if Verdict.ILLEGAL in verdicts:
        return Transition(Verdict.ILLEGAL, (), tuple(judgements))
    open = Verdict.UNDECIDED in verdicts or end != after
    return Transition(Verdict.UNDECIDED if open else Verdict.LEGAL, (), tuple(judgements))


def _blurred(before: Table, judgements: Sequence[Judgement]) -> bool:
    """Tell whether blind tiles have moved where not everything is seen, so that nobody knows which went where."""
    tables = (before, *(judgement.table for judgement in judgements))
    return any(
        any(place.set_out and place.set_out.blind for place in table.places)
        and any(HIDDEN in place.tiles for place in table.places)
        for table in tables
    )


class _Ends:
    """The table that the acts lead to, beside the table after; faces are compared as far as they are known."""

    def __init__(self, end: Table, after: Table, *, blurred: bool) -> None:
        self._end = end
        self._after = after
        self._blurred = blurred

    def not_accounted_for(self, differences: Iterable[Difference]) -> Iterator[Difference]:
        """Leave out what the acts account for."""
        for difference in differences:
            match difference:
                case Difference(kind=DifferenceKind.STAGE):
                    accounted = self._end.stage is self._after.stage
                case Difference(kind=DifferenceKind.TILES | DifferenceKind.JOKER | DifferenceKind.FLOW, seat=Seat()):
                    assert difference.seat is not None
                    accounted = self._alike(*(t.place(difference.seat).tiles for t in (self._end, self._after)))
                case Difference(kind=DifferenceKind.TILES | DifferenceKind.FLOW):
                    accounted = self._alike(*(_tiles(table) for table in (self._end, self._after)))
                case _:
                    accounted = False
            if not accounted:
                yield difference

    def compared(self) -> Iterator[Difference]:
        """Yield where the table after is not the one that the acts lead to."""
        end, after = self._end, self._after
        if end.stage is not after.stage:
            yield Difference(DifferenceKind.STAGE, "after.stage", end.stage, after.stage)
        for seat, right, now in places(end, after):
            path = f"after.{seat.name.lower()}"
            if not self._alike(right.rack, now.rack):
                lacks, extra = _unlike(right.rack, now.rack), _unlike(now.rack, right.rack)
                yield Difference(DifferenceKind.FLOW, f"{path}.rack", lacks, extra, seat=seat)
            covered = self._blurred or HIDDEN in right.tiles or HIDDEN in now.tiles
            if not self._piles_alike(right.set_out, now.set_out, covered):
                yield Difference(DifferenceKind.FIELD, f"{path}.set_out", seat=seat)
            if not self._alike(right.incoming, now.incoming):
                yield Difference(DifferenceKind.FIELD, f"{path}.incoming", seat=seat)
            for name in ("looked", "offer"):
                if getattr(right, name) != getattr(now, name):
                    yield Difference(DifferenceKind.FIELD, f"{path}.{name}", seat=seat)
        if end.debts != after.debts:
            yield Difference(DifferenceKind.FIELD, "after.debts", len(end.debts), len(after.debts))

    def _alike(self, tiles: Tiles, others: Tiles) -> bool:
        if len(tiles) != len(others):
            return False
        return self._blurred or not (_unlike(tiles, others) or _unlike(others, tiles))

    def _piles_alike(self, one: SetOut | None, other: SetOut | None, covered: bool) -> bool:
        """Tell whether two piles set out can be the same; which backs somebody else picked is covered too."""
        if one is None or other is None or one == other:
            return one == other
        return covered and one.blind == other.blind and self._alike(one.tiles, other.tiles)


def _tiles(table: Table) -> Tiles:
    return b"".join(place.tiles for place in table.places)


def _unlike(tiles: Tiles, others: Tiles) -> Tiles:
    """Return the named tiles that are not among the others, nor can be among those of them that lie face down."""
    named = Counter(tile for tile in tiles if tile != HIDDEN)
    return heap((named - Counter(others)).elements())[others.count(HIDDEN) :]


def _broken(differences: Iterable[Difference]) -> Verdict:
    count = any(difference.kind is DifferenceKind.COUNT for difference in differences)
    return Verdict.MISDEAL if count else Verdict.ILLEGAL


def _without_acts(before: Table, after: Table, faults: Sequence[Fault]) -> Transition:
    if before == after:
        return Transition(Verdict.LEGAL)
    if not faults and (verdict := _by_itself(before, after)):
        return Transition(verdict)
    if differences := tuple(checked(before, after, faults)) or tuple(midway(before, after)):
        return Transition(_broken(differences), differences)
    proven, differences = passage(before, after)
    if differences:
        return Transition(_broken(differences), differences)
    return Transition(Verdict.LEGAL if proven else Verdict.UNDECIDED)


def _by_itself(before: Table, after: Table) -> Verdict | None:
    """Return the verdict where the table after shows how it came about: by a misdeal, or by acts that can be read."""
    if before.stage is not Stage.PLAY and after == thrown_in(before):
        return Verdict.LEGAL if judge(before).ruling.verdict is Verdict.MISDEAL else None
    for acts in _readable_acts(before, after):
        judgements = list(replayed(before, acts))
        verdicts = {judgement.ruling.verdict for judgement in judgements}
        lawful = not verdicts & {Verdict.ILLEGAL, Verdict.MISDEAL}
        if judgements and lawful and judgements[-1].table == after:
            return Verdict.UNDECIDED if Verdict.UNDECIDED in verdicts else Verdict.LEGAL
    return None


def _readable_acts(before: Table, after: Table) -> Iterator[list[Act]]:
    """Yield acts that the table after suggests: what was set out, offered, paid and looked at since, or a stop."""
    yield [Look(None)]
    yield [Stop(Seat.EAST)]
    yield [Play(Seat.EAST, PlayKind.DECLARE_MAHJONG)]
    acts: list[Act] = []
    for seat, was, now in places(before, after):
        if now.offer is not None and now.offer != was.offer:
            acts.append(Offer(seat, now.offer))
    for debt in before.debts:
        if debt not in after.debts:
            debtor = debt.debtor
            pile = after.place(debtor).set_out
            paid = pile.tiles[-debt.tiles :] if pile else lost(before.place(debtor), after.place(debtor))
            acts.append(Replace(debtor, paid))
    for seat, was, now in places(before, after):
        if was.set_out is None and now.set_out is not None:
            jokers = ONE[JOKER] * after.owed_to_pass(seat)
            acts.append(Pass(seat, now.set_out.tiles + jokers, now.set_out.blind, now.set_out.picks))
        elif was.set_out is None and after.moved and not before.moved:
            acts.append(Pass(seat, after.place(after.receiver(seat)).incoming))
    acts += [Look(seat) for seat, was, now in places(before, after) if now.looked and not was.looked]
    for debt in after.debts:
        if debt not in before.debts and debt.debtor is not debt.creditor:
            acts.append(HandBack(debt.creditor, debt.debtor, debt.tiles))
    yield acts
