"""Precedents: what was ruled on an act is ruled on every act like it, at every table of the same shape.

The faces of tiles matter to a ruling only where a rack does not show what is named, and where a Joker or a tile that
lies face down is named. Acts of which that cannot be said are judged anew each time; all others hang on numbers alone.
No face is ever in a precedent.
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
from referee.tiles import HIDDEN, JOKER, shows

Form = tuple[object, ...]
"""An act without the faces of its tiles."""
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
    if not _plain(table, act) or len(act.picks) > PILE:
        return None
    return (Pass, act.seat, len(act.tiles), act.blind, act.picks, act.receiver, act.stage)


def _replace(table: Table, act: Replace) -> Form | None:
    return (Replace, act.seat, len(act.tiles), act.stage) if _plain(table, act) else None


def _plain(table: Table, act: Pass | Replace) -> bool:
    tiles = act.tiles
    return _JOKER not in tiles and _HIDDEN not in tiles and shows(table.places[act.seat - 1].rack, tiles)


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


def _of_faces(table: Table, act: HandBack | Draw) -> None:
    """A Joker is handed back by who holds it, and the facts of a refusal say how many; what is drawn has to be left."""


_FORMS: dict[type, Callable[[Table, Any], Form | None]] = {
    type(None): lambda table, act: (None,),
    Deal: _deal,
    Pass: _pass,
    Look: _look,
    Stop: lambda table, act: (Stop, act.seat, act.stage),
    Offer: lambda table, act: (Offer, act.seat, act.tiles, act.stage),
    HandBack: _of_faces,
    Replace: _replace,
    Draw: _of_faces,
    Count: lambda table, act: (Count, act.seat, act.tiles, act.stage),
    Play: _play,
}
