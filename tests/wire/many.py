"""A thousand questions of which every seventh is malformed, for a batch and for a stream."""

from __future__ import annotations

from collections.abc import Sequence

from charleston.referee.v1 import service_pb2
from tests.wire.asking import ILLEGAL, LEGAL, MALFORMED


def question(id: str, asked: service_pb2.JudgeRequest) -> service_pb2.Question:
    """Put a question of Judge under an id."""
    table, act = (getattr(asked, name) if asked.HasField(name) else None for name in ("table", "act"))
    return service_pb2.Question(question_id=id, table=table, act=act)


QUESTIONS = [
    question(f"q{number}", MALFORMED if number % 7 == 0 else (LEGAL, ILLEGAL)[number % 2]) for number in range(1, 1001)
]


def outcomes(questions: Sequence[service_pb2.Question]) -> list[tuple[str, str]]:
    """Return the ids of the questions, and for each whether it is judged or an error."""
    return [(each.question_id, "error" if int(each.question_id[1:]) % 7 == 0 else "judged") for each in questions]
