"""What bytes to bytes costs: microseconds of CPU for each judgement, over every act of the real games.

`python -m tests.bench.wire` prints a line for each way to ask; `python -m tests.bench.wire full` profiles one of them.
There is no server and no socket: these are the functions that a server calls, on one core, warm.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from charleston.referee.v1 import service_pb2
from referee.codec import write_act
from referee.notation import parse_game
from referee.service import referee

GAMES = Path(__file__).parents[1] / "real" / "games"
BATCH = 1000
ROUNDS = 7

FULL = service_pb2.AnswerOptions()
VIEWS = service_pb2.AnswerOptions(views=True)
RULING = service_pb2.AnswerOptions(ruling_only=True)


def replays() -> list[service_pb2.ReplayRequest]:
    """Return every real game as one question."""
    games = (parse_game(path.read_text()) for path in sorted(GAMES.glob("*.charleston")))
    return [service_pb2.ReplayRequest(acts=map(write_act, game.acts), skip_illegal=True) for game in games]


def questions(games: list[service_pb2.ReplayRequest]) -> Iterator[service_pb2.Question]:
    """Yield every act of the games as a question at the table that it met."""
    judge = referee()["Judge"]
    for game in games:
        question = service_pb2.JudgeRequest()
        for act in game.acts:
            question.act.CopyFrom(act)
            yield service_pb2.Question(table=question.table if question.HasField("table") else None, act=act)
            answer = service_pb2.JudgeResponse.FromString(judge(question.SerializeToString(), "").body)
            question.table.CopyFrom(answer.standing.table)


def ways() -> dict[str, tuple[int, Callable[[], object]]]:
    """Return the ways to ask by name, each with how many judgements it makes."""
    methods = referee()
    games = replays()
    asked = list(questions(games))

    def judged(options: service_pb2.AnswerOptions) -> tuple[int, Callable[[], object]]:
        requests = [
            service_pb2.JudgeRequest(
                table=each.table if each.HasField("table") else None,
                act=each.act,
                options=options if options.ByteSize() else None,
            ).SerializeToString()
            for each in asked
        ]
        return len(requests), partial(_ask, methods["Judge"], requests)

    def batches(options: service_pb2.AnswerOptions) -> tuple[int, Callable[[], object]]:
        several = [asked[first : first + BATCH] for first in range(0, len(asked) - BATCH + 1, BATCH)]
        requests = [
            service_pb2.JudgeBatchRequest(questions=some, options=options).SerializeToString() for some in several
        ]
        return len(requests) * BATCH, partial(_ask, methods["JudgeBatch"], requests)

    streamed = [service_pb2.JudgeStreamRequest(question=each).SerializeToString() for each in asked]
    played = [game.SerializeToString() for game in games]
    return {
        "full": judged(FULL),
        "ruling": judged(RULING),
        "views": judged(VIEWS),
        "batch": batches(RULING),
        "batch-full": batches(FULL),
        "stream": (len(streamed), partial(_ask, methods["JudgeStream"], streamed)),
        "replay": (sum(len(game.acts) for game in games), partial(_ask, methods["Replay"], played)),
    }


def _ask(method: Callable[[bytes, str], object], requests: list[bytes]) -> None:
    for request in requests:
        method(request, "")


def main(names: list[str]) -> None:
    """Profile the ways that are named, or time them all, interleaved, and print the median of the rounds."""
    chosen = ways()
    for name in names:
        with cProfile.Profile() as profile:
            chosen[name][1]()
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    if names:
        return
    seconds: dict[str, list[float]] = {name: [] for name in chosen}
    for _ in range(ROUNDS):
        for name, (number, ask) in chosen.items():
            began = process_time()
            ask()
            seconds[name].append((process_time() - began) / number)
    for name, each in seconds.items():
        low, middle, high = (round(value * 1e6, 1) for value in (min(each), median(each), max(each)))
        print(f"{name:12} {middle:7} µs  [{low}..{high}]")


if __name__ == "__main__":
    main(sys.argv[1:])
