"""The order of play: a table of stages, and what an act does to the tiles.

A rule says *may*; this module says *then*. Only acts that were not refused are followed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Any

from referee import ring
from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.stages import BLIND_PASSES, COURTESY, EAST, SEATS, SIX_PASSES, SOUTH, Seat, Stage
from referee.table import EMPTY, Debt, Place, SetOut, Table
from referee.tiles import JOKER, ONE, Tiles, add, heap, take, without_jokers


class Event(Enum):
    """What ends a stage, in words that a diagram of the order of play can show."""

    DEALT = "dealt"
    LOOKED = "everyone has looked"
    NOTHING_MOVES = "four blind threes"
    STOPPED = "one seat stops"
    PAIRS_DONE = "both pairs are done"
    RING_ENDS = "four blind threes, where the house ends the passing so"
    DISCARDED = "East discards"
    DECLARED = "East declares mahjong, where the house allows it"
    MISDEALT = "a count is wrong"


ORDER: dict[tuple[Stage, Event], Stage] = {
    (Stage.UNDEALT, Event.DEALT): Stage.FIRST_RIGHT,
    (Stage.THROWN_IN, Event.DEALT): Stage.FIRST_RIGHT,
    (Stage.FIRST_RIGHT, Event.LOOKED): Stage.FIRST_ACROSS,
    (Stage.FIRST_RIGHT, Event.DECLARED): Stage.PLAY,
    (Stage.FIRST_ACROSS, Event.LOOKED): Stage.FIRST_LEFT,
    (Stage.FIRST_LEFT, Event.LOOKED): Stage.SECOND_LEFT,
    (Stage.FIRST_LEFT, Event.NOTHING_MOVES): Stage.SECOND_LEFT,
    (Stage.FIRST_LEFT, Event.RING_ENDS): Stage.OPENING,
    (Stage.SECOND_LEFT, Event.LOOKED): Stage.SECOND_ACROSS,
    (Stage.SECOND_LEFT, Event.STOPPED): Stage.COURTESY,
    (Stage.SECOND_ACROSS, Event.LOOKED): Stage.SECOND_RIGHT,
    (Stage.SECOND_RIGHT, Event.LOOKED): Stage.COURTESY,
    (Stage.SECOND_RIGHT, Event.NOTHING_MOVES): Stage.COURTESY,
    (Stage.SECOND_RIGHT, Event.RING_ENDS): Stage.OPENING,
    (Stage.COURTESY, Event.PAIRS_DONE): Stage.OPENING,
    (Stage.OPENING, Event.DISCARDED): Stage.PLAY,
    **{(stage, Event.MISDEALT): Stage.THROWN_IN for stage in Stage if stage is not Stage.PLAY},
}


def thrown_in(table: Table) -> Table:
    """Return the table after a misdeal: empty places, to be dealt again."""
    stage = ORDER[table.stage, Event.MISDEALT]
    return Table(stage, (EMPTY, EMPTY, EMPTY, EMPTY), (), table.rulebook, table.house)


def follow(table: Table, act: Act) -> Table:
    """Return the table after an act that was not refused: the act itself, then whatever it sets going."""
    return settle(acted(table, act))


def acted(table: Table, act: Act) -> Table:
    """Return the table with the act done and nothing set going by it."""
    return _DONE[type(act)](table, act)


def settle(table: Table) -> Table:
    """Move what is ready to move and begin the stage that is ready to begin; a debt holds up both."""
    if table.stage is COURTESY:
        return _settle_courtesy(table)
    if table.debts or table.stage not in SIX_PASSES:
        return table
    east, south, west, north = table.places
    if east.looked and south.looked and west.looked and north.looked:
        return begin(table, Event.LOOKED)
    if piles := set_out_by_all(table):
        return _moved(table, piles)
    return table


def set_out_by_all(table: Table) -> ring.Piles | None:
    """Return the four piles set out, or None while one is missing."""
    east, south, west, north = table.places
    if east.set_out and south.set_out and west.set_out and north.set_out:
        return east.set_out, south.set_out, west.set_out, north.set_out
    return None


def begin(table: Table, event: Event) -> Table:
    """Return the table at the stage that follows the event, with nothing on it but racks and debts."""
    return table.at(ORDER[table.stage, event], [Place(place.rack) for place in table.places])


def rests_on_blind_order(table: Table, act: Act, after: Table) -> bool:
    """Tell whether the act moves blind tiles in a way that a reading decides; `after` is the table after it."""
    if table.stage not in BLIND_PASSES or not isinstance(act, Pass | Replace):
        return False
    if after.place(act.seat).set_out is not None:
        return False  # its pile lies there still, so nothing has moved
    ready = acted(table, act)
    piles = set_out_by_all(ready)
    return piles is not None and not ready.debts and ring.rests_on_order(piles)


def _moved(table: Table, piles: ring.Piles) -> Table:
    if ring.four_blind_threes(piles):
        # Reading: with no tile to start with every hand stays as it is, and the stage is done.
        return begin(table, Event.RING_ENDS if "ring.ends" in table.house else Event.NOTHING_MOVES)
    kept = ring.kept(piles, table.givers)
    moved = zip(table.places, kept, strict=True)
    return table.at(table.stage, [Place(place.rack, None, tiles, not tiles) for place, tiles in moved])


def _settle_courtesy(table: Table) -> Table:
    east, south, west, north = table.places
    for seat, mine, theirs in ((EAST, east, west), (SOUTH, south, north)):
        if mine.set_out and theirs.set_out and not any(debt.touches(seat) for debt in table.debts):
            table = table.put(seat, Place(mine.rack, None, heap(theirs.set_out.tiles), False, mine.offer))
            table = table.put(seat.across, Place(theirs.rack, None, heap(mine.set_out.tiles), False, theirs.offer))
    if not table.debts and table.pair_done(EAST) and table.pair_done(SOUTH):
        return begin(table, Event.PAIRS_DONE)
    return table


def _deal(table: Table, act: Deal) -> Table:
    return table.at(ORDER[table.stage, Event.DEALT], [Place(heap(rack)) for rack in act.racks])


def _pass(table: Table, act: Pass) -> Table:
    seat, tiles, picks = act.seat, act.tiles, act.picks
    place = table.place(seat)
    rack = take(place.rack, tiles)
    if JOKER in tiles:
        jokers = tiles.count(JOKER)
        rack, tiles = add(rack, ONE[JOKER] * jokers), without_jokers(tiles)
        table = table.owing((*table.debts, Debt(seat, seat, jokers)))
    set_out = SetOut(tiles, act.blind, tuple(sorted(picks)) if picks else ())
    return table.put(seat, Place(rack, set_out, place.incoming, place.looked, place.offer))


def _look(table: Table, act: Look) -> Table:
    if act.seat is None:
        return table.at(table.stage, [_taken_up(place, place.incoming) for place in table.places])
    place = table.place(act.seat)
    # A look that names the tiles turns them face up.
    return table.put(act.seat, _taken_up(place, act.tiles or place.incoming))


def _taken_up(place: Place, seen: Tiles) -> Place:
    if not place.incoming:
        return place
    return Place(add(place.rack, seen), place.set_out, b"", True, place.offer)


def _stop(table: Table, act: Stop) -> Table:
    def home(seat: Seat) -> Place:
        # Reading: tiles set out or moved go back to whoever passed them.
        set_out = table.place(seat).set_out
        back = set_out.tiles if set_out else table.place(table.receiver(seat)).incoming
        return Place(add(table.place(seat).rack, back))

    # A debt to a pass goes with the pass.
    left = table.owing(tuple(debt for debt in table.debts if debt.debtor is not debt.creditor))
    return left.at(ORDER[table.stage, Event.STOPPED], [home(seat) for seat in SEATS])


def _offer(table: Table, act: Offer) -> Table:
    place = table.place(act.seat)
    return table.put(act.seat, Place(place.rack, place.set_out, place.incoming, place.looked, act.tiles))


def _hand_back(table: Table, act: HandBack) -> Table:
    jokers = ONE[JOKER] * act.jokers
    finder, passer = table.place(act.seat), table.place(act.passer)
    table = table.put(act.seat, replace(finder, rack=take(finder.rack, jokers)))
    table = table.put(act.passer, replace(passer, rack=add(passer.rack, jokers)))
    return table.owing((*table.debts, Debt(act.passer, act.seat, act.jokers)))


def _replace(table: Table, act: Replace) -> Table:
    debt = table.oldest_debt(act.seat)
    assert debt is not None, "a Replace without a debt is refused"
    rest = list(table.debts)
    rest.remove(debt)
    debtor = table.place(act.seat)
    table = table.put(act.seat, replace(debtor, rack=take(debtor.rack, act.tiles))).owing(tuple(rest))
    creditor = table.place(debt.creditor)
    if debt.creditor is not debt.debtor:
        return table.put(debt.creditor, replace(creditor, rack=add(creditor.rack, act.tiles)))
    assert creditor.set_out is not None, "a debt to a pass has a pass"
    pile = replace(creditor.set_out, tiles=creditor.set_out.tiles + act.tiles)
    return table.put(debt.creditor, replace(creditor, set_out=pile))


def _draw(table: Table, act: Draw) -> Table:
    place = table.place(act.seat)
    return table.put(act.seat, replace(place, rack=add(place.rack, ONE[act.tile])))


def _play(table: Table, act: Play) -> Table:
    if act.kind is PlayKind.DECLARE_MAHJONG:
        return begin(table, Event.DECLARED)
    assert act.tile is not None, "only a discard is not refused"
    place = table.place(act.seat)
    table = table.put(act.seat, replace(place, rack=take(place.rack, ONE[act.tile])))
    return begin(table, Event.DISCARDED)


def _nothing(table: Table, act: Act) -> Table:
    return table


_DONE: dict[type[Act], Callable[[Table, Any], Table]] = {
    Deal: _deal,
    Pass: _pass,
    Look: _look,
    Stop: _stop,
    Offer: _offer,
    HandBack: _hand_back,
    Replace: _replace,
    Draw: _draw,
    Count: _nothing,
    Play: _play,
}
