"""What comes next: for each seat what is open to it, and for what it must do an example that an absent player's
server can play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from referee.acts import Act, Draw, Look, Offer, Pass, Play, PlayKind, Replace
from referee.place import PILE
from referee.shape import Kept
from referee.stages import (
    BEFORE,
    BLIND_PASSES,
    COURTESY,
    EAST,
    IN_HAND,
    OPENING,
    SEATS,
    SECOND_LEFT,
    SIX_PASSES,
    Seat,
)
from referee.table import Table
from referee.tiles import HIDDEN, JOKER, Tile, without_jokers


class ActKind(IntEnum):
    """What kind of act is open."""

    __hash__ = int.__hash__  # as of seats

    PASS = 1
    LOOK = 2
    STOP = 3
    OFFER = 4
    HAND_BACK = 5
    REPLACE = 6
    DRAW = 7
    DISCARD = 8
    DECLARE_MAHJONG = 9


@dataclass(slots=True, unsafe_hash=True)
class OpenAct:
    """An act that a seat may or must do; `tiles` is exact for a must, but for an offer and a hand-back the most."""

    kind: ActKind
    must: bool
    receivers: tuple[Seat, ...] = ()
    tiles: int = 0
    blind: int = 0


@dataclass(eq=False, slots=True)
class Open:
    """What is open to each seat in turn order, and who is waited for: one and the same for tables of one shape.

    That leaves out what Jokers may be handed back, which hangs on the racks too: `sources` are the seats to whom each
    seat may hand back any that it holds.
    """

    acts: tuple[tuple[OpenAct, ...], ...]
    sources: tuple[tuple[Seat, ...], ...]
    waiting_for: tuple[Seat, ...]


@dataclass(slots=True, unsafe_hash=True)
class SeatNext:
    """What is open to a seat, and an example of the first thing it must do."""

    seat: Seat
    acts: tuple[OpenAct, ...] = ()
    example: Act | None = None


@dataclass(slots=True, unsafe_hash=True)
class Next:
    """What comes next at a table."""

    table: Table
    open: Open

    @property
    def seats(self) -> tuple[SeatNext, ...]:
        """What is open to each seat in turn order, with its example."""
        table = self.table
        entries = zip(table.turn, self.open.acts, map(self._hands_back, table.turn, self.open.sources), strict=True)
        return tuple([SeatNext(seat, acts + back, example(table, seat, acts)) for seat, acts, back in entries])

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats that must do something, in turn order."""
        return self.open.waiting_for

    def _hands_back(self, seat: Seat, sources: tuple[Seat, ...]) -> tuple[OpenAct, ...]:
        jokers = self.table.place(seat).rack.count(JOKER) if sources else 0
        return (OpenAct(ActKind.HAND_BACK, must=False, receivers=sources, tiles=jokers),) if jokers else ()


_OPEN: Kept[Open] = Kept()
_NOTHING = Open(((), (), (), ()), ((), (), (), ()), ())


def what_next(table: Table) -> Next:
    """Return what is open at a table; nothing is, to any seat, before the deal and after the discard."""
    if table.stage not in IN_HAND:
        return Next(table, _NOTHING)
    shape = table.shape
    if shape is None:
        return Next(table, _worked_out(table))
    return Next(table, _OPEN.get(shape) or _OPEN.keep(shape, _worked_out(table)))


def _worked_out(table: Table) -> Open:
    acts = tuple(tuple(_open(table, seat)) for seat in table.turn)
    musts = [any(act.must for act in open) for open in acts]
    sources = tuple(_sources(table, seat) for seat in table.turn)
    return Open(acts, sources, tuple(seat for seat, must in zip(table.turn, musts, strict=True) if must))


def _sources(table: Table, seat: Seat) -> tuple[Seat, ...]:
    return () if "claims.closed" in table.house or table.owes(seat) else table.sources(seat)


def _open(table: Table, seat: Seat) -> Iterator[OpenAct]:
    place = table.place(seat)
    debt = table.oldest_debt(seat)
    if debt:
        yield OpenAct(ActKind.REPLACE, must=True, receivers=(debt.creditor,), tiles=debt.tiles)
    if place.incoming:
        yield OpenAct(ActKind.LOOK, must=True)
    if table.stage in SIX_PASSES and not table.moved and place.set_out is None:
        blind = PILE if table.stage in BLIND_PASSES else 0
        yield OpenAct(ActKind.PASS, must=True, receivers=(table.receiver(seat),), tiles=PILE, blind=blind)
    if table.stage is SECOND_LEFT and table.stoppable:
        yield OpenAct(ActKind.STOP, must=False)
    if table.stage is COURTESY:
        yield from _open_in_courtesy(table, seat)
    if table.short(seat) or (seat is EAST and table.east_draws):
        yield OpenAct(ActKind.DRAW, must=table.stage is OPENING, tiles=1)
    elif seat is EAST and table.stage is OPENING and not table.debts and not any(map(table.short, SEATS)):
        yield OpenAct(ActKind.DISCARD, must=True, tiles=1)
    if seat is EAST and table.moment is BEFORE and "east.declares" in table.house:
        yield OpenAct(ActKind.DECLARE_MAHJONG, must=False)


def _open_in_courtesy(table: Table, seat: Seat) -> Iterator[OpenAct]:
    offer, agreed = table.place(seat).offer, table.agreed(seat)
    if offer is None:
        yield OpenAct(ActKind.OFFER, must=True, tiles=PILE)
        return
    if offer and not table.pair_set_out(seat) and not table.pair_done(seat):
        yield OpenAct(ActKind.OFFER, must=False, tiles=offer - 1)
    if agreed and table.place(seat).set_out is None and not table.place(seat).moved:
        yield OpenAct(ActKind.PASS, must=True, receivers=(seat.across,), tiles=agreed)


def example(table: Table, seat: Seat, acts: tuple[OpenAct, ...]) -> Act | None:
    """Return a lawful act of the first kind that the seat must do, never blind.

    None where it must do nothing, or its rack has too few tiles that are no Jokers. Tiles face down stand in where too
    few are named, but none is discarded.
    """
    for act in acts:
        if act.must:
            return _EXAMPLES[act.kind](table, seat, act.tiles)
    return None


def _pass(table: Table, seat: Seat, number: int) -> Pass | None:
    tiles = without_jokers(table.place(seat).rack)[:number]
    return Pass(seat, tiles, stage=table.stage) if len(tiles) == number else None


def _replace(table: Table, seat: Seat, number: int) -> Replace | None:
    tiles = without_jokers(table.place(seat).rack)[:number]
    return Replace(seat, tiles, table.stage) if len(tiles) == number else None


def _discard(table: Table, seat: Seat, number: int) -> Play | None:
    tiles = without_jokers(table.place(seat).rack)[:number]
    return Play(seat, PlayKind.DISCARD, Tile(tiles[0]), table.stage) if tiles and tiles[0] != HIDDEN else None


_EXAMPLES: dict[ActKind, Callable[[Table, Seat, int], Act | None]] = {
    ActKind.PASS: _pass,
    ActKind.LOOK: lambda table, seat, number: Look(seat, stage=table.stage),
    ActKind.OFFER: lambda table, seat, number: Offer(seat, 0, table.stage),
    ActKind.REPLACE: _replace,
    ActKind.DRAW: lambda table, seat, number: Draw(seat, HIDDEN, table.stage),
    ActKind.DISCARD: _discard,
}
