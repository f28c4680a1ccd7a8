"""Tables that nobody need have played to: every kind of debt, pile, look, offer and house."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from referee.house import IDS, LEAGUE, NO_HOUSE, HouseRules, house_rules
from referee.stages import BLIND_PASSES, IN_HAND, SEATS, SIX_PASSES, Seat, Stage
from referee.table import Debt, Place, SetOut, Table
from referee.tiles import FACES, JOKER, Tiles, heap
from tests.laws.acting import picks, seeds

STAGES = sorted(IN_HAND)


class Wall:
    """A shuffled set to take tiles from, Jokers among them or not."""

    def __init__(self, seed: int, house: HouseRules) -> None:
        """Shuffle the set."""
        self._tiles = [face for face in FACES for _ in range(house.copies(face))]
        Random(seed).shuffle(self._tiles)

    def take(self, number: int) -> Tiles:
        """Take the next tiles."""
        taken, self._tiles = self._tiles[:number], self._tiles[number:]
        return bytes(taken)

    def take_others(self, number: int) -> Tiles:
        """Take the next tiles that are no Jokers."""
        taken: list[int] = []
        while len(taken) < number:
            index = next(index for index, tile in enumerate(self._tiles) if tile != JOKER)
            taken.append(self._tiles.pop(index))
        return bytes(taken)


houses = st.builds(
    house_rules,
    st.lists(st.sampled_from([*IDS, LEAGUE]), max_size=3),
    st.sampled_from([None, None, 0, 24]),
    st.sampled_from([None, None, 2, 10]),
)


@st.composite
def tables(draw: st.DrawFn, house: HouseRules = NO_HOUSE) -> Table:
    """A table of a hand that goes on, mostly with right counts and only now and then unreachable."""
    stage = draw(st.sampled_from(STAGES))
    wall = Wall(draw(seeds), house)
    places = {seat: Place() for seat in SEATS}
    debts: list[Debt] = []
    if stage in SIX_PASSES:
        _six_passes(draw, stage, wall, places, debts)
    if stage is Stage.COURTESY:
        for pair in ((Seat.EAST, Seat.WEST), (Seat.SOUTH, Seat.NORTH)):
            _courtesy(draw, wall, pair, places, debts)
    table = replace(_table(stage, places, debts), house=house)
    debts += _debts_to_others(draw, table)
    table = replace(table, debts=tuple(draw(st.permutations(debts))))
    for seat in SEATS:
        number = max(draw(st.sampled_from(table.right_counts(seat))) - table.beside_rack(seat), 0)
        table = table.put(seat, replace(table.place(seat), rack=heap(wall.take(number))))
    return table


def _table(stage: Stage, places: dict[Seat, Place], debts: list[Debt]) -> Table:
    east, south, west, north = (places[seat] for seat in SEATS)
    return Table(stage, (east, south, west, north), tuple(debts))


def _set_out(draw: st.DrawFn, wall: Wall, seat: Seat, size: int, blind: int, debts: list[Debt]) -> SetOut:
    owed = draw(st.sampled_from([0, 0, *range(1, size - blind + 1)]))
    if owed:
        debts.append(Debt(seat, seat, owed))
    return SetOut(wall.take_others(size - blind - owed), blind, tuple(sorted(picks(draw, blind))))


def _six_passes(draw: st.DrawFn, stage: Stage, wall: Wall, places: dict[Seat, Place], debts: list[Debt]) -> None:
    can_be_blind = stage in BLIND_PASSES
    if draw(st.booleans()):
        for seat in SEATS:
            if draw(st.sampled_from([True, True, False])):
                blind = draw(st.integers(0, 3)) if can_be_blind else 0
                places[seat] = Place(set_out=_set_out(draw, wall, seat, 3, blind, debts))
        return
    for seat in SEATS:
        number = draw(st.integers(1, 3)) if can_be_blind else 3
        looked = draw(st.booleans())
        places[seat] = Place(looked=True) if looked else Place(incoming=heap(wall.take_others(number)))


def _courtesy(
    draw: st.DrawFn, wall: Wall, pair: tuple[Seat, Seat], places: dict[Seat, Place], debts: list[Debt]
) -> None:
    offers = [draw(st.sampled_from([None, 0, 1, 2, 3, 3])) for _ in pair]
    agreed = 0 if None in offers else min(offer for offer in offers if offer is not None)
    crossed = draw(st.booleans())
    for seat, offer in zip(pair, offers, strict=True):
        place = Place(offer=offer)
        if agreed and crossed:
            looked = draw(st.booleans())
            incoming = b"" if looked else heap(wall.take_others(agreed))
            place = replace(place, looked=looked, incoming=incoming)
        elif agreed and draw(st.booleans()):
            place = replace(place, set_out=_set_out(draw, wall, seat, agreed, 0, debts))
        places[seat] = place


def _debts_to_others(draw: st.DrawFn, table: Table) -> list[Debt]:
    can = [(debtor, creditor) for creditor in SEATS for debtor in table.sources(creditor)]
    if not can:
        return []
    number = draw(st.sampled_from([0, 0, 1, 2, 4]))
    return [Debt(*draw(st.sampled_from(can)), draw(st.sampled_from([1, 1, 2, 8]))) for _ in range(number)]
