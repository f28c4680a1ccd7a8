"""In process: the referee's core beside python-chess, each playing whole games on one core.

Processor time is what counts here, so that others on the machine disturb little.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import chess

from referee.judge import judge
from referee.notation import parse_game
from tests.bench.questions import GAMES, whole_games

# Three games that everybody knows: the Opera Game, the Immortal Game, and Kasparov's immortal.
CHESS = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 "
    "Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
    "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 "
    "Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#",
    "e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O Qe7 Kb1 a6 Nc1 O-O-O Nb3 exd4 "
    "Rxd4 c5 Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4+ Ka7 Rhe1 d4 Nd5 Nbxd5 exd5 Qd6 Rxd4 cxd4 Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 "
    "Qc3 Qxd5 Ra7 Bb7 Rxb7 Qc4 Qxf6 Kxa3 Qxa6+ Kxb4 c3+ Kxc3 Qa1+ Kd2 Qb2+ Kd1 Bf1 Rd2 Rd7 Rxd7 Bxc4 bxc4 Qxh8 Rd3 "
    "Qa8 c3 Qa4+ Ke1 f4 f5 Kc1 Rd2 Qa7",
)


def judged(seconds: float) -> dict[str, float]:
    """Judge whole real games for so long; return games and acts per second."""
    games = [(game.start, game.acts) for game in whole_games()]

    def play() -> None:
        for table, acts in games:
            for act in acts:
                _, table = judge(table, act)

    rate = _rate(play, seconds)
    return {"games": rate * len(games), "acts": rate * sum(len(acts) for _, acts in games)}


def moved(seconds: float) -> dict[str, float]:
    """Ask python-chess of each move whether it is legal, and make it, for so long; return moves per second."""
    games = []
    for text in CHESS:
        board = chess.Board()
        games.append([board.push_san(move) for move in text.split()])

    def play() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                assert board.is_legal(move)
                board.push(move)

    return {"moves": _rate(play, seconds) * sum(map(len, games))}


def archived(seconds: float) -> dict[str, float]:
    """Read whole real games from their text and judge them, for so long; return games per second."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*.charleston"))]

    def check() -> None:
        for text in texts:
            game = parse_game(text)
            table = game.start
            for act in game.acts:
                _, table = judge(table, act)

    return {"archived": _rate(check, seconds) * len(texts)}


def _rate(play: Callable[[], None], seconds: float) -> float:
    """Return how often something was done per second of processor time."""
    play()
    times, began = 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        play()
        times += 1
    return times / took
