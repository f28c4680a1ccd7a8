"""Load that has everything in it: the corpus by every method, and all that callers and the referee can do wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
from threading import Event, Thread

import grpc

from charleston import RefereeClient, RefereeError
from charleston.conformance.asking import ask, laid
from charleston.conformance.cases import Case, load
from charleston.referee.v1 import service_pb2
from referee.codec import write_act
from referee.server import running
from referee.service import Reply, referee
from referee.settings import Settings
from tests.wire.asking import SERVICE, SOON, channel

CASES = [case for case in load() if case.acts]
# The most questions in one batch that the referees under load take.
FEW = 10


@contextmanager
def faulty(metrics: str) -> Iterator[str]:
    """Serve a referee with a fault, which no caller could bring about: it cannot give its rulebook."""

    def broken(message: bytes, language: str) -> Reply:
        raise KeyError("a fault of the referee's own")

    settings = Settings(listen="127.0.0.1:0", metrics=metrics)
    with running(settings, {**referee(), "GetRulebook": broken}, BytesIO()) as server:
        yield server.address


@contextmanager
def loaded(*addresses: str) -> Iterator[None]:
    """Ask these referees without a pause until the block ends, each over connections of its own."""
    over = Event()
    callers = [Thread(target=_ask_all, args=(address, over)) for address in addresses]
    for caller in callers:
        caller.start()
    try:
        yield
    finally:
        over.set()
        for caller in callers:
            caller.join()


def _ask_all(address: str, over: Event) -> None:
    while not over.is_set():
        with ExitStack() as opens:
            # A connection has one worker: two at a time, and others in the next round.
            clients = [opens.enter_context(RefereeClient(address, timeout=SOON)) for _ in range(2)]
            for number, case in enumerate(CASES):
                client = clients[number % 2]
                for way in _WAYS:
                    if over.is_set():
                        return
                    with suppress(RefereeError, grpc.RpcError):
                        way(client, address, case)


def _act_by_act(client: RefereeClient, address: str, case: Case) -> None:
    ask(client, case)


def _replayed(client: RefereeClient, address: str, case: Case) -> None:
    acts = [write_act(act) for act in case.parsed]
    client.replay(service_pb2.ReplayRequest(table=laid(case), acts=acts, skip_illegal=True))


def _as_batch(client: RefereeClient, address: str, case: Case) -> None:
    client.judge_batch(service_pb2.JudgeBatchRequest(questions=[*_questions(case), service_pb2.Question()]))


def _as_stream(client: RefereeClient, address: str, case: Case) -> None:
    for _ in client.judge_stream(_questions(case), timeout=SOON):
        pass


def _what_next(client: RefereeClient, address: str, case: Case) -> None:
    client.what_next(service_pb2.WhatNextRequest(table=laid(case)))


def _too_many(client: RefereeClient, address: str, case: Case) -> None:
    client.judge_batch(service_pb2.JudgeBatchRequest(questions=[service_pb2.Question()] * (FEW + 1)))


def _rulebook(client: RefereeClient, address: str, case: Case) -> None:
    client.get_rulebook(service_pb2.GetRulebookRequest())


def _nonsense(client: RefereeClient, address: str, case: Case) -> None:
    with channel(address) as opened:
        for method, message in ((f"/{SERVICE}/Judge", b"\xff"), (f"/{SERVICE}/Nope", b"")):
            with suppress(grpc.RpcError):
                opened.unary_unary(method)(message, timeout=SOON)


def _questions(case: Case) -> list[service_pb2.Question]:
    return [service_pb2.Question(table=laid(case), act=write_act(act)) for act in case.parsed[: FEW - 1]]


_WAYS: tuple[Callable[[RefereeClient, str, Case], None], ...] = (
    _act_by_act,
    _replayed,
    _as_batch,
    _as_stream,
    _what_next,
    _too_many,
    _rulebook,
    _nonsense,
)
