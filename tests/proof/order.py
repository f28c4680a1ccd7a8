"""The order of play without its faces: every state that play can reach, and every act from each.

A state is a table less its faces: the stage, and for each seat how many tiles it has set out, takes blind and has
coming in, whether it has looked, what it offered, and the debts. A state is laid as a table on which every seat has
tiles of a suit of its own and two Jokers, so that what an act does to the state rests on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.judge import judge
from referee.next import ActKind, OpenAct, what_next
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, IN_HAND, NOT_DEALT, SEATS, Seat, Stage
from referee.table import Debt, Place, SetOut, Table
from referee.tiles import COPIES, JOKER, ONE, Tile, Tiles, heap, without_jokers
from referee.unreachable import table_faults

JOKERS = 2
_OWN: dict[Seat, Tiles] = {
    Seat.EAST: bytes(tile for tile in Tile if tile.name.startswith("BAM_") for _ in range(4)),
    Seat.SOUTH: bytes(tile for tile in Tile if tile.name.startswith("CRAK_") for _ in range(4)),
    Seat.WEST: bytes(tile for tile in Tile if tile.name.startswith("DOT_") for _ in range(4)),
    Seat.NORTH: bytes(tile for tile in Tile if Tile.EAST <= tile <= Tile.FLOWER for _ in range(COPIES[tile])),
}


def lay(state: Table) -> Table:
    """Return the table of a state: its sizes, with tiles of every seat's own suit."""
    return state.at(state.stage, (_laid(state, seat) for seat in SEATS))


def _laid(state: Table, seat: Seat) -> Place:
    if state.stage in NOT_DEALT:
        return Place()
    place, own = state.place(seat), iter(_OWN[seat])

    def some(number: int) -> Tiles:
        return bytes(next(own) for _ in range(number))

    out = place.set_out and SetOut(some(len(place.set_out.tiles)), place.set_out.blind)
    incoming = some(len(place.incoming))
    number = state.dealt(seat) - state.beside_rack(seat) if state.stage in IN_HAND else 13
    return Place(heap(some(number - JOKERS) + ONE[JOKER] * JOKERS), out, incoming, place.looked, place.offer)


Groups = dict[ActKind | None, list[Act]]


def groups_of(table: Table, seat: Seat, debts: int) -> Groups:
    """Return acts of a seat by their kind, of every size, in an order that is the same for every seat.

    Acts that would open more debts than so many are left out. None has what is never open, or always.
    """
    may_owe = len(table.debts) < debts
    return {
        ActKind.PASS: list(_passes(table, seat, may_owe)),
        ActKind.LOOK: [Look(seat)],
        ActKind.STOP: [Stop(seat)],
        ActKind.DRAW: [Draw(seat, Tile.FLOWER)],
        ActKind.OFFER: [Offer(seat, number) for number in range(5)],
        ActKind.HAND_BACK: [HandBack(seat, seat.on(turns), 1) for turns in range(4) if may_owe],
        ActKind.REPLACE: [Replace(seat, _tiles(table, seat, number)) for number in range(3)],
        ActKind.DISCARD: [Play(seat, PlayKind.DISCARD, Tile(tile)) for tile in _tiles(table, seat, 1)],
        None: [Count(seat, len(table.place(seat).rack)), Play(seat, PlayKind.CALL)],
    }


def acts_of(table: Table, seat: Seat, debts: int) -> Iterator[Act]:
    """Yield the acts of one seat."""
    return chain.from_iterable(groups_of(table, seat, debts).values())


def nobodys(table: Table) -> Iterator[Act]:
    """Yield the acts that are no one seat's."""
    yield Look(None)
    if table.stage in NOT_DEALT:
        east, south, west, north = (place.rack for place in lay(Table(Stage.FIRST_RIGHT)).places)
        yield Deal((east, south, west, north))


def acts(table: Table, debts: int) -> Iterator[Act]:
    """Yield an act of every kind and size by every seat."""
    return chain(nobodys(table), *(acts_of(table, seat, debts) for seat in SEATS))


def _passes(table: Table, seat: Seat, may_owe: bool) -> Iterator[Act]:
    for own in range(5):
        for blind in range(4):
            tiles = _tiles(table, seat, own)
            yield Pass(seat, tiles, blind)
            if own and may_owe:
                yield Pass(seat, tiles[1:] + ONE[JOKER], blind)
    yield Pass(seat, _tiles(table, seat, 3), receiver=seat)


def _tiles(table: Table, seat: Seat, number: int) -> Tiles:
    return without_jokers(table.place(seat).rack)[:number]


def turned(state: Table) -> Table:
    """Return the state as it is when every seat has moved one place on: what was South's is East's."""
    places = (*state.places[1:], state.places[0])
    debts = tuple(Debt(debt.debtor.on(3), debt.creditor.on(3), debt.tiles) for debt in state.debts)
    return Table(state.stage, places, debts, state.rulebook, state.house)


def bare(table: Table) -> Table:
    """Return a table less its faces."""
    return table.at(table.stage, (_bare(place) for place in table.places))


