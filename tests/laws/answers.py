"""Answers as they were once given, byte for byte: a digest for each of many questions.

The questions are those of the corpus and of real games. `answers.txt` has a line for each: a digest of its method and
bytes, and one of the bytes of its answer. It was first written when protobuf wrote every answer. After a change that
means to change answers, such as of a sentence, `python -m tests.laws.answers` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from charleston.conformance.asking import laid
from charleston.conformance.cases import load
from charleston.referee.v1 import service_pb2
from referee.codec import write_act
from referee.notation import parse_game
from referee.service import Refused, referee

FILE = Path(__file__).with_suffix(".txt")
GAMES = Path(__file__).parents[1] / "real" / "games"
EVERY = 9
"""Of the acts of a real game every so many is also a question of Judge."""
OPTIONS = (
    service_pb2.AnswerOptions(trace=True, views=True),
    service_pb2.AnswerOptions(language="fr"),
    service_pb2.AnswerOptions(language="nl", ruling_only=True),
    None,
)

Asked = tuple[str, bytes]


def questions() -> Iterator[Asked]:
    """Yield a method and a request for every case of the corpus and every real game, in different languages."""
    for case in load():
        if case.question:
            question = json_format.Parse(case.question, service_pb2.JudgeRequest())
            yield "Judge", question.SerializeToString()
            continue
        acts = [write_act(act) for act in case.parsed]
        table = laid(case)
        for options in OPTIONS[:3]:
            yield "WhatNext", service_pb2.WhatNextRequest(table=table, options=options).SerializeToString()
            replay = service_pb2.ReplayRequest(table=table, acts=acts, skip_illegal=True, options=options)
            yield "Replay", replay.SerializeToString()
        for options in OPTIONS[:3]:
            yield from list(_acts(table, acts, options))[-1:]
    for turn, path in enumerate(sorted(GAMES.glob("*.charleston")), 1):
        acts = [write_act(act) for act in parse_game(path.read_text()).acts]
        said = OPTIONS[turn % 4]
        yield "Replay", service_pb2.ReplayRequest(acts=acts, skip_illegal=True, options=said).SerializeToString()
        yield from list(_acts(None, acts, said))[turn % EVERY :: EVERY]


def _acts(table: Any, acts: list[Any], options: service_pb2.AnswerOptions | None) -> Iterator[Asked]:
    """Yield each act as a question of Judge at the table that it meets, up to the first that is malformed there."""
    judge = referee()["Judge"]
    for act in acts:
        yield "Judge", service_pb2.JudgeRequest(table=table, act=act, options=options).SerializeToString()
        try:
            reply = judge(service_pb2.JudgeRequest(table=table, act=act).SerializeToString(), "")
        except Refused:
            return
        table = service_pb2.JudgeResponse.FromString(reply.body).standing.table


def digests() -> dict[str, str]:
    """Return the digest of each answer by the digest of its question."""
    methods = referee(key=b"0" * 32)
    told = {}
    for method, request in questions():
        try:
            answer = methods[method](request, "").body
        except Refused as refused:
            answer = f"{refused.code} {refused.message} ".encode() + refused.details
        told[_digest(method.encode() + b" " + request)] = _digest(answer)
    return told


def given() -> dict[str, str]:
    """Return what the file has."""
    return dict(line.split() for line in FILE.read_text().splitlines())


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


if __name__ == "__main__":
    FILE.write_text("".join(f"{asked} {told}\n" for asked, told in sorted(digests().items())))
