"""The same question gets the same bytes, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from google.protobuf import json_format

from charleston.conformance.asking import laid
from charleston.conformance.cases import load
from charleston.referee.v1 import service_pb2
from referee.codec import write_act
from referee.notation import parse_game
from referee.service import Refused, referee
from tests.laws.answers import digests, given
from tests.test_real_games import GAMES

SEEDS = ("0", "1", "20261129")
GAMES_ASKED = 20


def questions() -> list[tuple[str, bytes]]:
    """Return a method and a request for every case of the corpus, and for some real games."""
    options = service_pb2.AnswerOptions(trace=True)
    asked = [("GetRulebook", b"")]
    for case in load():
        if case.question:
            question = json_format.Parse(case.question, service_pb2.JudgeRequest())
            asked.append(("Judge", question.SerializeToString()))
        else:
            table, acts = laid(case), [write_act(act) for act in case.parsed]
            replay = service_pb2.ReplayRequest(table=table, acts=acts, skip_illegal=True, options=options)
            asked.append(("Replay", replay.SerializeToString()))
            asked.append(("WhatNext", service_pb2.WhatNextRequest(table=table).SerializeToString()))
    for path in sorted(GAMES.glob("*.charleston"))[:GAMES_ASKED]:
        acts = [write_act(act) for act in parse_game(path.read_text()).acts]
        asked.append(("Replay", service_pb2.ReplayRequest(acts=acts, options=options).SerializeToString()))
    return asked


def answers(asked: Iterable[tuple[str, bytes]]) -> list[str]:
    """Return what the referee answers to each question, as hexadecimal."""
    methods = referee(key=b"0" * 32)
    answered = []
    for method, request in asked:
        try:
            answered.append(methods[method](request, "").body.hex())
        except Refused as refused:
            answered.append(f"{refused.code} {refused.message} {refused.details.hex()}")
    return answered


def test_the_same_question_gets_the_same_bytes_in_every_process() -> None:
    """Processes that hash differently give the same bytes for every case of the corpus and for real games."""
    command = [
        sys.executable,
        "-c",
        f"from {__name__} import answers, questions; print(*answers(questions()), sep='\\n')",
    ]
    said = [
        subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for seed in SEEDS
    ]

    assert answers(questions()) == said[0]
    assert [said[0]] * len(SEEDS) == said


def test_answers_are_what_they_were() -> None:
    """The answers to the corpus and to real games are, byte for byte, those that protobuf once wrote."""
    once, now = given(), digests()
    known = once.keys() & now.keys()

    assert len(known) > 2000
    assert {asked: once[asked] for asked in known} == {asked: now[asked] for asked in known}


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    """Asked in the opposite order, every question gets the same bytes."""
    asked = questions()

    assert answers(asked) == answers(reversed(asked))[::-1]
