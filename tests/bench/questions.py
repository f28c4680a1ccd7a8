"""What is asked: tables of the real games with every kind of act, and the answers that the referee gives in process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from charleston.referee.v1 import service_pb2
from referee.acts import Act, Count, Deal, Look, Offer, Pass, Play, Stop
from referee.codec import write_act, write_table
from referee.judge import judge
from referee.notation import Game, parse_game
from referee.ruling import Verdict
from referee.service import referee
from referee.stages import Stage
from referee.table import Table

GAMES = Path(__file__).parents[1] / "real" / "games"
FULL = service_pb2.AnswerOptions()
RULING_ONLY = service_pb2.AnswerOptions(ruling_only=True)
VIEWS = service_pb2.AnswerOptions(views=True)
BATCH = 1000
"""Questions in a batch, and messages on a stream."""


class Question(NamedTuple):
    """An act as it met a table of a real game, and how it was ruled."""

    table: Table
    act: Act
    verdict: Verdict


class Asked(NamedTuple):
    """A call as it is measured: what it carries, what comes back, and how much work that is."""

    name: str
    messages: tuple[bytes, ...]
    answers: tuple[bytes, ...]
    work: int
    """Judgements, messages or acts in one call."""


# The mix: each kind of act, passes more often than the rest, as at a table; a few are refused, as at a table.
KINDS: Mapping[str, Callable[[Question], bool]] = {
    "deal": lambda q: isinstance(q.act, Deal) and q.verdict is Verdict.LEGAL,
    "pass right": lambda q: isinstance(q.act, Pass) and _lawful(q, Stage.FIRST_RIGHT),
    "pass across": lambda q: isinstance(q.act, Pass) and _lawful(q, Stage.SECOND_ACROSS),
    "pass blind": lambda q: isinstance(q.act, Pass) and q.act.blind > 0 and _lawful(q, Stage.FIRST_LEFT),
    "pass courtesy": lambda q: isinstance(q.act, Pass) and _lawful(q, Stage.COURTESY),
    "pass refused": lambda q: isinstance(q.act, Pass) and q.verdict is Verdict.ILLEGAL,
    "pass a Joker": lambda q: isinstance(q.act, Pass) and q.verdict is Verdict.JOKER_RETURN,
    "look": lambda q: isinstance(q.act, Look) and q.act.seat is not None and q.verdict is Verdict.LEGAL,
    "everyone looks": lambda q: isinstance(q.act, Look) and q.act.seat is None and q.verdict is Verdict.LEGAL,
    "stop": lambda q: isinstance(q.act, Stop),
    "offer": lambda q: isinstance(q.act, Offer) and q.verdict is Verdict.LEGAL,
    "count": lambda q: isinstance(q.act, Count),
    "discard": lambda q: isinstance(q.act, Play) and q.verdict is Verdict.LEGAL,
}


def _lawful(question: Question, stage: Stage) -> bool:
    return question.verdict is Verdict.LEGAL and question.table.stage is stage


@cache
def games() -> tuple[Game, ...]:
    """Return the real games, in the order of their files."""
    return tuple(parse_game(path.read_text(encoding="utf-8")) for path in sorted(GAMES.glob("*.charleston")))


@cache
def questions() -> tuple[Question, ...]:
    """Return every act of the real games with the table it met, each game up to the act that ends it."""
    return tuple(question for game in games() for question in _played(game))


@cache
def whole_games() -> tuple[Game, ...]:
    """Return the real games that go from the deal to East's discard."""
    return tuple(game for game in games() if _end(game) is Stage.PLAY)


def _played(game: Game) -> Iterator[Question]:
    table = game.start
    for act in game.acts:
        ruling, after = judge(table, act)
        yield Question(table, act, Verdict(ruling.verdict))
        if ruling.verdict in (Verdict.ILLEGAL, Verdict.MISDEAL):
            return
        table = after


def _end(game: Game) -> Stage:
    *_, (table, act, _) = _played(game)
    return judge(table, act).table.stage


def unary(options: service_pb2.AnswerOptions) -> list[Asked]:
    """Return calls of Judge, one of each kind: the middle one of those that the games have."""
    calls = []
    for kind, belongs in KINDS.items():
        found = [question for question in questions() if belongs(question)]
        calls.append(judge_call(kind, found[len(found) // 2], options))
    return calls


def judge_call(name: str, asked: Question, options: service_pb2.AnswerOptions) -> Asked:
    """Return one question as a call of Judge."""
    request = service_pb2.JudgeRequest(table=write_table(asked.table), act=write_act(asked.act), options=options)
    return _asked("Judge", name, [request.SerializeToString()], 1)


def batch(options: service_pb2.AnswerOptions) -> Asked:
    """Return a call of JudgeBatch with a thousand questions from all over the games."""
    request = service_pb2.JudgeBatchRequest(questions=_thousand(), options=options)
    return _asked("JudgeBatch", "batch", [request.SerializeToString()], BATCH)


def stream() -> Asked:
    """Return a call of JudgeStream with a thousand questions from all over the games."""
    requests = [service_pb2.JudgeStreamRequest(question=question) for question in _thousand()]
    return _asked("JudgeStream", "stream", [request.SerializeToString() for request in requests], BATCH)


def replay(game: Game) -> Asked:
    """Return a game as a call of Replay; its work is the acts that are judged."""
    request = service_pb2.ReplayRequest(table=write_table(game.start), acts=map(write_act, game.acts))
    asked = _asked("Replay", "replay", [request.SerializeToString()], 0)
    return asked._replace(work=len(service_pb2.ReplayResponse.FromString(asked.answers[0]).rulings))


def _thousand() -> list[service_pb2.Question]:
    every = questions()
    chosen = [every[index * len(every) // BATCH] for index in range(BATCH)]
    return [
        service_pb2.Question(question_id=str(number), table=write_table(q.table), act=write_act(q.act))
        for number, q in enumerate(chosen, start=1)
    ]


def _asked(method: str, name: str, messages: Sequence[bytes], work: int) -> Asked:
    answer = referee()[method]
    return Asked(name, tuple(messages), tuple(answer(message, "").body for message in messages), work)


def framed(messages: Sequence[bytes]) -> bytes:
    """Return messages as gRPC puts them on the wire: each after a zero byte and its length in four."""
    return b"".join(b"\0" + len(message).to_bytes(4, "big") + message for message in messages)
