"""Precedents: what was ruled on an act is ruled on every act like it, at every table of the same shape.

Which faces tiles have matters to a ruling only where a rack does not show what is named, and where it lies face down;
of Jokers it matters how many there are. Where a rack shows what is named, a ruling hangs on numbers alone, and is made
once. All else is judged anew each time. No other face is ever in a precedent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, Replace, Stop
from referee.next import Open
from referee.place import PILE
from referee.play import follow, thrown_in
from referee.ruling import ILLEGAL, MISDEAL, Ruling
from referee.shape import Shape
from referee.table import Table
from referee.tiles import HIDDEN, JOKER, Tiles, shows

Form = tuple[object, ...]
"""An act without the faces of its tiles, but for how many of them are Jokers."""
_JOKER, _HIDDEN = int(JOKER), int(HIDDEN)


@dataclass(eq=False, slots=True)
class Precedent:
    """A ruling, what is open after it, and the shape of the table then."""

    ruling: Ruling
    open: Open
    shape: Shape | None

    def after(self, table: Table, act: Act | None) -> Table:
        """Return the table after a like act."""
        verdict = self.ruling.verdict
        if verdict is MISDEAL:
            return thrown_in(table)
        return table if act is None or verdict is ILLEGAL else follow(table, act).shaped(self.shape)


def form(table: Table, act: Act | None) -> Form | None:
    """Return the form of an act, or of none; None where the ruling may hang on faces."""
    return _FORMS[type(act)](table, act)


def _pass(table: Table, act: Pass) -> Form | None:
    if not _shown(table, act) or len(act.picks) > PILE:
        return None
    return (Pass, act.seat, len(act.tiles), _jokers(act.tiles), act.blind, act.picks, act.receiver, act.stage)


def _replace(table: Table, act: Replace) -> Form | None:
    return (Replace, act.seat, len(act.tiles), _jokers(act.tiles), act.stage) if _shown(table, act) else None


def _hand_back(table: Table, act: HandBack) -> Form | None:
    rack = table.places[act.seat - 1].rack
    # A refusal says how many Jokers there are.
    return None if _HIDDEN in rack else (HandBack, act.seat, act.passer, act.jokers, _jokers(rack), act.stage)


def _look(table: Table, act: Look) -> Form | None:
    # Tiles named are those that come in, or the look is malformed.
    if act.seat is not None and act.tiles and len(act.tiles) != len(table.place(act.seat).incoming):
        return None
    return (Look, act.seat, act.stage)


def _deal(table: Table, act: Deal) -> Form:
    east, south, west, north = act.racks
    return (Deal, len(east), len(south), len(west), len(north), act.stage)


def _play(table: Table, act: Play) -> Form | None:
    held = act.tile is None or act.tile in table.places[act.seat - 1].rack
    return (Play, act.seat, act.kind, act.tile is None, act.stage) if held else None


def _shown(table: Table, act: Pass | Replace) -> bool:
    """Tell whether the rack shows the tiles of an act, none of them face down: such a tile may be a Joker."""
    return _HIDDEN not in act.tiles and shows(table.places[act.seat - 1].rack, act.tiles)


def _jokers(tiles: Tiles) -> int:
    return tiles.count(_JOKER)


_FORMS: dict[type, Callable[[Table, Any], Form | None]] = {
    type(None): lambda table, act: (None,),
    Deal: _deal,
    Pass: _pass,
    Look: _look,
    Stop: lambda table, act: (Stop, act.seat, act.stage),
    Offer: lambda table, act: (Offer, act.seat, act.tiles, act.stage),
    HandBack: _hand_back,
    Replace: _replace,
    Draw: lambda table, act: (Draw, act.seat, act.stage),
    Count: lambda table, act: (Count, act.seat, act.tiles, act.stage),
    Play: _play,
}
