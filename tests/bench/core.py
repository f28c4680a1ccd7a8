"""How fast the core is, in process and on one core: `python -m tests.bench.core [--profile]`.

Processor time is measured, not the clock on the wall, and the best of five rounds counts: others on the machine disturb
little. python-chess stands beside it where it is installed.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from referee.acts import Act
from referee.judge import judge
from referee.next import what_next
from referee.notation import Game, parse_game
from referee.ruling import Verdict
from referee.stages import IN_HAND, Stage
from referee.table import Table
from referee.unreachable import act_faults, table_faults

GAMES = Path(__file__).parents[1] / "real" / "games"
ROUNDS = 5
SECONDS = 0.4
OPERA = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 "
    "Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
)


def games() -> list[Game]:
    """Read the real games."""
    return [parse_game(path.read_text(encoding="utf-8")) for path in sorted(GAMES.glob("*.charleston"))]


def played(game: Game) -> tuple[list[tuple[Table, Act]], Table]:
    """Replay a game up to the act that ends it; return each act with the table it meets, and the last table."""
    table, questions = game.start, []
    for act in game.acts:
        questions.append((table, act))
        ruling, table = judge(table, act)
        if ruling.verdict in (Verdict.ILLEGAL, Verdict.MISDEAL):
            break
    return questions, table


def whole(questions: list[tuple[Table, Act]], end: Table) -> list[Act]:
    """Return the acts of a game that was played lawfully to its end, with East's discard; none of another."""
    acts = [act for _, act in questions]
    if end.stage is Stage.OPENING:
        acts += [entry.example for entry in what_next(end).seats if entry.example]
    return acts if end.stage in (Stage.OPENING, Stage.PLAY) else []


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that some work takes, at best."""
    work()
    best = float("inf")
    for _ in range(ROUNDS):
        times, began = 0, time.process_time()
        while (took := time.process_time() - began) < SECONDS:
            work()
            times += 1
        best = min(best, took / times)
    return best


def measured() -> dict[str, float]:
    """Measure the core on the real games: rates a second, and microseconds for one."""
    replays = [played(game) for game in games()]
    questions = [question for asked, _ in replays for question in asked]
    wholes = [acts for asked, end in replays if (acts := whole(asked, end))]
    tables = [table for table, _ in questions if table.stage in IN_HAND]

    def judge_all() -> None:
        for table, act in questions:
            judge(table, act)

    def play_wholes() -> None:
        for acts in wholes:
            table = Table()
            for act in acts:
                _, table = judge(table, act)

    def open_all() -> None:
        for table in tables:
            what_next(table)

    def check_all() -> None:
        for table in tables:
            for fault in table_faults(table):
                raise AssertionError(fault)

    def fit_all() -> None:
        for table, act in questions:
            for fault in act_faults(table, act):
                raise AssertionError(fault)

    return {
        "judge and follow, acts/s": len(questions) / seconds(judge_all),
        "whole games, deal to discard, games/s": len(wholes) / seconds(play_wholes),
        "acts in a whole game": sum(map(len, wholes)) / len(wholes),
        "what_next, us a table": seconds(open_all) / len(tables) * 1e6,
        "table_faults, us a table": seconds(check_all) / len(tables) * 1e6,
        "act_faults, us an act": seconds(fit_all) / len(questions) * 1e6,
    }


def chess_moves() -> float:
    """Return how many moves a second python-chess finds legal and makes; 0 where it is not installed."""
    try:
        chess = import_module("chess")
    except ImportError:
        return 0
    board = chess.Board()
    moves = [board.push_san(move) for move in OPERA.split()]

    def play() -> None:
        board = chess.Board()
        for move in moves:
            if not board.is_legal(move):
                raise AssertionError(move)
            board.push(move)

    return len(moves) / seconds(play)


def main() -> None:
    """Print what was measured, or with --profile where the time of judging goes."""
    parser = argparse.ArgumentParser(description="how fast the core is, on one core")
    parser.add_argument("--profile", action="store_true", help="print where the time of judging whole games goes")
    if parser.parse_args().profile:
        replays = [played(game) for game in games()]
        with cProfile.Profile() as profile:
            for _ in range(20):
                for questions, _ in replays:
                    for table, act in questions:
                        judge(table, act)
        pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(25)
        return
    found = measured()
    for name, value in found.items():
        print(f"{value:12,.1f}  {name}")
    if moves := chess_moves():
        print(f"{moves:12,.1f}  python-chess, is_legal and push, moves/s")
        print(f"{found['judge and follow, acts/s'] / moves:12.2f}  acts judged for each move of python-chess")


if __name__ == "__main__":
    main()
