"""A hand call by call, as a game server plays it: `quickstart.py 127.0.0.1:50051`, with a referee that serves there.

The referee remembers nothing, so the table is kept here. Acts that come in at once are judged one after another, and
an act that cannot be judged now is held until it can: the hand never goes on without a ruling.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from grpc import StatusCode

from charleston import Referee, RefereeClient, RefereeError
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2

Q = TypeVar("Q")
A = TypeVar("A")
# With these codes nobody has answered; with any other the question itself is wrong, and asking again is no use.
AWAY = {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED, StatusCode.CANCELLED}
SEATS = ("east", "south", "west", "north")


class Store:
    """Where a game keeps its tables, as bytes: a row of a database, a key of a cache."""

    def __init__(self) -> None:
        """Begin with no table."""
        self._tables: dict[str, bytes] = {}
        self._lock = Lock()

    def load(self, hand: str) -> bytes:
        """Return the table of a hand; none stored is an undealt one."""
        return self._tables.get(hand, b"")

    def swap(self, hand: str, old: bytes, new: bytes) -> bool:
        """Store a table if the stored one is still the old one, as one step; tell whether it was."""
        with self._lock:
            if self.load(hand) != old:
                return False
            self._tables[hand] = new
            return True


def play(referee: Referee, store: Store, hand: str, act: table_pb2.Act) -> service_pb2.JudgeResponse:
    """Have an act judged on the table as it is stored, store the table after it, and return the answer.

    The act names the stage that its player saw. If it comes twice, the second is refused and nothing happens twice.
    """
    while True:
        stored = store.load(hand)
        question = service_pb2.JudgeRequest(act=act)
        if stored:
            question.table.ParseFromString(stored)
        answer = held(referee.judge, question)
        if answer.ruling.verdict == ruling_pb2.VERDICT_ILLEGAL:
            return answer  # "no" is an answer, and the table stays as it is
        if store.swap(hand, stored, answer.standing.table.SerializeToString()):
            return answer
        # Somebody else acted in the meantime: judge the act again, on the table as it is now.


def held(ask: Callable[[Q], A], question: Q) -> A:
    """Hold a question until a referee answers it: the same question, as often as it takes."""
    while True:
        try:
            return ask(question)
        except RefereeError as error:
            if error.code not in AWAY:
                raise
        pause()


def pause() -> None:
    """Wait a little before a referee that is away is asked again."""
    time.sleep(0.2)


def deal(seed: int) -> table_pb2.Act:
    """Shuffle the set of 152 tiles; deal fourteen to East and thirteen to everybody else."""
    faces = set(table_pb2.Tile.values()) - {table_pb2.TILE_UNSPECIFIED, table_pb2.TILE_HIDDEN}
    tiles = [tile for tile in sorted(faces) for _ in range(copies(tile))]
    random.Random(seed).shuffle(tiles)
    act = table_pb2.Act(stage=table_pb2.STAGE_UNDEALT)
    for seat in SEATS:
        getattr(act.deal, seat).tiles.extend(tiles.pop() for _ in range(14 if seat == "east" else 13))
    return act


def copies(tile: int) -> int:
    """Return how many of a face the set has."""
    return 8 if tile in (table_pb2.TILE_FLOWER, table_pb2.TILE_JOKER) else 4


def show(act: table_pb2.Act, answer: service_pb2.JudgeResponse) -> None:
    """Print an act and its ruling."""
    stage, verdict = table_pb2.Stage.Name(act.stage), ruling_pb2.Verdict.Name(answer.ruling.verdict)
    seat = table_pb2.Seat.Name(act.seat).removeprefix("SEAT_") if act.seat else "everyone"
    what = f"{stage.removeprefix('STAGE_')}: {seat} {act.WhichOneof('kind')}"
    print(f"{what:<36} {verdict.removeprefix('VERDICT_')}")


def main(address: str) -> None:
    """Deal a hand, and play it to East's discard as the referee would play it for four players who are away."""
    store = Store()
    with RefereeClient(address) as referee, ThreadPoolExecutor(4) as players:

        def act(made: table_pb2.Act) -> service_pb2.JudgeResponse:
            return play(referee, store, "hand 1", made)

        def at_once(acts: Iterable[table_pb2.Act]) -> None:
            made = list(acts)
            for each, answer in zip(made, players.map(act, made), strict=True):
                show(each, answer)

        at_once([deal(seed=1)])
        stopping = table_pb2.Act(seat=table_pb2.SEAT_WEST, stage=table_pb2.STAGE_FIRST_RIGHT, stop=table_pb2.Stop())
        refused = act(stopping)
        show(stopping, refused)
        print(f"  {refused.ruling.broken[0].rule}: {refused.ruling.broken[0].message}")
        while True:
            table = table_pb2.Table.FromString(store.load("hand 1"))
            stands = held(referee.what_next, service_pb2.WhatNextRequest(table=table))
            if not stands.standing.next.waiting_for:
                break
            at_once(seat.example for seat in stands.standing.next.seats if seat.HasField("example"))
        print(stands.ruling.message)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
