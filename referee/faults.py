"""What is malformed about one place at a table, and how a fault is told: a path, and a sentence that names no tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from referee.house import HouseRules
from referee.place import PILE
from referee.stages import BLIND_PASSES, COURTESY, NOT_DEALT, SIX_PASSES, Seat
from referee.table import Place, Table
from referee.tiles import COPIES, HIDDEN, JOKER, Tiles


class Reason(Enum):
    """Why a field is malformed, apart from what only the wire can get wrong."""

    TOO_MANY_OF_A_FACE = "the set has fewer of this face"
    UNREACHABLE = "no play leads to this table"
    MISMATCH = "these are not what the table says"


class Fault(NamedTuple):
    """A malformed field: its path, the reason, and a sentence that names no tile."""

    path: str
    reason: Reason
    sentence: str


class Faces:
    """Counts the tiles of a table as they are read, against what the set has."""

    def __init__(self, house: HouseRules, tiles: Tiles) -> None:
        self._right = house.has(tiles)
        self._most = {face: house.copies(face) for face in COPIES}
        self._most[HIDDEN] = house.set_size - len(tiles) + tiles.count(HIDDEN)
        self._used: Counter[int] = Counter()

    def faults(self, path: str, tiles: Tiles) -> Iterator[Fault]:
        """Yield a fault for each tile beyond what the set has of its face, or has left to lie face down."""
        for index, tile in enumerate(() if self._right else tiles):
            self._used[tile] += 1
            if self._used[tile] > self._most[tile]:
                sentence = (
                    "The set has no tile left for this one." if tile == HIDDEN else "The set has no more of this face."
                )
                yield Fault(f"{path}[{index}]", Reason.TOO_MANY_OF_A_FACE, sentence)


def unreachable(path: str, sentence: str) -> Fault:
    """Return the fault of a field that no play leads to."""
    return Fault(path, Reason.UNREACHABLE, sentence)


def under(name: str, fault: Fault) -> Fault:
    """Return a fault with its path under a name."""
    return fault._replace(path=f"{name}.{fault.path}")


def place_faults(table: Table, seat: Seat, place: Place, faces: Faces) -> Iterator[Fault]:
    """Yield what is malformed about a seat's place, its rack apart, in field order; paths begin at the place."""
    if table.stage in NOT_DEALT and place.rack:
        yield unreachable("rack", "Nothing is dealt, so no rack has a tile.")
    if place.set_out is not None:
        yield from _set_out_faults(table, seat, place)
        yield from faces.faults("set_out.tiles", place.set_out.tiles)
        yield from _jokers("set_out.tiles", place.set_out.tiles)
        if place.set_out.blind and table.stage not in BLIND_PASSES:
            yield unreachable("set_out.blind", "Only the last pass of each Charleston can be blind.")
        if place.set_out.picks and (sentence := picks_fault(place.set_out.picks, place.set_out.blind)):
            yield Fault("set_out.picks", Reason.MISMATCH, sentence)
    yield from _incoming_faults(table, seat, place)
    yield from faces.faults("incoming", place.incoming)
    yield from _jokers("incoming", place.incoming)
    if place.looked:
        if place.incoming:
            yield unreachable("looked", "Tiles coming in have not been looked at.")
        elif table.stage not in SIX_PASSES and not (table.stage is COURTESY and table.agreed(seat)):
            yield unreachable("looked", "Nothing has come in that could have been looked at.")
    if place.offer is not None:
        if table.stage is not COURTESY:
            yield unreachable("offer", "Offers are made in the courtesy only.")
        elif place.offer > PILE:
            yield unreachable("offer", "An offer is none, one, two or three.")


def _jokers(path: str, tiles: Tiles) -> Iterator[Fault]:
    for index, tile in enumerate(tiles):
        if tile == JOKER:
            yield unreachable(f"{path}[{index}]", "This tile is never set out, and never comes in.")


def _set_out_faults(table: Table, seat: Seat, place: Place) -> Iterator[Fault]:
    pile = place.set_out
    assert pile is not None
    in_courtesy = table.stage is COURTESY
    size = (table.agreed(seat) or 0) if in_courtesy else PILE if table.stage in SIX_PASSES else 0
    if not size:
        yield unreachable("set_out", "Nothing can be set out here.")
    elif place.moved or table.moved or (in_courtesy and table.place(seat.across).moved):
        yield unreachable("set_out", "Nothing is set out once the tiles of the stage have moved.")
    elif len(pile.tiles) + pile.blind + table.owed_to_pass(seat) != size:
        yield unreachable("set_out", "A pass, with what is taken blind and what is owed to it, is of another size.")


def picks_fault(picks: tuple[int, ...], blind: int) -> str:
    """Return what is wrong with picks, or nothing: there are as many as blind tiles, distinct, each from 1 to 3."""
    if len(picks) != blind:
        return "There are as many picks as tiles taken blind, or none."
    if len(set(picks)) != len(picks) or not all(1 <= pick <= PILE for pick in picks):
        return "Picks are distinct places in the pile that comes in, from 1 to 3."
    return ""


def _incoming_faults(table: Table, seat: Seat, place: Place) -> Iterator[Fault]:
    number = len(place.incoming)
    if table.stage is COURTESY:
        agreed = table.agreed(seat) or 0
        crossed = place.moved or table.place(seat.across).moved
        if number and number != agreed:
            yield unreachable("incoming", "As many tiles come in as the smaller offer of the pair says.")
        elif agreed and crossed and not place.moved and place.set_out is None:
            yield unreachable(
                "incoming", "The tiles of this pair have crossed, and this seat has none and has not looked."
            )
    elif table.stage in SIX_PASSES:
        sizes = (1, 2, 3) if table.stage in BLIND_PASSES else (PILE,)
        if number and number not in sizes:
            yield unreachable("incoming", "Another number of tiles comes in on this pass.")
        elif table.moved and not place.moved and place.set_out is None:
            yield unreachable("incoming", "The tiles have moved, and this seat has none and has not looked.")
    elif number:
        yield unreachable("incoming", "Nothing can be coming in here.")
