"""What a referee answered to a case, in words that any door can speak, and how that differs from what was wanted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from charleston.conformance.cases import Case
from referee.notation import parse_tiles, tiles_text
from referee.stages import SEATS
from referee.tiles import Tile

KNOWN = frozenset(Tile)
MAY_GO_ON = {"LEGAL", "UNDECIDED", "JOKER_RETURN"}


@dataclass
class Answer:
    """What a door answered to the last act of a case."""

    verdict: str = ""
    broken: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    rests_on: list[str] = field(default_factory=list)
    stage: str = ""
    debts: list[str] = field(default_factory=list)
    racks: dict[str, Counter[int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    when: str = ""
    may: list[str] = field(default_factory=list)
    error: str = ""
    went_on: bool = True


def open_act(seat: str, must: bool, kind: str, receivers: list[str], tiles: int, blind: int) -> str:
    """Write an open act as the corpus does: `NORTH must pass 3 blind up to 3 to WEST`."""
    words = {
        "PASS": f"pass {tiles}" + (f" blind up to {blind}" if blind else ""),
        "OFFER": f"offer up to {tiles}",
        "REPLACE": f"replace {tiles}",
        "HAND_BACK": f"hand back up to {tiles}",
    }
    to = f" to {' '.join(receivers)}" if receivers else ""
    return f"{seat} {'must' if must else 'may'} {words.get(kind, kind.lower().replace('_', ' '))}{to}"


def mismatches(case: Case, answer: Answer) -> list[str]:
    """Say where the answer is not what the case wants; nothing when it is."""
    want = case.want
    if answer.error or "error" in want:
        return _differ("error", want.get("error", ""), answer.error)
    found = _differ("earlier acts go on", True, answer.went_on) if case.then_legal else []
    for what in ("verdict", "stage", "when"):
        if what in want:
            found += _differ(what, want[what], getattr(answer, what))
    for what in ("broken", "undecided", "rests_on"):
        if what in want:
            found += _differ(what, sorted(set(want[what])), sorted(set(getattr(answer, what))))
    if "debts" in want:
        found += _differ("debts", want["debts"], answer.debts)
    if "counts" in want:
        found += _differ("counts", want["counts"], answer.counts)
    for seat, rack in want.get("racks", {}).items():
        found += _differ(f"rack of {seat}", _faces(parse_tiles(rack)), _faces(answer.racks[seat].elements()))
    if "may" in want:
        named = {line.split()[0] for line in want["may"]}
        wanted_acts = {_tidy(line) for line in want["may"] if not line.endswith(" nothing")}
        got = {_tidy(line) for line in answer.may if line.split()[0] in named}
        found += _differ("may", sorted(wanted_acts), sorted(got))
    return found


def _differ(what: str, wanted: object, got: object) -> list[str]:
    return [] if wanted == got else [f"{what}: wanted {_said(wanted)}, got {_said(got)}"]


def _said(value: object) -> str:
    match value:
        case list():
            return ", ".join(map(str, value)) or "none"
        case dict():
            return ", ".join(f"{name} {number}" for name, number in value.items()) or "none"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value) or "none"


def _faces(rack: Iterable[int]) -> str:
    """Write a rack; a server may send a number that is no tile."""
    tiles = sorted(rack)
    strange = " ".join(str(int(tile)) for tile in tiles if tile not in KNOWN)
    return f"{tiles_text(bytes(tile for tile in tiles if tile in KNOWN))} {strange}".strip()


def _tidy(line: str) -> str:
    """Write several receivers of an open act in one way, whatever stands between them."""
    head, to, receivers = line.rpartition(" to ")
    seats = [seat.name for seat in SEATS if seat.name in re.findall(r"[A-Z]+", receivers)]
    return f"{head}{to}{' '.join(seats)}" if to and seats else line
