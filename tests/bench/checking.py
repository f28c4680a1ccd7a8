"""Load from a gRPC client that compares every answer with the referee in process, byte for byte."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import grpc

from tests.bench.h2load import Wrong
from tests.bench.questions import (
    FULL,
    RULING_ONLY,
    VIEWS,
    Asked,
    batch,
    games,
    judge_call,
    questions,
    replay,
    stream,
)  # fmt: skip
from tests.bench.serving import Server

CONNECTIONS = 16
IN_FLIGHT = 64
PATH = "/charleston.referee.v1.RefereeService/"
# A channel that speaks raw bytes: more than grpcio's stubs know of.
Opened = Any
LARGE = [("grpc.max_receive_message_length", -1), ("grpc.use_local_subchannel_pool", 1)]


def everything() -> Iterator[tuple[str, Asked]]:
    """Yield every question of the real games asked in three ways, batches, every game as a replay, and a stream."""
    for asked in questions():
        for options in (FULL, RULING_ONLY, VIEWS):
            yield "Judge", judge_call("judge", asked, options)
    for options in (FULL, RULING_ONLY):
        yield "JudgeBatch", batch(options)
    for game in games():
        yield "Replay", replay(game)
    yield "JudgeStream", stream()


def check(server: Server, calls: Sequence[tuple[str, Asked]]) -> tuple[int, float]:
    """Make all calls; return how many, and in how many seconds; raise Wrong at one that fails or differs."""
    began = time.monotonic()
    asyncio.run(_check(server.address, calls))
    server.forget()
    return len(calls), time.monotonic() - began


async def _check(address: str, calls: Sequence[tuple[str, Asked]]) -> None:
    waiting = iter(calls)
    channels = [grpc.aio.insecure_channel(address, options=LARGE) for _ in range(CONNECTIONS)]
    try:
        await asyncio.gather(*(_ask(channels[each % CONNECTIONS], waiting) for each in range(IN_FLIGHT)))
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))


async def _ask(channel: Opened, waiting: Iterator[tuple[str, Asked]]) -> None:
    for method, asked in waiting:
        try:
            answers = [answer async for answer in _answers(channel, method, asked)]
        except grpc.aio.AioRpcError as error:
            raise Wrong(f"{method}, {asked.name}: {error.code().name}: {error.details()}") from None
        if tuple(answers) != asked.answers:
            raise Wrong(f"{method}, {asked.name}: the answer is not the one that the referee gives in process.")


async def _answers(channel: Opened, method: str, asked: Asked) -> AsyncIterator[bytes]:
    if method != "JudgeStream":
        yield await channel.unary_unary(PATH + method)(asked.messages[0], timeout=60)
        return

    async def sent() -> AsyncIterator[bytes]:
        for message in asked.messages:
            yield message

    async for answer in channel.stream_stream(PATH + method)(sent(), timeout=60):
        yield answer
