"""The corpus as data: cases read from TOML, with everything that keeps them from being read."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from charleston.referee.v1 import service_pb2
from referee.acts import Act, Deal
from referee.notation import NotationError, parse_act, parse_house, parse_tiles
from referee.stages import NOT_DEALT, SEATS, Seat, Stage
from referee.table import Place, Table
from referee.tiles import COPIES, JOKER, Tile, Tiles

SHIPPED = resources.files("charleston.conformance") / "corpus"
SOURCE = Path(__file__).parents[4] / "tests" / "corpus"
LEVELS = ("required", "recommended")
WANTED = frozenset(
    ["verdict", "broken", "undecided", "stage", "debts", "racks", "counts", "when", "may", "rests_on", "error"]
)
"""What `want` may name."""


class WrongCase(Exception):
    """A case, or a file of cases, that cannot be read: where, and why."""


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
    file: str = ""

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
        wall = [tile for tile in Tile if tile != JOKER for _ in range(max(rest[tile], 0))]
        places = []
        for seat in SEATS:
            number = Table(house=house).dealt(seat) if stage is not Stage.PLAY else 13
            rack: Tiles = given[seat] if seat in given else bytes(wall.pop(0) for _ in range(number))
            places.append(Place(rack=rack))
        east, south, west, north = places
        return Table(stage, (east, south, west, north), house=house)


def load(folder: Path | None = None) -> list[Case]:
    """Read every case of a folder, in the order of files and cases; without one, the corpus that comes with this."""
    cases: list[Case] = []
    for name, text in _files(folder):
        try:
            entries = tomllib.loads(text).get("case", [])
        except tomllib.TOMLDecodeError as why:
            raise WrongCase(f"{name}: this is no TOML: {why}") from None
        if not isinstance(entries, list):
            raise WrongCase(f"{name}: expected tables under [[case]]")
        cases += (_case(name, number, entry) for number, entry in enumerate(entries, 1))
    for case, times in Counter(case.name for case in cases).items():
        if times > 1:
            raise WrongCase(f"{times} cases are called {case}")
    return cases


def _files(folder: Path | None) -> Iterator[tuple[str, str]]:
    place = folder or (SHIPPED if SHIPPED.is_dir() else SOURCE)
    try:
        found = sorted((file for file in place.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
        for file in found:
            yield file.name, file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as why:
        raise WrongCase(f"{place}: {getattr(why, 'strerror', '') or 'not UTF-8'}") from None
    if not found:
        raise WrongCase(f"{place}: there is no file of cases (*.toml) in it")


def _case(file: str, number: int, entry: object) -> Case:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise WrongCase(f"{file}: case {number} has no name")
    where = f"{file}: {entry['name']}"
    known = {each.name for each in fields(Case)} - {"file"}
    if unknown := sorted(set(entry) - known):
        raise WrongCase(f"{where}: there is no {unknown[0]!r} in a case")
    if entry.get("level") not in LEVELS:
        raise WrongCase(f"{where}: its level is none of {', '.join(LEVELS)}")
    lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
    case = Case(**{"want": {}, **entry, **lists, "file": file})
    if unknown := sorted(set(case.want) - WANTED):
        raise WrongCase(f"{where}: there is nothing called {unknown[0]!r} to want")
    if not case.want or ("error" in case.want and len(case.want) > 1):
        raise WrongCase(f"{where}: it wants nothing, or more than an error")
    if bool(case.acts) is bool(case.question):
        raise WrongCase(f"{where}: it has acts or a question, one of them")
    _check(where, case)
    return case


def _check(where: str, case: Case) -> None:
    """Read all that is notation or JSON in a case, so that nothing is unreadable once a server is asked."""
    try:
        if case.question:
            json_format.Parse(case.question, service_pb2.JudgeRequest())
        for name, tiles in (*case.racks.items(), *case.want.get("racks", {}).items()):
            Seat[name]
            parse_tiles(tiles)
        Stage[case.stage or "UNDEALT"]
        assert case.parsed or case.question
    except NotationError as wrong:
        raise WrongCase(f"{where}: {wrong.problems[0].message}") from None
    except json_format.ParseError as wrong:
        raise WrongCase(f"{where}: its question is no JudgeRequest: {str(wrong).splitlines()[0]}") from None
    except KeyError as wrong:
        raise WrongCase(f"{where}: there is no seat or stage {wrong.args[0]}") from None
