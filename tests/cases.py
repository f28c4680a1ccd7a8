"""The corpus as data: cases read from TOML, and what a door answered, in words that any door can speak."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.acts import Act, Deal
from referee.notation import parse_act, parse_house, parse_tiles
from referee.stages import NOT_DEALT, SEATS, Seat, Stage
from referee.table import Place, Table
from referee.tiles import COPIES, JOKER, Tile, Tiles

CORPUS = Path(__file__).parent / "corpus"
MAY_GO_ON = {"LEGAL", "UNDECIDED", "JOKER_RETURN"}


@dataclass(frozen=True)
class Case:
    """One case of the corpus; `question` is protobuf JSON where the notation cannot write it."""

    name: str
    level: str
    want: dict[str, Any]
    acts: tuple[str, ...] = ()
    stage: str | None = None
    racks: dict[str, str] = field(default_factory=dict)
    house: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    then_legal: bool = True
    question: str | None = None

    @property
    def parsed(self) -> tuple[Act, ...]:
        """The acts, read."""
        return tuple(map(parse_act, self.acts))

    def table(self) -> Table:
        """Lay the table: racks given, the others dealt from the rest of the set in tile order, without Jokers."""
        first_deals = bool(self.parsed) and isinstance(self.parsed[0], Deal)
        stage = Stage[self.stage or ("UNDEALT" if first_deals else "FIRST_RIGHT")]
        house = parse_house(" ".join(self.house))
        if stage in NOT_DEALT:
            return Table(stage, house=house)
        given = {Seat[name]: parse_tiles(tiles) for name, tiles in self.racks.items()}
        rest = Counter({face: house.copies(face) for face in COPIES})
        rest.subtract(tile for rack in given.values() for tile in rack)
        wall = [tile for tile in Tile if tile is not JOKER for _ in range(max(rest[tile], 0))]
        places = []
        for seat in SEATS:
            number = Table(house=house).dealt(seat) if stage is not Stage.PLAY else 13
            rack: Tiles = given[seat] if seat in given else tuple(wall.pop(0) for _ in range(number))
            places.append(Place(rack=rack))
        east, south, west, north = places
        return Table(stage, (east, south, west, north), house=house)


@dataclass
class Answer:
    """What a door answered to the last act of a case."""

    verdict: str = ""
    broken: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    rests_on: list[str] = field(default_factory=list)
    stage: str = ""
    debts: list[str] = field(default_factory=list)
    racks: dict[str, Counter[Tile]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    when: str = ""
    may: list[str] = field(default_factory=list)
    error: str = ""
    went_on: bool = True


def load(folder: Path = CORPUS) -> list[Case]:
    """Read every case of a folder, in the order of files and cases."""
    cases = []
    for path in sorted(folder.glob("*.toml")):
        for entry in tomllib.loads(path.read_text())["case"]:
            lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
            cases.append(Case(**{**entry, **lists}))
    return cases


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
    found = []

    def compare(what: str, wanted: object, got: object) -> None:
        if wanted != got:
            found.append(f"{what}: wanted {wanted}, got {got}")

    want = dict(case.want)
    if "error" in want:
        compare("error", want.pop("error"), answer.error)
        assert not want, f"{case.name} wants more than an error: {want}"
        return found
    compare("error", "", answer.error)
    if case.then_legal:
        compare("earlier acts went on", True, answer.went_on)
    for what in ("verdict", "stage", "when"):
        if what in want:
            compare(what, want.pop(what), getattr(answer, what))
    for what in ("broken", "undecided", "rests_on"):
        if what in want:
            compare(what, set(want.pop(what)), set(getattr(answer, what)))
    if "debts" in want:
        compare("debts", want.pop("debts"), answer.debts)
    if "counts" in want:
        compare("counts", want.pop("counts"), answer.counts)
    for seat, rack in want.pop("racks", {}).items():
        compare(f"rack of {seat}", Counter(parse_tiles(rack)), answer.racks.get(seat))
    if "may" in want:
        wanted = {_tidy(line) for line in want.pop("may") if not line.endswith(" nothing")}
        named = {line.split()[0] for line in case.want["may"]}
        compare("may", wanted, {line for line in answer.may if line.split()[0] in named})
    assert not want, f"{case.name} wants what no door can say: {want}"
    return found


def _tidy(line: str) -> str:
    """Write several receivers of an open act in one way, whatever stands between them."""
    head, to, receivers = line.rpartition(" to ")
    seats = [seat.name for seat in SEATS if seat.name in re.findall(r"[A-Z]+", receivers)]
    return f"{head}{to}{' '.join(seats)}" if to and seats else line
