"""What a seat may see of a table: its own tiles, and of the others how many there are."""

from __future__ import annotations

from referee.stages import SEATS, Seat
from referee.table import Place, SetOut, Table
from referee.tiles import HIDDEN, ONE, Tiles

_BACK = ONE[HIDDEN]


def as_seen(table: Table, seat: Seat | None) -> Table:
    """Return the table as a seat sees it, or a bystander for None.

    Sizes, blind numbers, offers, debts and who has looked are public. A seat sees the faces of its rack and of what it
    has set out; which backs it picked is its own too. What is coming in lies face down to everybody, for its receiver
    has not looked, and who passed it may not see where a heap puts it.
    """
    places = zip(SEATS, table.places, strict=True)
    return table.at(table.stage, [_own(place) if other is seat else _covered(place) for other, place in places])


def views(table: Table) -> list[Table]:
    """Return the table as each seat sees it, East first, and last as a bystander does."""
    covered = [_covered(place) for place in table.places]
    seen = []
    for index, place in enumerate(table.places):
        places = [*covered]
        places[index] = _own(place)
        seen.append(table.at(table.stage, places))
    return [*seen, table.at(table.stage, covered)]


def _own(place: Place) -> Place:
    if not place.incoming:
        return place
    return Place(place.rack, place.set_out, _backs(place.incoming), place.looked, place.offer)


def _covered(place: Place) -> Place:
    pile = place.set_out
    out = None if pile is None else SetOut(_backs(pile.tiles), pile.blind)
    return Place(_backs(place.rack), out, _backs(place.incoming), place.looked, place.offer)


def _backs(tiles: Tiles) -> Tiles:
    return _BACK * len(tiles)
