"""Every way to ask a referee from Python, each asked alike: in threads or coroutines, over the wire or embedded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from google.protobuf.message import Message

from charleston import AsyncHand, AsyncReferee, AsyncRefereeClient, Hand, Referee, RefereeClient, Trace
from charleston.asking import A
from charleston.embedded import AsyncEmbeddedReferee, EmbeddedReferee
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2

METHODS: dict[str, str] = {
    "Judge": "judge",
    "WhatNext": "what_next",
    "Replay": "replay",
    "JudgeTransition": "judge_transition",
    "JudgeBatch": "judge_batch",
    "GetRulebook": "get_rulebook",
}


class Walked(Protocol):
    """A hand of either kind."""

    @property
    def table(self) -> table_pb2.Table:
        """The table as it is now."""

    @property
    def standing(self) -> ruling_pb2.Standing | None:
        """The last standing."""

    @property
    def rulings(self) -> Sequence[ruling_pb2.Ruling]:
        """The rulings so far."""

    def act(self, act: table_pb2.Act, *, timeout: float | None = None) -> service_pb2.JudgeResponse:
        """Have an act judged."""

    def what_next(self) -> service_pb2.WhatNextResponse:
        """Ask how the hand stands."""


class Awaited(Referee):
    """A referee for coroutines, each call run to its end."""

    def __init__(self, runner: asyncio.Runner, referee: AsyncReferee) -> None:
        self.runner = runner
        self.referee = referee

    def _ask(self, method: str, question: Message, answer: type[A], timeout: float | None, trace: Trace | None) -> A:
        asked: A = self.runner.run(getattr(self.referee, METHODS[method])(question, timeout=timeout, trace=trace))
        return asked

    def judge_stream(
        self,
        questions: Iterable[service_pb2.Question],
        *,
        options: service_pb2.AnswerOptions | None = None,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> Iterator[service_pb2.Answer]:
        asked = self.referee.judge_stream(questions, options=options, timeout=timeout, trace=trace)
        with suppress(StopAsyncIteration):
            while True:
                yield self.runner.run(_next(asked))


async def _next(answers: AsyncIterator[service_pb2.Answer]) -> service_pb2.Answer:
    return await anext(answers)


class AwaitedHand:
    """A hand for coroutines, each act run to its end."""

    def __init__(self, referee: Awaited, *start: table_pb2.Table, **options: Any) -> None:
        self._runner = referee.runner
        self._hand = AsyncHand(referee.referee, *start, **options)

    @property
    def table(self) -> table_pb2.Table:
        return self._hand.table

    @property
    def standing(self) -> ruling_pb2.Standing | None:
        return self._hand.standing

    @property
    def rulings(self) -> Sequence[ruling_pb2.Ruling]:
        return self._hand.rulings

    def act(self, act: table_pb2.Act, *, timeout: float | None = None) -> service_pb2.JudgeResponse:
        return self._runner.run(self._hand.act(act, timeout=timeout))

    def what_next(self) -> service_pb2.WhatNextResponse:
        return self._runner.run(self._hand.what_next())


def hand(referee: Referee, *start: table_pb2.Table, **options: Any) -> Walked:
    """Walk a hand with either kind of referee."""
    if isinstance(referee, Awaited):
        return AwaitedHand(referee, *start, **options)
    return Hand(referee, *start, **options)


@contextmanager
def threads(address: str, **how: Any) -> Iterator[Referee]:
    """Ask over the wire, from threads."""
    with RefereeClient(address, **how) as client:
        yield client


@contextmanager
def coroutines(address: str, **how: Any) -> Iterator[Referee]:
    """Ask over the wire, from coroutines."""

    async def made() -> AsyncRefereeClient:
        return AsyncRefereeClient(address, **how)

    with asyncio.Runner() as runner:
        client = runner.run(made())
        try:
            yield Awaited(runner, client)
        finally:
            runner.run(client.close())


@contextmanager
def embedded(address: str, **how: Any) -> Iterator[Referee]:
    """Ask in this process."""
    yield EmbeddedReferee(**how)


@contextmanager
def embedded_coroutines(address: str, **how: Any) -> Iterator[Referee]:
    """Ask in this process, from coroutines."""
    with asyncio.Runner() as runner:
        yield Awaited(runner, AsyncEmbeddedReferee(**how))


Face = Callable[..., Any]
REMOTE: dict[str, Face] = {"threads": threads, "coroutines": coroutines}
FACES: dict[str, Face] = {**REMOTE, "embedded": embedded, "embedded coroutines": embedded_coroutines}
