"""To the wire: how a table stands and what comes next there, for the referee and for those who see less."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from referee.acts import Act
from referee.codec.tables import act_bytes, joined, place_field, place_fields, table_bytes
from referee.codec.wire import number, packed, sized
from referee.house import MOST_JOKERS, HouseRules
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
_NO_ACTS = 2
"""The bytes of what is open to a seat where there is only the seat."""


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
    seats, waiting_for = _form(then.open, table.stage, table.house.ids)
    pieces = []
    for index, acts, hands_back, given, most in seats:
        rack = table.places[index].rack
        if hands_back and JOKER in rack:
            acts += hands_back[rack.count(JOKER)]
        elif len(acts) == _NO_ACTS:
            continue
        if most:
            tiles = rack[:most]
            if len(tiles) < most or JOKER in tiles or (HIDDEN in tiles and table.stage is Stage.OPENING):
                return _whole(then)
            acts += given + tiles
        elif given:
            acts += given
        pieces.append(sized(b"\x0a", acts))
    pieces.append(waiting_for)
    return b"".join(pieces)


class _SeatForm(NamedTuple):
    """What is open to one seat at all tables of a shape, in pieces.

    `acts` are the seat and the acts that are open to it whatever its rack; `hands_back` what is open besides, by the
    number of Jokers on it. `given` is an example, up to the tiles that it takes of the rack: `most` of the first.
    """

    place: int
    acts: bytes
    hands_back: tuple[bytes, ...]
    given: bytes
    most: int


@lru_cache(maxsize=4096)
def _form(open: Open, stage: Stage, house: tuple[str, ...]) -> tuple[list[_SeatForm], bytes]:
    plenty = Table(stage, (_PLENTY, _PLENTY, _PLENTY, _PLENTY), house=HouseRules(house))
    forms = []
    for seat, acts, sources in zip(plenty.turn, open.acts, open.sources, strict=True):
        first = next((act for act in acts if act.must), None)
        given = _example(example(plenty, seat, acts))
        most = first.tiles if first and first.kind in _OF_THE_RACK else 0
        backs = [OpenAct(ActKind.HAND_BACK, False, sources, jokers) for jokers in range(MOST_JOKERS + 1)]
        hands_back = tuple(_open_acts([back]) for back in backs) if sources else ()
        begins = number(b"\x08", seat) + _open_acts(acts)
        forms.append(_SeatForm(seat - 1, begins, hands_back, given[: len(given) - most], most))
    return forms, packed(b"\x12", bytes(open.waiting_for))


def _whole(then: Next) -> bytes:
    """Return what comes next where a seat has no example, or not the first tiles of its rack for one."""
    seats = b"".join(sized(b"\x0a", _seat_next(entry)) for entry in then.seats if entry.acts)
    return seats + packed(b"\x12", bytes(then.waiting_for))


def _seat_next(entry: SeatNext) -> bytes:
    return number(b"\x08", entry.seat) + _open_acts(entry.acts) + _example(entry.example)


def _example(act: Act | None) -> bytes:
    return b"" if act is None else sized(b"\x1a", act_bytes(act))


def _open_acts(acts: Iterable[OpenAct]) -> bytes:
    return b"".join(sized(b"\x12", _open_act(act)) for act in acts)


def _open_act(act: OpenAct) -> bytes:
    kinds = number(b"\x08", act.kind) + number(b"\x10", act.must) + packed(b"\x1a", bytes(act.receivers))
    return kinds + number(b"\x20", act.tiles) + number(b"\x28", act.blind)
