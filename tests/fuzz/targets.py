"""What must hold of any input: each target takes bytes and raises AssertionError, or anything, where it does not.

What a target found once is kept under `kept/`, and tried again by every run of the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from charleston.referee.v1 import service_pb2
from referee.codec import (
    Malformed,
    NotServed,
    judge_asked,
    options_of,
    parsed,
    read_question,
    read_replay,
    replay_asked,
    what_next_asked,
)
from referee.notation import NotationError, formatted, game_text, parse_act, parse_game, parse_house, parse_table
from tests.fuzz import seeds
from tests.laws.scribbling import Scribbler
from tests.laws.test_any_bytes import REQUESTS, ask, look_at

Read = Callable[[bytes], object]

NAMES = sorted(REQUESTS)
"""The methods; the first byte of an input says which."""


def notation(data: bytes) -> None:
    """Read bytes as text in every way: they are read, or refused with a place; what is read is printed and read again.

    A game is printed as it reads, and formatting what is formatted changes nothing.
    """
    text = data.decode("utf-8", "replace")
    for read in (parse_act, parse_table, parse_house):
        try:
            read(text)
        except NotationError as wrong:
            assert wrong.problems
            assert all(problem.line >= 1 and problem.column >= 1 for problem in wrong.problems)
    try:
        game = parse_game(text)
    except NotationError as wrong:
        assert wrong.problems
        return
    printed = game_text(game)
    again = parse_game(printed)
    assert game.acts == again.acts
    assert game.start == again.start
    assert printed == game_text(again)
    once = formatted(text)
    assert once == formatted(once)


def service(data: bytes) -> None:
    """Put bytes to a method, as it gets them: it answers whole, or refuses with a known code and names no tile."""
    if data:
        method = NAMES[data[0] % len(NAMES)]
        if reply := ask(method, data[1:]):
            look_at(method, reply)


def reading(data: bytes) -> None:
    """Read a request the short way and the long way: the same is read, or the same is said to be wrong."""
    if data and (ways := WAYS.get(NAMES[data[0] % len(NAMES)])):
        short, long = ways
        assert _came_of(long, data[1:]) == _came_of(short, data[1:])


def _came_of(read: Read, body: bytes) -> object:
    try:
        return read(body)
    except Malformed as wrong:
        return wrong.violations
    except NotServed as wrong:
        return wrong.rulebook


def _judge(body: bytes) -> object:
    request = parsed(service_pb2.JudgeRequest, body)
    return *read_question(request), options_of(request.options)


def _what_next(body: bytes) -> object:
    request = parsed(service_pb2.WhatNextRequest, body)
    return *read_question(request), options_of(request.options)


def _replay(body: bytes) -> object:
    request = parsed(service_pb2.ReplayRequest, body)
    return *read_replay(request), request.skip_illegal, options_of(request.options)


# The short way falls back on the long one where it declines, so that what it reads itself is what is compared.
WAYS: dict[str, tuple[Read, Read]] = {
    "Judge": (judge_asked, _judge),
    "WhatNext": (what_next_asked, _what_next),
    "Replay": (partial(replay_asked, most=2**31), _replay),
}
TARGETS: dict[str, Callable[[bytes], None]] = {"notation": notation, "reading": reading, "service": service}


def begin(target: str) -> Iterator[bytes]:
    """Yield what a target begins with."""
    if target == "notation":
        yield from (text.encode() for text in seeds.texts())
    else:
        yield from (bytes([NAMES.index(method)]) + body for method, body in seeds.requests())


def scribbled(data: bytes, seed: int) -> bytes | None:
    """Return a request with something in it changed that the wire can carry; None where it is no request."""
    name = NAMES[data[0] % len(NAMES)] if data else ""
    message = REQUESTS[name]() if name else None
    if message is None or Random(seed).random() < 0.3:
        return None
    try:
        message.ParseFromString(data[1:])
    except Exception:
        return None
    Scribbler(seed).scribble(message)
    return data[:1] + message.SerializeToString()
