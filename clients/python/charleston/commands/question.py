"""Questions from files: games and tables in notation or protobuf JSON, and what a refused one means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format

from charleston.commands.source import WrongQuestion, data_of, is_json, message_of, read_text, unread
from charleston.errors import RefereeError
from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import Malformed, read_replay, write_act, write_table
from referee.house import NO_HOUSE, HouseRules
from referee.notation import Claim, NotationError, act_text, parse_game, parse_table, tiles_text
from referee.table import Table

_ACT = re.compile(r"acts\[(\d+)\]\.?(.*)")


@dataclass(frozen=True, slots=True)
class Entry:
    """An act, or a claim of the game's own log; `line` is None where the game is not written in lines."""

    text: str
    what: table_pb2.Act | Claim
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game to replay; `asked` is the question without its acts."""

    name: str
    entries: tuple[Entry, ...]
    asked: service_pb2.ReplayRequest

    @property
    def acts(self) -> int:
        """How many acts it has."""
        return sum(not isinstance(entry.what, Claim) for entry in self.entries)


def read_game(path: str, house: HouseRules | None = None) -> Game:
    """Read a game: notation, or a ReplayRequest as protobuf JSON; the house rules are for one that has none."""
    name, text = read_text(path)
    game = _json_game(name, text) if is_json(path, text) else written_game(name, text)
    if not game.acts:
        raise WrongQuestion(f"{name}: there is no act in it")
    if table := at_home(game.asked.table if game.asked.HasField("table") else None, house):
        game.asked.table.CopyFrom(table)
    return game


def read_table(path: str, house: HouseRules | None = None) -> service_pb2.WhatNextRequest:
    """Read a table: notation, or a Table or WhatNextRequest as protobuf JSON; the house rules are for one without."""
    asked = _table(path)
    if table := at_home(asked.table if asked.HasField("table") else None, house):
        asked.table.CopyFrom(table)
    return asked


def _table(path: str) -> service_pb2.WhatNextRequest:
    name, text = read_text(path)
    if not is_json(path, text):
        try:
            return service_pb2.WhatNextRequest(table=write_table(parse_table(text)))
        except NotationError as wrong:
            raise unread(name, text, wrong) from None
    data = data_of(name, text)
    if {"table", "options"} & data.keys():
        return message_of(name, data, service_pb2.WhatNextRequest())
    return service_pb2.WhatNextRequest(table=message_of(name, data, table_pb2.Table()))


def read_start(path: str) -> table_pb2.Table:
    """Read a table, or the table that a game starts from: as it is dealt where it starts from nothing."""
    name, text = read_text(path)
    if is_json(path, text):
        return _json_start(name, data_of(name, text))
    game = written_game(name, text)
    return start(game.asked, [entry.what for entry in game.entries if not isinstance(entry.what, Claim)])


def start(asked: service_pb2.ReplayRequest, acts: Iterable[table_pb2.Act]) -> table_pb2.Table:
    """Return the table that acts start from."""
    table = table_pb2.Table(stage=table_pb2.STAGE_UNDEALT)
    if asked.HasField("table"):
        table.CopyFrom(asked.table)
    if table.stage != table_pb2.STAGE_UNDEALT:
        return table
    for act in acts:
        if act.HasField("deal"):
            table.stage = table_pb2.STAGE_FIRST_RIGHT
            for seat in ("east", "south", "west", "north"):
                getattr(table, seat).rack.extend(sorted(getattr(act.deal, seat).tiles))
        break
    return table


def at_home(table: table_pb2.Table | None, house: HouseRules | None) -> table_pb2.Table | None:
    """Return the table with these house rules, if there are any and it has none of its own."""
    if house is None or (table is not None and table.HasField("house")):
        return table
    played = table_pb2.Table(house=write_table(Table(house=house)).house)
    played.MergeFrom(table or table_pb2.Table(stage=table_pb2.STAGE_UNDEALT))
    return played


def act_words(acts: Iterable[table_pb2.Act]) -> list[str]:
    """Write acts in notation, or as protobuf JSON if one of them says more than this notation can."""
    acts = list(acts)
    try:
        return [act_text(act) for act in read_replay(service_pb2.ReplayRequest(acts=acts))[1]]
    except Malformed:
        return [json_format.MessageToJson(act, indent=None) for act in acts]


def refused(name: str, error: RefereeError, entries: tuple[Entry, ...] = ()) -> WrongQuestion | RefereeError:
    """Return what a refusal means: a wrong question, told by line where its fields are acts of lines, or no answer."""
    if error.code.name not in ("INVALID_ARGUMENT", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"):
        return error
    if not error.violations:
        return WrongQuestion(f"{name}: {error.message}")
    return WrongQuestion(*(f"{_place(name, field, entries)}: {sentence}" for field, _, sentence in error.violations))


def _place(name: str, field: str, entries: tuple[Entry, ...]) -> str:
    if (act := _ACT.match(field)) and int(act[1]) < len(entries) and (line := entries[int(act[1])].line):
        return f"{name}:{line}: {act[2] or 'act'}"
    return f"{name}: {field}" if field else name


def written_game(name: str, text: str) -> Game:
    """Read a game in notation."""
    try:
        game = parse_game(text)
    except NotationError as wrong:
        raise unread(name, text, wrong) from None
    entries = []
    for line in game.lines:
        if isinstance(line.entry, Claim):
            said = f"{line.entry.seat.name} holds {tiles_text(line.entry.tiles)}"
            entries.append(Entry(said, line.entry, line.number))
        else:
            entries.append(Entry(act_text(line.entry), write_act(line.entry), line.number))
    table = write_table(game.start) if game.table or game.house != NO_HOUSE else None
    return Game(name, tuple(entries), service_pb2.ReplayRequest(table=table))


def _json_start(name: str, data: dict[str, Any]) -> table_pb2.Table:
    if "acts" in data:
        game = message_of(name, data, service_pb2.ReplayRequest())
        return start(game, game.acts)
    for whole, question in (("act", service_pb2.JudgeRequest()), ("table", service_pb2.WhatNextRequest())):
        if whole in data:
            return message_of(name, data, question).table
    return message_of(name, data, table_pb2.Table())


def _json_game(name: str, text: str) -> Game:
    asked = message_of(name, data_of(name, text), service_pb2.ReplayRequest())
    acts = list(asked.acts)
    asked.ClearField("acts")
    return Game(name, tuple(map(Entry, act_words(acts), acts)), asked)
