"""To the wire: how a table stands and what comes next there, for the referee and for those who see less."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.codec.tables import act_bytes, joined, place_field, place_fields, table_bytes
from referee.codec.wire import number, packed, sized
from referee.house import HouseRules
from referee.next import ActKind, Next, Open, OpenAct, SeatNext, example, what_next
from referee.stages import NOT_DEALT, Stage
from referee.table import Place, Table
from referee.tiles import HIDDEN, JOKER
from referee.view import views

REFEREE = 1
"""The viewer who sees what the question showed; then come the four seats, and last a bystander."""
_OF_THE_RACK = frozenset({ActKind.PASS, ActKind.REPLACE, ActKind.DISCARD})
"""What is done with tiles of the rack; they are the last thing that is written of an example."""
_PLENTY = Place(bytes((1,)) * 14)


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
    table = then.table
    form = _form(then.open, table.stage, table.house.ids)
    pieces = [form.begins]
    for index, most, piece in form.examples:
        tiles = table.places[index].rack[:most]
        if len(tiles) < most or JOKER in tiles or (HIDDEN in tiles and table.stage is Stage.OPENING):
            return _whole(then)
        pieces += (tiles, piece)
    return b"".join(pieces)


class _Form(NamedTuple):
    """What comes next at all tables of a shape, but for the tiles of its examples.

    After what it begins with come for each example the tiles, so many of the first on the rack of a seat, and the piece
    that follows them.
    """

    begins: bytes
    examples: tuple[tuple[int, int, bytes], ...]


@lru_cache(maxsize=4096)
def _form(open: Open, stage: Stage, house: tuple[str, ...]) -> _Form:
    plenty = Table(stage, (_PLENTY, _PLENTY, _PLENTY, _PLENTY), house=HouseRules(house))
    pieces = [b""]
    examples = []
    for seat, acts in zip(plenty.turn, open.acts, strict=True):
        if not acts:
            continue
        entry = SeatNext(seat, acts, example(plenty, seat, acts))
        pieces[-1] += sized(b"\x0a", _seat_next(entry))
        first = next((act for act in acts if act.must), None)
        if first and first.kind in _OF_THE_RACK:
            pieces[-1] = pieces[-1][: -first.tiles]
            examples.append((seat - 1, first.tiles))
            pieces.append(b"")
    pieces[-1] += packed(b"\x12", bytes(open.waiting_for))
    begins, *rest = pieces
    return _Form(begins, tuple((*where, piece) for where, piece in zip(examples, rest, strict=True)))


def _whole(then: Next) -> bytes:
    """Return what comes next where a seat has no example, or not the first tiles of its rack for one."""
    seats = b"".join(sized(b"\x0a", _seat_next(entry)) for entry in then.seats if entry.acts)
    return seats + packed(b"\x12", bytes(then.waiting_for))


def _seat_next(entry: SeatNext) -> bytes:
    acts = b"".join(sized(b"\x12", _open_act(act)) for act in entry.acts)
    given = b"" if entry.example is None else sized(b"\x1a", act_bytes(entry.example))
    return number(b"\x08", entry.seat) + acts + given


def _open_act(act: OpenAct) -> bytes:
    kinds = number(b"\x08", act.kind) + number(b"\x10", act.must) + packed(b"\x1a", bytes(act.receivers))
    return kinds + number(b"\x20", act.tiles) + number(b"\x28", act.blind)
