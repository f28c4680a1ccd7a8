"""What a seat may see of a table: its own tiles, and of the others how many there are."""

from __future__ import annotations

from dataclasses import replace

from referee.stages import SEATS, Seat
from referee.table import Place, Table
from referee.tiles import HIDDEN, ONE, Tiles


def as_seen(table: Table, seat: Seat | None) -> Table:
    """Return the table as a seat sees it, or a bystander for None.

    Sizes, blind numbers, offers, debts and who has looked are public. A seat sees the faces of its rack and of what it
    has set out; which backs it picked is its own too. What is coming in lies face down to everybody, for its receiver
    has not looked, and who passed it may not see where a heap puts it.
    """
    places = (place if other is seat else _covered(place) for other, place in zip(SEATS, table.places, strict=True))
    return table.at(table.stage, (replace(place, incoming=_backs(place.incoming)) for place in places))


def _covered(place: Place) -> Place:
    set_out = place.set_out and replace(place.set_out, tiles=_backs(place.set_out.tiles), picks=())
    return replace(place, rack=_backs(place.rack), set_out=set_out)


def _backs(tiles: Tiles) -> Tiles:
    return ONE[HIDDEN] * len(tiles)