def state_of(table: Table) -> Table:
    """Return the state of a table: its sizes. Before the opening no seat differs from another, so that of the four ways
    to turn the table the first in order stands for all."""
    state = bare(table)
    if table.stage not in BEFORE_OPENING:
        return state
    ways = [state]
    for _ in range(3):
        ways.append(turned(ways[-1]))
    return min(ways, key=repr)


def _bare(place: Place) -> Place:
    any_tile = ONE[Tile.BAM_1]
    out = place.set_out and SetOut(any_tile * len(place.set_out.tiles), place.set_out.blind)
    return Place(b"", out, any_tile * len(place.incoming), place.looked, place.offer)


def open_verdict(table: Table, opened: dict[Seat, tuple[OpenAct, ...]], act: Act) -> Verdict:
    """Return the verdict that what is open promises for an act; a right count is lawful whenever one is taken."""
    match act:
        case Deal():
            return Verdict.LEGAL if table.stage in NOT_DEALT else Verdict.ILLEGAL
        case Count():
            return Verdict.LEGAL if table.stage in IN_HAND else Verdict.ILLEGAL
        case Look(seat=None):
            return _verdict(any(each.kind is ActKind.LOOK for acts in opened.values() for each in acts))
        case Pass():
            fits = any(_fits(each, act) for each in opened[act.seat])
            return Verdict.JOKER_RETURN if fits and JOKER in act.tiles else _verdict(fits)
        case HandBack():
            mine = opened[act.seat]
            given = any(
                e.kind is ActKind.HAND_BACK and act.jokers <= e.tiles and act.passer in e.receivers for e in mine
            )
            return Verdict.JOKER_RETURN if given else Verdict.ILLEGAL
        case _:
            seat = act.seat
            assert seat is not None, "everyone's look is above"
            return _verdict(any(_allows(each, act) for each in opened[seat]))


def _verdict(lawful: bool) -> Verdict:
    return Verdict.LEGAL if lawful else Verdict.ILLEGAL


def _fits(each: OpenAct, act: Pass) -> bool:
    number = len(act.tiles) + act.blind == each.tiles and act.blind <= each.blind
    return each.kind is ActKind.PASS and number and act.receiver in (None, *each.receivers)


def _allows(each: OpenAct, act: Act) -> bool:
    match act:
        case Look():
            return each.kind is ActKind.LOOK
        case Stop():
            return each.kind is ActKind.STOP
        case Offer():
            return each.kind is ActKind.OFFER and act.tiles <= each.tiles
        case Replace():
            return each.kind is ActKind.REPLACE and len(act.tiles) == each.tiles
        case Draw():
            return each.kind is ActKind.DRAW
        case Play():
            return each.kind is ActKind.DISCARD and act.kind is PlayKind.DISCARD
        case _:
            return False


Reached = dict[Table, frozenset[Table]]


def reach(debts: int) -> Reached:
    """Return every state that play can reach with at most so many debts open, and what each leads to."""
    reached: Reached = {}
    todo = [state_of(Table())]
    while todo:
        state = todo.pop()
        if state not in reached:
            table = lay(state)
            reached[state] = frozenset(state_of(judge(table, act).table) for act in lawful(table, debts))
            todo += reached[state]
    return reached


def lawful(table: Table, debts: int) -> Iterator[Act]:
    """Yield the acts that are open."""
    opened = open_acts(table)
    candidates = list(nobodys(table))
    for seat in SEATS:
        groups = groups_of(table, seat, debts)
        candidates += chain.from_iterable(groups[kind] for kind in {each.kind for each in opened[seat]})
    return (act for act in candidates if open_verdict(table, opened, act) is not Verdict.ILLEGAL)


def dead_ends(reached: Reached) -> set[Table]:
    """Return the states from which no path leads to the opening discard."""
    comes_from: dict[Table, set[Table]] = {}
    for state, follows in reached.items():
        for after in follows:
            comes_from.setdefault(after, set()).add(state)
    alive = {state for state in reached if state.stage is Stage.PLAY}
    new = set(alive)
    while new:
        new = {before for state in new for before in comes_from.get(state, ())} - alive
        alive |= new
    return set(reached) - alive


def open_acts(table: Table) -> dict[Seat, tuple[OpenAct, ...]]:
    """Return what is open to each seat."""
    return {entry.seat: entry.acts for entry in what_next(table).seats}


def faults(state: Table, debts: int) -> Iterator[str]:
    """Judge every act at a state, and yield what is not as it should be."""
    table = lay(state)
    opened = open_acts(table)
    if list(table_faults(table)):
        yield f"a table that no play should reach: {state}"
    if state.stage in IN_HAND and not what_next(table).waiting_for:
        yield f"nobody is waited for: {state}"
    for act in acts(table, debts):
        ruling, after = judge(table, act)
        if ruling.verdict is not open_verdict(table, opened, act):
            yield f"{ruling.verdict.name} is not what is open: {act} at {state}"
        if ruling.verdict is Verdict.ILLEGAL and after is not table:
            yield f"a refused act changed the table: {act} at {state}"
