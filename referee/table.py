"""The table: four places in a ring, the stage of play, and who owes whom.

Everything a rule asks of a table is a question-shaped member here, so that rules share knowledge and never each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from referee.house import NO_HOUSE, HouseRules
from referee.stages import DIRECTIONS, FIRST_CHARLESTON, SEATS, SIX_PASSES, TURN_BY_NORTH, Moment, Seat, Stage
from referee.tiles import HIDDEN, JOKER, Tiles, heap, unnamed

NEWEST_RULEBOOK = 1
"""The rulebook version; it rises only when some verdict changes."""


@dataclass(frozen=True, slots=True)
class SetOut:
    """A pass set out: own tiles in the order named, how many are sent on blind, and which (by place, from 1)."""

    tiles: Tiles = b""
    blind: int = 0
    picks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One seat's part of the table; `set_out` and `offer` are None when not made, an offer of none is 0."""

    rack: Tiles = b""
    set_out: SetOut | None = None
    incoming: Tiles = b""
    looked: bool = False
    offer: int | None = None

    @property
    def tiles(self) -> Tiles:
        """All tiles that lie here: on the rack, set out and coming in."""
        return self.rack + (self.set_out.tiles if self.set_out else b"") + self.incoming

    def tidied(self) -> Place:
        """Return the place with heaps in tile order and picks in order."""
        set_out = self.set_out and replace(self.set_out, picks=tuple(sorted(self.set_out.picks)))
        return replace(self, rack=heap(self.rack), set_out=set_out, incoming=heap(self.incoming))

    @property
    def moved(self) -> bool:
        """Whether tiles have reached this seat in the stage, looked at or not."""
        return self.looked or bool(self.incoming)


@dataclass(frozen=True, slots=True)
class Debt:
    """Tiles owed for Jokers handed back; creditor and debtor are the same seat when the debt is to its own pass."""

    debtor: Seat
    creditor: Seat
    tiles: int

    def touches(self, seat: Seat) -> bool:
        """Tell whether the debt holds up the courtesy pair of the seat."""
        return (self.debtor - seat) % 2 == 0 or (self.creditor - seat) % 2 == 0


