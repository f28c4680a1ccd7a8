"""To the wire: how a table stands and what comes next there, for the referee and for those who see less."""

from __future__ import annotations

from functools import lru_cache

from referee.codec.tables import act_bytes, joined, place_field, place_fields, table_bytes
from referee.codec.wire import number, packed, sized
from referee.next import Next, OpenAct, SeatNext, what_next
from referee.stages import NOT_DEALT
from referee.table import Table
from referee.view import views

REFEREE = 1
"""The viewer who sees what the question showed; then come the four seats, and last a bystander."""


def standing_bytes(table: Table, then: Next) -> bytes:
    """Return how a table stands for the referee, and what comes next there."""
    return _standing(REFEREE, table_bytes(table), then)


def views_bytes(table: Table) -> list[bytes]:
    """Return how a table stands for each seat and for a bystander, who see what they may and no more."""
    *seen, covered = views(table)
    if table.stage in NOT_DEALT:
        return [_standing(viewer, table_bytes(table), what_next(table)) for viewer in range(REFEREE + 1, REFEREE + 6)]
    backs = place_fields(covered)
    standings = []
    for index, view in enumerate(seen):
        fields = [*backs]
        fields[index] = place_field(index, view.places[index])
        standings.append(_standing(REFEREE + 1 + index, joined(view, fields), what_next(view)))
    return [*standings, _standing(REFEREE + 5, joined(covered, backs), what_next(covered))]


def _standing(viewer: int, table: bytes, then: Next) -> bytes:
    return number(b"\x08", viewer) + sized(b"\x12", table) + sized(b"\x1a", next_bytes(then))


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
