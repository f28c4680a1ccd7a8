"""What was done, and what tiles did by themselves then: which sentence says it, with which facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.stages import BLIND_PASSES, COURTESY
from referee.table import Table

Deed = tuple[Any, ...]
"""The key of a sentence, and its facts."""

FACTS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "deal": (),
    "pass": ("seat", "own", "blind"),
    "pass_blind": ("seat", "own", "blind"),
    "look": ("seat",),
    "look_everyone": (),
    "stop": ("seat",),
    "offer": ("seat", "tiles"),
    "hand_back": ("seat", "passer", "jokers"),
    "replace": ("seat", "tiles"),
    "draw": ("seat",),
    "count": ("seat", "tiles"),
    **{kind.name.lower(): ("seat",) for kind in PlayKind},
}
"""The names of the facts of what was done, by the key of its sentence."""
NOTHING: Deed = ("nothing",)
"""The deed of a question without an act."""
_PASSING = (Pass, Replace)


_DEEDS: dict[type, Callable[[Any], Deed]] = {
    type(None): lambda act: NOTHING,
    Deal: lambda act: ("deal",),
    Pass: lambda act: ("pass_blind" if act.blind else "pass", act.seat, len(act.tiles), act.blind),
    Look: lambda act: ("look", act.seat) if act.seat else ("look_everyone",),
    Stop: lambda act: ("stop", act.seat),
    Offer: lambda act: ("offer", act.seat, act.tiles),
    HandBack: lambda act: ("hand_back", act.seat, act.passer, act.jokers),
    Replace: lambda act: ("replace", act.seat, len(act.tiles)),
    Draw: lambda act: ("draw", act.seat),
    Count: lambda act: ("count", act.seat, act.tiles),
    Play: lambda act: (act.kind.name.lower(), act.seat),
}


def deed_of(act: Act | None) -> Deed:
    """Return the key of the sentence that says what was done, and the facts that it speaks of, no tile among them."""
    return _DEEDS[type(act)](act)


def event_of(table: Table, act: Act | None, after: Table) -> str:
    """Return the key of the sentence that says what tiles did by themselves, or nothing; only a pass sets them going,
    or the payment that it waited for."""
    if not isinstance(act, _PASSING):
        return ""
    if isinstance(act, Pass) and after.place(act.seat).set_out is not None:
        return ""  # what was set out lies there still
    if after.stage is not table.stage:
        return "nothing_moves" if table.stage in BLIND_PASSES and not table.moved else ""
    if after.stage is COURTESY:
        places = zip(table.places, after.places, strict=True)
        return "crossed" if any(now.incoming and not before.incoming for before, now in places) else ""
    return "moved" if after.moved and not table.moved else ""
