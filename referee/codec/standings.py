"""To the wire: how a table stands and what comes next there, for the referee and for those who see less."""

from __future__ import annotations

from functools import lru_cache

from referee.codec.tables import act_bytes, joined, place_field, place_fields, table_bytes
from referee.codec.wire import number, packed, sized
from referee.house import MOST_JOKERS, HouseRules
from referee.next import ActKind, Next, Open, OpenAct, SeatNext, example, what_next
from referee.stages import NOT_DEALT, OPENING, Stage
from referee.table import Place, Table
from referee.tiles import JOKER, Tiles
from referee.view import views

REFEREE = 1
"""The viewer who sees what the question showed; then come the four seats, and last a bystander."""
_OF_THE_RACK = frozenset({ActKind.PASS, ActKind.REPLACE, ActKind.DISCARD})
"""What is done with tiles of the rack; they are the last thing that is written of an example."""
_PLENTY = Place(bytes((1,)) * 14)
_JOKER = int(JOKER)


def standing_bytes(then: Next) -> bytes:
    """Return how a table stands for the referee, and what comes next there."""
    return b"\x08\x01" + sized(b"\x12", table_bytes(then.table)) + sized(b"\x1a", next_bytes(then))


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
    seats, waiting_for = _form(then.open, table.stage, table.house.ids)
    pieces = []
    for index, begins, most in seats:
        rack = table.places[index].rack
        pieces.append(begins[rack.count(_JOKER)] if len(begins) > 1 else begins[0])
        if most:
            tiles = rack[:most]
            if len(tiles) < most or (tiles[-1] >= _JOKER and not _backs_will_do(tiles, table.stage)):
                return _whole(then)
            pieces.append(tiles)
    pieces.append(waiting_for)
    return b"".join(pieces)


def _backs_will_do(tiles: Tiles, stage: Stage) -> bool:
    """Tell whether tiles, Jokers or backs among them, can be an example: no Joker can, and no back is discarded."""
    return _JOKER not in tiles and stage is not OPENING


_SeatForm = tuple[int, tuple[bytes, ...], int]
"""What is open to one seat at all tables of a shape: the index of its place, what is written of it by the number of
Jokers on its rack if that matters, and how many tiles of the rack, the first, follow as those of its example."""


@lru_cache(maxsize=4096)
def _form(open: Open, stage: Stage, house: tuple[str, ...]) -> tuple[tuple[_SeatForm, ...], bytes]:
    plenty = Table(stage, (_PLENTY, _PLENTY, _PLENTY, _PLENTY), house=HouseRules(house))
    forms = []
    for seat, acts, sources in zip(plenty.turn, open.acts, open.sources, strict=True):
        first = next((act for act in acts if act.must), None)
        most = first.tiles if first and first.kind in _OF_THE_RACK else 0
        given = example(plenty, seat, acts)
        backs = [OpenAct(ActKind.HAND_BACK, False, sources, jokers) for jokers in range(1, MOST_JOKERS + 1)]
        opened = [acts, *((*acts, back) for back in backs)] if sources else [acts]
        fields = [sized(b"\x0a", _seat_next(SeatNext(seat, each, given))) if each else b"" for each in opened]
        forms.append((seat - 1, tuple(field[: len(field) - most] for field in fields), most))
    return tuple(forms), packed(b"\x12", bytes(open.waiting_for))


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
