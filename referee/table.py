"""The table: four places in a ring, the stage of play, and who owes whom.

Everything a rule asks of a table is a question-shaped member here, so that rules share knowledge and never each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.counts import USUAL, dealt, left_of_east, right_counts
from referee.house import NO_HOUSE, HouseRules
from referee.place import EMPTY, Debt, Place, Places, SetOut
from referee.shape import MOST_DEBTS, Shape, shaped
from referee.stages import (
    AFTER,
    BEFORE,
    DURING,
    EAST,
    FIRST_CHARLESTON,
    FIRST_RIGHT,
    GIVERS,
    NOT_DEALT,
    OPENING,
    PLAY,
    RECEIVERS,
    SEATS,
    SIX_PASSES,
    TURN_BY_NORTH,
    UNDEALT,
    Moment,
    Seat,
    Stage,
)
from referee.tiles import HIDDEN, JOKER, Tiles, shows, unnamed

__all__ = ["EMPTY", "NEWEST_RULEBOOK", "Debt", "Place", "Places", "SetOut", "Table"]

NEWEST_RULEBOOK = 1
"""The rulebook version; it rises only when some verdict changes."""


@dataclass(slots=True, unsafe_hash=True, init=False)
class Table:
    """A table; places are those of East, South, West and North, debts stand oldest first."""

    stage: Stage = UNDEALT
    places: Places = (EMPTY, EMPTY, EMPTY, EMPTY)
    debts: tuple[Debt, ...] = ()
    rulebook: int = NEWEST_RULEBOOK
    house: HouseRules = NO_HOUSE
    _shape: Shape | None = field(default=None, init=False, repr=False, compare=False)

    def __init__(
        self,
        stage: Stage = UNDEALT,
        places: Places = (EMPTY, EMPTY, EMPTY, EMPTY),
        debts: tuple[Debt, ...] = (),
        rulebook: int = NEWEST_RULEBOOK,
        house: HouseRules = NO_HOUSE,
    ) -> None:
        self.stage = stage
        self.places = places
        self.debts = debts
        self.rulebook = rulebook
        self.house = house
        self._shape = None

    def place(self, seat: Seat) -> Place:
        """Return the place of the seat."""
        return self.places[seat - 1]

    def partner(self, seat: Seat) -> Place:
        """Return the place across from the seat, of its partner in the courtesy."""
        return self.places[seat - 3]  # two on in the ring of four; Python counts back from the end

    def put(self, seat: Seat, place: Place) -> Table:
        """Return the table with this place at the seat."""
        places = list(self.places)
        places[seat - 1] = place
        east, south, west, north = places
        return Table(self.stage, (east, south, west, north), self.debts, self.rulebook, self.house)

    def at(self, stage: Stage, places: Iterable[Place]) -> Table:
        """Return the table at a stage, with these four places and the debts it has."""
        east, south, west, north = places
        return Table(stage, (east, south, west, north), self.debts, self.rulebook, self.house)

    def owing(self, debts: tuple[Debt, ...]) -> Table:
        """Return the table with these debts, oldest first."""
        return Table(self.stage, self.places, debts, self.rulebook, self.house)

    def tidied(self) -> Table:
        """Return the table with racks and incoming tiles in tile order, and picks in order."""
        return self.at(self.stage, (place.tidied() for place in self.places))

    @property
    def shape(self) -> Shape | None:
        """The shape of the table; None where it has more debts than play makes, so that nothing large is kept."""
        shape = self._shape
        if shape is None and len(self.debts) <= MOST_DEBTS:
            east, south, west, north = self.places
            shape = shaped((self.stage, self.house.ids, self.debts, east.form, south.form, west.form, north.form))
            self.shaped(shape)
        return shape

    def shaped(self, shape: Shape | None) -> Table:
        """Return this table, which is known to have that shape, so that it need not be found again."""
        self._shape = shape
        return self

    # Who passes to whom.

    def turns_on(self, seat: Seat, turns: int) -> Seat:
        """Return the seat that many turns on, in the order of turn of the house."""
        return seat.on(4 - turns if "right.north" in self.house else turns)

    def receiver(self, seat: Seat) -> Seat:
        """Return the seat that the passes of this seat go to at this stage, one of the seven with a pass."""
        return RECEIVERS["right.north" in self.house.ids][self.stage][seat - 1]

    def giver(self, seat: Seat) -> Seat:
        """Return the seat whose passes come to this seat at this stage, one of the seven with a pass."""
        return self.givers[seat - 1]

    @property
    def givers(self) -> tuple[Seat, ...]:
        """The seats whose passes come to East, South, West and North at this stage, one of the seven with a pass."""
        return GIVERS["right.north" in self.house.ids][self.stage]

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats in the order of turn of the house."""
        return TURN_BY_NORTH if "right.north" in self.house else SEATS

    @property
    def moved(self) -> bool:
        """Whether the tiles of one of the six passes have moved and the stage is not over."""
        return self.stage in SIX_PASSES and any([place.looked or place.incoming for place in self.places])

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
        numbers = []
        for place in self.places:
            pile = place.set_out
            numbers.append(len(place.rack) + len(place.incoming) + (0 if pile is None else len(pile.tiles)))
        for debt in self.debts:
            numbers[debt.creditor - 1] += debt.tiles
            numbers[debt.debtor - 1] -= debt.tiles
        return tuple(numbers)

    @property
    def counts_are_right(self) -> bool:
        """Whether every seat owns a number of tiles that it may rightly own now."""
        if not self.house.ids:
            return self.all_owned == USUAL
        rights = right_counts(self.house.ids, self.stage)
        return all(number in right for number, right in zip(self.all_owned, rights, strict=True))

    def dealt(self, seat: Seat) -> int:
        """Return how many tiles the seat is dealt."""
        return dealt(self.house.ids, seat)

    def right_counts(self, seat: Seat) -> tuple[int, ...]:
        """Return the numbers of tiles that the seat may rightly own now."""
        return right_counts(self.house.ids, self.stage)[seat - 1]

    def short(self, seat: Seat) -> bool:
        """Tell whether the seat owns one tile too few, and the house lets it draw one."""
        draws = "left.draws" in self.house and seat is left_of_east(self.house.ids)
        return draws and self.owned(seat) == self.dealt(seat) - 1

    @property
    def east_draws(self) -> bool:
        """Whether the passing is over and East, dealt thirteen by the house, has not drawn its fourteenth."""
        return "east.13" in self.house and self.stage is OPENING and self.owned(EAST) == 13

    @property
    def moment(self) -> Moment | None:
        """The moment at which a count would be taken now; None once East has discarded."""
        if self.stage in NOT_DEALT:
            return BEFORE
        if self.stage is FIRST_RIGHT:
            begun = any(place.set_out or place.moved for place in self.places)
            return DURING if begun else BEFORE
        return {OPENING: AFTER, PLAY: None}.get(self.stage, DURING)

    # What lies face down.

    def left(self, tile: int) -> int:
        """Return how many tiles of a face are not named on the table."""
        return self.house.copies(tile) - sum(place.tiles.count(tile) for place in self.places)

    @property
    def a_back_may_be_a_joker(self) -> bool:
        """Whether a Joker is not named on the table, so that any face-down tile may be one."""
        return self.left(JOKER) > 0

    def holds(self, seat: Seat, tiles: Tiles) -> tuple[Tiles, Tiles]:
        """Return those of the tiles that the seat's rack cannot hold, and if it can hold all, those that only its
        face-down tiles can be.

        Named tiles use the rack's named copies first, then its face-down ones.
        """
        rack = self.places[seat - 1].rack
        if shows(rack, tiles):
            return b"", b""
        short, backs = unnamed(rack, tiles)
        if len(short) > backs:
            return short, b""
        none_left = bytes(tile for tile in short if tile == HIDDEN or short.count(tile) > self.left(tile))
        return (none_left, b"") if none_left else (b"", short)

    # The courtesy, pair by pair.

    def agreed(self, seat: Seat) -> int | None:
        """Return the smaller offer of the seat's pair; None until both have offered."""
        mine, theirs = self.places[seat - 1].offer, self.places[seat - 3].offer
        return None if mine is None or theirs is None else min(mine, theirs)

    def pair_set_out(self, seat: Seat) -> bool:
        """Tell whether one of the seat's pair has set out its courtesy pass, or the pair's tiles have crossed."""
        return any(p.set_out is not None or p.moved for p in (self.place(seat), self.partner(seat)))

    def pair_done(self, seat: Seat) -> bool:
        """Tell whether the seat's pair has nothing left to do in the courtesy."""
        return self.agreed(seat) == 0 or (self.place(seat).looked and self.partner(seat).looked)
