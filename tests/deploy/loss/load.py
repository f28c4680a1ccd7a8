"""Players who have their hands judged, act after act at a steady pace, and what came of each question."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import NamedTuple

import grpc

from charleston import RefereeError
from charleston.referee.v1 import service_pb2
from tests.deploy.loss.hands import Hand

Ask = Callable[[service_pb2.JudgeRequest], service_pb2.JudgeResponse]
# Far longer than any of it takes on a loaded machine: whoever waits as long has found a fault.
SOON = 120.0
PLAYERS = 8


class Asked(NamedTuple):
    """One question: when it was asked (seconds since 1970), how long it took, and why it has no right answer."""

    at: float
    seconds: float
    lost: str = ""
    wrong: bool = False


class Load(ABC):
    """Something that asks until it is stopped."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self._asked: list[Asked] = []
        self._told = Condition()

    @abstractmethod
    def deal(self, hands: Sequence[Hand]) -> None:
        """From now on begin these hands; those that are being played are played to their end."""

    @abstractmethod
    def stop(self) -> list[Asked]:
        """Finish what is open, and return all that was asked."""

    def more(self, questions: int) -> None:
        """Wait until so many more have been asked; raise TimeoutError where that does not come about."""
        with self._told:
            wanted = len(self._asked) + questions
            if not self._told.wait_for(lambda: len(self._asked) >= wanted, SOON + questions):
                raise TimeoutError(f"{wanted - len(self._asked)} of {questions} questions were never asked")

    def tell(self, asked: Asked) -> None:
        """Take note of a question."""
        with self._told:
            self._asked.append(asked)
            self._told.notify_all()


class Players(Load):
    """A load from threads of this process."""

    def __init__(self, ask: Ask, hands: Sequence[Hand], *, rate: float, players: int = PLAYERS) -> None:
        """Begin: so many questions a second in all, from so many players, each with a hand of its own."""
        super().__init__()
        self._ask = ask
        self._hands = hands
        self._interval = players / rate
        self._stopping = False
        self._threads = [Thread(target=self._play, args=(seat, players), daemon=True) for seat in range(players)]
        for thread in self._threads:
            thread.start()

    def deal(self, hands: Sequence[Hand]) -> None:
        """From now on begin these hands; those that are being played are played to their end."""
        self._hands = hands

    def stop(self) -> list[Asked]:
        """Finish what is open, and return all that was asked."""
        with self._told:
            self._stopping = True
            self._told.notify_all()
        for thread in self._threads:
            thread.join(SOON)
            if thread.is_alive():
                raise TimeoutError("a player did not finish what was open")
        return self._asked

    def _play(self, number: int, players: int) -> None:
        due = time.monotonic() + number * self._interval / players
        while not self._stopping:
            for turn in self._hands[number % len(self._hands)]:
                with self._told:
                    if self._told.wait_for(lambda: self._stopping, max(0.0, due - time.monotonic())):
                        return
                due = max(due + self._interval, time.monotonic())
                asked = self._put(turn.question, turn.answer)
                self.tell(asked)
                if asked.lost or asked.wrong:
                    break  # the hand cannot go on from here
            number += players

    def _put(self, question: service_pb2.JudgeRequest, right: service_pb2.JudgeResponse) -> Asked:
        at, began = time.time(), time.perf_counter()
        try:
            answer = self._ask(question)
        except RefereeError as error:
            return Asked(at, time.perf_counter() - began, lost=error.code.name)
        except grpc.RpcError as error:
            return Asked(at, time.perf_counter() - began, lost=error.code().name)
        return Asked(at, time.perf_counter() - began, wrong=answer != right)
