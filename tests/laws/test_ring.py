"""The ring of blind passes, against a simulation that pushes tiles round the table one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from referee import ring
from referee.acts import Look, Pass
from referee.judge import judge
from referee.notation import parse_tiles
from referee.play import Event, begin
from referee.ruling import Verdict
from referee.stages import SEATS, Direction, Seat, Stage
from referee.table import Place, SetOut, Table
from referee.tiles import Tiles, heap

OWN = {
    Seat.EAST: parse_tiles("3b 1b 2b"),
    Seat.SOUTH: parse_tiles("1c 3c 2c"),
    Seat.WEST: parse_tiles("2d 3d 1d"),
    Seat.NORTH: parse_tiles("W E S"),
}
REST = {
    Seat.EAST: parse_tiles("4b*4 5b*4 6b*3"),
    Seat.SOUTH: parse_tiles("4c*4 5c*4 6c*2"),
    Seat.WEST: parse_tiles("4d*4 5d*4 6d*2"),
    Seat.NORTH: parse_tiles("F*4 G*4 J*2"),
}
STAGES = {Stage.FIRST_LEFT: Direction.LEFT, Stage.SECOND_RIGHT: Direction.RIGHT}
NEXT = {Stage.FIRST_LEFT: Stage.SECOND_LEFT, Stage.SECOND_RIGHT: Stage.COURTESY}
COMBINATIONS = list(product(range(4), repeat=4))
ORDERS = [SEATS, (Seat.WEST, Seat.NORTH, Seat.SOUTH, Seat.EAST)]


class Giver:
    """A player who pushes tiles to one neighbour: her own first, then some of those that reach her, as they come."""

    def __init__(self, own: Tiles, sends_on: set[int]) -> None:
        self.pushed = deque(own)
        self.sends_on = sends_on
        self.reached = 0
        self.keeps: list[int] = []

    def take(self, tile: int) -> None:
        """Take a tile that reaches her, unseen, and push it on or keep it."""
        self.reached += 1
        (self.pushed if self.reached in self.sends_on else self.keeps).append(tile)


def pushed_round(piles: ring.Piles, direction: Direction) -> dict[Seat, list[int]] | None:
    """Push every tile until none is left to push; None if nothing ever moves."""
    all_blind = all(pile.blind for pile in piles)
    givers = {
        seat: Giver(
            pile.tiles,
            set(range(1, pile.blind + 1) if all_blind or not pile.picks else pile.picks) if pile.blind else set(),
        )
        for seat, pile in zip(SEATS, piles, strict=True)
    }
    steps = {Direction.RIGHT: 1, Direction.ACROSS: 2, Direction.LEFT: 3}[direction]
    moved = 0
    while any(giver.pushed for giver in givers.values()):
        for number, seat in enumerate(SEATS):
            if givers[seat].pushed:
                givers[SEATS[(number + steps) % 4]].take(givers[seat].pushed.popleft())
                moved += 1
    if not moved:
        return None
    assert 12 == moved, "a tile was pushed that should not have been, or one was not"
    return {seat: giver.keeps for seat, giver in givers.items()}


def passes(own: tuple[int, ...]) -> ring.Piles:
    """Return four passes with so many own tiles."""
    east, south, west, north = (SetOut(OWN[seat][:number], 3 - number) for seat, number in zip(SEATS, own, strict=True))
    return east, south, west, north


def picked() -> Iterator[SetOut]:
    """Yield every size of a pass with every choice of backs, and with none, as passes of no tiles in particular."""
    for blind in range(4):
        yield SetOut(b"", blind)
        if blind:
            yield from (SetOut(b"", blind, picks) for picks in combinations((1, 2, 3), blind))


@pytest.mark.parametrize("stage", STAGES)
def test_every_combination_of_own_tiles_resolves(stage: Stage) -> None:
    """Whoever passes first, each seat keeps what the simulation pushes to it; four blind threes move nothing."""
    racks = {seat: heap((*OWN[seat], *REST[seat])) for seat in SEATS}
    east, south, west, north = (Place(rack=racks[seat]) for seat in SEATS)
    start = Table(stage, (east, south, west, north))
    for own, order in product(COMBINATIONS, ORDERS):
        piles = passes(own)
        table = start
        for seat in order:
            pile = piles[seat - 1]
            ruling, table = judge(table, Pass(seat, pile.tiles, pile.blind))

            assert Verdict.LEGAL is ruling.verdict
        keeps = pushed_round(piles, STAGES[stage])

        if keeps is None:
            assert (3, 3, 3, 3) == tuple(pile.blind for pile in piles)
            assert begin(start, Event.NOTHING_MOVES) == table
            continue
        for seat in SEATS:
            place, kept = table.place(seat), heap(keeps[seat])
            assert (kept, not kept, None) == (place.incoming, place.looked, place.set_out)
            assert len(racks[seat]) == table.owned(seat)
        ruling, table = judge(table, Look(None))

        assert (Verdict.LEGAL, NEXT[stage]) == (ruling.verdict, table.stage)
        assert sorted(t for rack in racks.values() for t in rack) == sorted(t for p in table.places for t in p.rack)
        assert [len(racks[seat]) for seat in SEATS] == [len(table.place(seat).rack) for seat in SEATS]


@pytest.mark.parametrize("direction", STAGES.values())
def test_every_choice_of_backs_resolves(direction: Direction) -> None:
    """With picks too each seat keeps what is pushed to it; when all four are blind no picks are heeded."""
    givers = tuple(seat.on(4 - direction) for seat in SEATS)
    for choice in product(picked(), repeat=4):
        east, south, west, north = (
            SetOut(OWN[seat][: 3 - pile.blind], pile.blind, pile.picks)
            for seat, pile in zip(SEATS, choice, strict=True)
        )
        piles = (east, south, west, north)
        keeps = pushed_round(piles, direction)

        if keeps is None:
            assert ring.four_blind_threes(piles)
        else:
            assert tuple(heap(keeps[seat]) for seat in SEATS) == ring.kept(piles, givers)


def test_the_order_of_picks_does_not_matter() -> None:
    """Tiles are sent on in the order in which they came in, in whatever order the backs were picked."""
    east, south, west, north = (Place(rack=heap((*OWN[seat], *REST[seat]))) for seat in SEATS)
    after = []
    for picks in ((1, 3), (3, 1)):
        table = Table(Stage.FIRST_LEFT, (east, south, west, north))
        for seat in SEATS:
            act = Pass(seat, OWN[seat][:1], 2, picks) if seat is Seat.NORTH else Pass(seat, OWN[seat])
            table = judge(table, act).table
        after.append(table)

    assert after[0] == after[1]
    assert parse_tiles("1b") == after[0].place(Seat.NORTH).incoming
    assert parse_tiles("2b 3b W") == after[0].place(Seat.WEST).incoming
