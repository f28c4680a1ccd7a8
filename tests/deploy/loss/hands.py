"""Real hands as questions, each with the one right answer, worked out by the core in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.notation import Game, parse_game
from referee.service import Refused, referee

GAMES = Path(__file__).parents[2] / "real" / "games"


class Turn(NamedTuple):
    """One act of a hand: the question on the table as it stands then, and the answer."""

    question: service_pb2.JudgeRequest
    answer: service_pb2.JudgeResponse


Hand = tuple[Turn, ...]


def hands(rulebook: int = 1) -> list[Hand]:
    """Return the hands of all real games, dealt under a version of the rulebook.

    A version that the core does not know has the articles of the newest that it knows, under another number.
    """
    return [tuple(_turns(parse_game(path.read_text()), rulebook)) for path in sorted(GAMES.glob("*.charleston"))]


def _turns(game: Game, rulebook: int) -> Iterator[Turn]:
    judge = referee()["Judge"]
    table = write_table(game.start)
    for act in game.acts:
        question = service_pb2.JudgeRequest(table=table, act=write_act(act))
        try:
            answer = service_pb2.JudgeResponse.FromString(judge(question.SerializeToString(), "").body)
        except Refused:
            return  # it describes no act that can be put to a referee
        table = table_pb2.Table.FromString(answer.standing.table.SerializeToString())
        question.table.rulebook = answer.standing.table.rulebook = rulebook
        yield Turn(question, answer)