EMPTY = Place()
Places = tuple[Place, Place, Place, Place]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; places are those of East, South, West and North, debts stand oldest first."""

    stage: Stage = Stage.UNDEALT
    places: Places = (EMPTY, EMPTY, EMPTY, EMPTY)
    debts: tuple[Debt, ...] = ()
    rulebook: int = NEWEST_RULEBOOK
    house: HouseRules = NO_HOUSE

    def place(self, seat: Seat) -> Place:
        """Return the place of the seat."""
        return self.places[seat - 1]

    def put(self, seat: Seat, place: Place) -> Table:
        """Return the table with this place at the seat."""
        return self.at(self.stage, (place if seat == index else kept for index, kept in enumerate(self.places, 1)))

    def at(self, stage: Stage, places: Iterable[Place]) -> Table:
        """Return the table at a stage, with these four places and the debts it has."""
        east, south, west, north = places
        return replace(self, stage=stage, places=(east, south, west, north))

    def tidied(self) -> Table:
        """Return the table with racks and incoming tiles in tile order, and picks in order."""
        return self.at(self.stage, (place.tidied() for place in self.places))

    # Who passes to whom.

    def turns_on(self, seat: Seat, turns: int) -> Seat:
        """Return the seat that many turns on, in the order of turn of the house."""
        return seat.on(4 - turns if "right.north" in self.house else turns)

    def receiver(self, seat: Seat) -> Seat:
        """Return the seat that the passes of this seat go to at this stage, one of the seven with a pass."""
        return self.turns_on(seat, DIRECTIONS[self.stage])

    def giver(self, seat: Seat) -> Seat:
        """Return the seat whose passes come to this seat at this stage, one of the seven with a pass."""
        return self.turns_on(seat, 4 - DIRECTIONS[self.stage])

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats in the order of turn of the house."""
        return TURN_BY_NORTH if "right.north" in self.house else SEATS

    @property
    def moved(self) -> bool:
        """Whether the tiles of one of the six passes have moved and the stage is not over."""
        return self.stage in SIX_PASSES and any(place.moved for place in self.places)

    def sources(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats from which a tile on this seat's rack can have come by now, in turn order."""
        # A stage that is over counts as moved. Reading: four blind threes count too, as no table remembers them.
        passes = sum(self.stage > stage or (self.stage is stage and self.moved) for stage in FIRST_CHARLESTON)
        gave = [self.turns_on(seat, turns) for turns in (3, 2, 1)[:passes]]
        return tuple(other for other in self.turn if other in gave)

    @property
    def stoppable(self) -> bool:
        """Whether nobody has done in the second Charleston what closes the stop: looked, or by the house set out."""
        if "stop.at_set_out" in self.house:
            return not any(place.set_out is not None or place.moved for place in self.places)
        return not any(place.looked for place in self.places)

    # What is owned and owed.

    def owes(self, seat: Seat) -> bool:
        """Tell whether a debt of the seat is open."""
        return any(debt.debtor is seat for debt in self.debts)

    def oldest_debt(self, seat: Seat) -> Debt | None:
        """Return the debt that the seat pays next, or None."""
        return next((debt for debt in self.debts if debt.debtor is seat), None)

    def owed_to_pass(self, seat: Seat) -> int:
        """Return how many tiles the seat owes to the pass it has set out."""
        return sum(d.tiles for d in self.debts if d.debtor is seat and d.creditor is seat)

    def beside_rack(self, seat: Seat) -> int:
        """Return how many tiles the seat owns beside its rack: set out, coming in and owed to it, less what it owes."""
        place = self.place(seat)
        owned = len(place.incoming) + (len(place.set_out.tiles) if place.set_out else 0)
        for debt in self.debts:
            owned += debt.tiles * ((debt.creditor is seat) - (debt.debtor is seat))
        return owned

    def owned(self, seat: Seat) -> int:
        """Return how many tiles the seat owns."""
        return len(self.place(seat).rack) + self.beside_rack(seat)

    @property
    def all_owned(self) -> tuple[int, ...]:
        """How many tiles each seat owns, East first."""
        numbers = [len(p.rack) + len(p.incoming) + (len(p.set_out.tiles) if p.set_out else 0) for p in self.places]
        for debt in self.debts:
            numbers[debt.creditor - 1] += debt.tiles
            numbers[debt.debtor - 1] -= debt.tiles
        return tuple(numbers)

    @property
    def counts_are_right(self) -> bool:
        """Whether every seat owns a number of tiles that it may rightly own now."""
        rights = _right_counts(self.house, self.stage)
        return all(number in right for number, right in zip(self.all_owned, rights, strict=True))

    def dealt(self, seat: Seat) -> int:
        """Return how many tiles the seat is dealt."""
        return _dealt(self.house, seat)

    def right_counts(self, seat: Seat) -> tuple[int, ...]:
        """Return the numbers of tiles that the seat may rightly own now."""
        return _right_counts(self.house, self.stage)[seat - 1]

    def short(self, seat: Seat) -> bool:
        """Tell whether the seat owns one tile too few, and the house lets it draw one."""
        draws = "left.draws" in self.house and seat is _left_of_east(self.house)
        return draws and self.owned(seat) == self.dealt(seat) - 1

    @property
    def east_draws(self) -> bool:
        """Whether the passing is over and East, dealt thirteen by the house, has not drawn its fourteenth."""
        return "east.13" in self.house and self.stage is Stage.OPENING and self.owned(Seat.EAST) == 13

    @property
    def moment(self) -> Moment | None:
        """The moment at which a count would be taken now; None once East has discarded."""
        match self.stage:
            case Stage.PLAY:
                return None
            case Stage.OPENING:
                return Moment.AFTER
            case Stage.UNDEALT | Stage.THROWN_IN | Stage.FIRST_RIGHT:
                begun = any(place.set_out or place.moved for place in self.places)
                return Moment.DURING if begun else Moment.BEFORE
            case _:
                return Moment.DURING

    # What lies face down.

    def left(self, tile: int) -> int:
        """Return how many tiles of a face are not named on the table."""
        return self.house.copies(tile) - sum(place.tiles.count(tile) for place in self.places)

    @property
    def a_back_may_be_a_joker(self) -> bool:
        """Whether a Joker is not named on the table, so that any face-down tile may be one."""
        return self.left(JOKER) > 0

    def holds(self, seat: Seat, tiles: Iterable[int]) -> tuple[Tiles, Tiles]:
        """Return those of the tiles that the seat's rack cannot hold, and if it can hold all, those that only its
        face-down tiles can be.

        Named tiles use the rack's named copies first, then its face-down ones.
        """
        short, backs = unnamed(self.place(seat).rack, tiles)
        if not short:
            return b"", b""
        if len(short) > backs:
            return short, b""
        none_left = bytes(tile for tile in short if tile == HIDDEN or short.count(tile) > self.left(tile))
        return (none_left, b"") if none_left else (b"", short)

    # The courtesy, pair by pair.

    def agreed(self, seat: Seat) -> int | None:
        """Return the smaller offer of the seat's pair; None until both have offered."""
        mine, theirs = self.place(seat).offer, self.place(seat.across).offer
        return None if mine is None or theirs is None else min(mine, theirs)

    def pair_set_out(self, seat: Seat) -> bool:
        """Tell whether one of the seat's pair has set out its courtesy pass, or the pair's tiles have crossed."""
        return any(p.set_out is not None or p.moved for p in (self.place(seat), self.place(seat.across)))

    def pair_done(self, seat: Seat) -> bool:
        """Tell whether the seat's pair has nothing left to do in the courtesy."""
        return self.agreed(seat) == 0 or (self.place(seat).looked and self.place(seat.across).looked)


def _dealt(house: HouseRules, seat: Seat) -> int:
    # Reading: the French and Dutch texts give everyone 13; the English, the more exact, gives East 14.
    return 14 if seat is Seat.EAST and "east.13" not in house else 13


def _left_of_east(house: HouseRules) -> Seat:
    return Seat.SOUTH if "right.north" in house else Seat.NORTH


@lru_cache(maxsize=4096)
def _right_counts(house: HouseRules, stage: Stage) -> tuple[tuple[int, ...], ...]:
    """Return the right counts of the four seats; they are few, and asked for at every act."""
    counts: dict[Seat, tuple[int, ...]] = {seat: (_dealt(house, seat),) for seat in SEATS}
    if "east.13" in house and stage is Stage.OPENING:
        counts[Seat.EAST] = (13, 14)
    if "left.draws" in house:
        counts[_left_of_east(house)] = (12, 13)
    return tuple(counts[seat] for seat in SEATS)
