"""What fuzzing begins with: the real games and the corpus, as text and as requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from google.protobuf import json_format

from charleston.conformance.asking import laid
from charleston.conformance.cases import load
from charleston.referee.v1 import service_pb2
from referee.codec import write_act, write_table
from referee.judge import judge
from referee.notation import parse_game
from referee.phrases import LANGUAGES
from referee.table import Table

GAMES = Path(__file__).parents[1] / "real" / "games"


def texts() -> Iterator[str]:
    """Yield games and acts as they are written."""
    for path in sorted(GAMES.glob("*.charleston")):
        yield path.read_text(encoding="utf-8")
    for case in load():
        if case.house:
            yield f"house {' '.join(case.house)}\n" + "\n".join(case.acts)
        yield from case.acts


def questions() -> Iterator[service_pb2.JudgeRequest]:
    """Yield the questions of the corpus, each case's first, and those of some of the real games."""
    for case in load():
        if case.question:
            yield json_format.Parse(case.question, service_pb2.JudgeRequest())
        else:
            yield service_pb2.JudgeRequest(table=laid(case), act=write_act(case.parsed[0]))
    for path in sorted(GAMES.glob("*.charleston"))[::10]:
        table = Table()
        for act in parse_game(path.read_text(encoding="utf-8")).acts:
            yield service_pb2.JudgeRequest(table=write_table(table), act=write_act(act))
            table = judge(table, act).table


def requests() -> Iterator[tuple[str, bytes]]:
    """Yield methods with requests: every question in the shape of each method, in turn in each language and way."""
    options = [
        service_pb2.AnswerOptions(language=language, views=views, trace=views, ruling_only=not views)
        for language in LANGUAGES
        for views in (False, True)
    ]
    every = list(questions())
    for number, asked in enumerate(every):
        option = options[number % len(options)]
        question = service_pb2.Question(question_id=str(number), table=asked.table, act=asked.act)
        yield "Judge", service_pb2.JudgeRequest(table=asked.table, act=asked.act).SerializeToString()
        yield "Judge", service_pb2.JudgeRequest(table=asked.table, act=asked.act, options=option).SerializeToString()
        yield "WhatNext", service_pb2.WhatNextRequest(table=asked.table, options=option).SerializeToString()
        yield "JudgeStream", service_pb2.JudgeStreamRequest(question=question, options=option).SerializeToString()
        yield "JudgeBatch", service_pb2.JudgeBatchRequest(questions=[question] * 2, options=option).SerializeToString()
        yield "Replay", service_pb2.ReplayRequest(table=asked.table, acts=[asked.act] * 2).SerializeToString()
        after = every[(number + 1) % len(every)].table
        transition = service_pb2.JudgeTransitionRequest(before=asked.table, after=after, options=option)
        yield "JudgeTransition", transition.SerializeToString()
    yield from (
        ("GetRulebook", service_pb2.GetRulebookRequest(language=each).SerializeToString()) for each in LANGUAGES
    )
