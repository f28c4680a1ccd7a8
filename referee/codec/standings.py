"""To the wire: how a table stands and what comes next there, for the referee and for those who see less."""

from __future__ import annotations

from functools import lru_cache

from referee.codec.tables import act_bytes, table_bytes
from referee.codec.wire import number, packed, sized
from referee.next import Next, OpenAct, SeatNext, what_next
from referee.stages import SEATS, Seat
from referee.table import Table
from referee.view import as_seen

REFEREE = 1
"""The viewer who sees what the question showed; then come the four seats, and last a bystander."""
_VIEWERS: tuple[Seat | None, ...] = (*SEATS, None)


def standing_bytes(table: Table, then: Next, viewer: int = REFEREE) -> bytes:
    """Return how a table stands for a viewer, and what comes next there."""
    return b"".join((number(b"\x08", viewer), sized(b"\x12", table_bytes(table)), sized(b"\x1a", next_bytes(then))))


def views(table: Table) -> list[bytes]:
    """Return how a table stands for each seat and for a bystander, who see what they may and no more."""
    seen = (as_seen(table, seat) for seat in _VIEWERS)
    return [standing_bytes(view, what_next(view), viewer) for viewer, view in enumerate(seen, REFEREE + 1)]


def next_bytes(then: Next) -> bytes:
    """Return what comes next; a seat to whom nothing is open is not listed."""
    seats = b"".join(sized(b"\x0a", _seat_next(entry)) for entry in then.seats if entry.acts)
    return seats + packed(b"\x12", bytes(then.waiting_for))


def _seat_next(entry: SeatNext) -> bytes:
    example = b"" if entry.example is None else sized(b"\x1a", act_bytes(entry.example))
    return number(b"\x08", entry.seat) + _open_acts(entry.acts) + example


@lru_cache(maxsize=4096)
def _open_acts(acts: tuple[OpenAct, ...]) -> bytes:
    return b"".join(sized(b"\x12", _open_act(act)) for act in acts)


def _open_act(act: OpenAct) -> bytes:
    kinds = number(b"\x08", act.kind) + number(b"\x10", act.must) + packed(b"\x1a", bytes(act.receivers))
    return kinds + number(b"\x20", act.tiles) + number(b"\x28", act.blind)
