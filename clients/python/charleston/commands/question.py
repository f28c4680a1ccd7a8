"""Questions from files: notation or protobuf JSON, and everything that is wrong with one that cannot be read."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from charleston.errors import RefereeError
from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import Malformed, read_replay, write_act, write_table
from referee.notation import Claim, NotationError, act_text, parse_game, parse_table, tiles_text

M = TypeVar("M", bound=Message)
STDIN = "-"
_ACT = re.compile(r"acts\[(\d+)\]\.?(.*)")


class WrongQuestion(Exception):
    """A question that cannot be put to a referee, with a sentence for each thing that is wrong with it."""

    def __init__(self, *sentences: str) -> None:
        """Keep the sentences."""
        super().__init__(*sentences)
        self.sentences = sentences


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


def read_game(path: str) -> Game:
    """Read a game: notation, or a ReplayRequest as protobuf JSON."""
    name, text = _text(path)
    game = _json_game(name, text) if _is_json(path, text) else _written_game(name, text)
    if not game.acts:
        raise WrongQuestion(f"{name}: there is no act in it")
    return game


def read_table(path: str) -> service_pb2.WhatNextRequest:
    """Read a table: notation, or a Table or WhatNextRequest as protobuf JSON."""
    name, text = _text(path)
    if not _is_json(path, text):
        try:
            return service_pb2.WhatNextRequest(table=write_table(parse_table(text)))
        except NotationError as wrong:
            raise _unread(name, wrong) from None
    data = _data(name, text)
    if {"table", "options"} & data.keys():
        return _message(name, data, service_pb2.WhatNextRequest())
    return service_pb2.WhatNextRequest(table=_message(name, data, table_pb2.Table()))


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


def _text(path: str) -> tuple[str, str]:
    name = "standard input" if path == STDIN else path
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
        return name, data.decode("utf-8-sig")
    except OSError as why:
        raise WrongQuestion(f"{name}: {why.strerror}") from None
    except UnicodeDecodeError as why:
        raise WrongQuestion(f"{name}: this is no text: byte {why.start} is not UTF-8") from None


def _is_json(path: str, text: str) -> bool:
    return path.endswith(".json") or text.lstrip().startswith("{")


def _written_game(name: str, text: str) -> Game:
    try:
        game = parse_game(text)
    except NotationError as wrong:
        raise _unread(name, wrong) from None
    entries = []
    for line in game.lines:
        if isinstance(line.entry, Claim):
            said = f"{line.entry.seat.name} holds {tiles_text(line.entry.tiles)}"
            entries.append(Entry(said, line.entry, line.number))
        else:
            entries.append(Entry(act_text(line.entry), write_act(line.entry), line.number))
    table = write_table(game.table) if game.table else None
    return Game(name, tuple(entries), service_pb2.ReplayRequest(table=table))


def _json_game(name: str, text: str) -> Game:
    asked = _message(name, _data(name, text), service_pb2.ReplayRequest())
    acts = list(asked.acts)
    asked.ClearField("acts")
    return Game(name, tuple(map(Entry, act_words(acts), acts)), asked)


def _unread(name: str, wrong: NotationError) -> WrongQuestion:
    return WrongQuestion(*(f"{name}:{line}:{column}: {what}" for line, column, what in wrong.problems))


def _data(name: str, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as why:
        raise WrongQuestion(f"{name}:{why.lineno}:{why.colno}: {why.msg}") from None
    except (ValueError, RecursionError):
        raise WrongQuestion(f"{name}: this JSON is too long or too deep to be read") from None
    if not isinstance(data, dict):
        raise WrongQuestion(f"{name}: expected one JSON object")
    return data


def _message(name: str, data: dict[str, Any], message: M) -> M:
    try:
        return json_format.ParseDict(data, message)
    except json_format.ParseError as why:
        # The rest of its lines lists every field that there is.
        raise WrongQuestion(f"{name}: {str(why).splitlines()[0]}") from None
