"""Looking: all four pass at the same moment, and pass before they look."""

from __future__ import annotations

from referee.acts import Look
from referee.rulebook.article import Answers, found, rule
from referee.ruling import Verdict
from referee.stages import BEFORE_OPENING, COURTESY, IN_HAND, SEATS, Seat
from referee.table import Table


def expects(table: Table, seat: Seat) -> bool:
    """Tell whether tiles will be coming in to the seat in this stage and have not moved yet."""
    if table.stage is COURTESY:
        return bool(table.agreed(seat)) and not (table.place(seat).moved or table.place(seat.across).moved)
    return table.stage in BEFORE_OPENING and not table.moved


def comes_in(table: Table, act: Look) -> bool:
    """Tell whether tiles are coming in to who looks."""
    if act.seat is not None:
        return table.place(act.seat).incoming != b""
    return any([place.incoming for place in table.places])


def lookers(act: Look) -> tuple[Seat, ...]:
    """Return the seats that look: one, or everyone."""
    return SEATS if act.seat is None else (act.seat,)


@rule("look.before", Verdict.ILLEGAL, {Look: BEFORE_OPENING})
def after_the_move(table: Table, act: Look) -> Answers:
    """All four pass at the same moment: nobody looks at tiles coming in before the tiles have moved. Tiles sent on
    blind are never looked at."""
    if not comes_in(table, act) and any(expects(table, seat) for seat in lookers(act)):
        yield found("look.before", act.seat)


@rule("look.nothing", Verdict.ILLEGAL, {Look: IN_HAND})
def at_something(table: Table, act: Look) -> Answers:
    """A seat looks when something is coming in: not when it has looked, when its pair has no agreed number or is done,
    or when the passing is over."""
    if not (comes_in(table, act) or any(expects(table, seat) for seat in lookers(act))):
        yield found("look.nothing", act.seat)
