"""Servers that judge wrongly, each in its own way, behind a real port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import Event

import grpc

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.rulebook import RULEBOOK
from referee.service import SERVICE, Refused, referee

Judge = Callable[[bytes], bytes]


@contextmanager
def serving(judge: Judge, service: str = SERVICE) -> Iterator[str]:
    """Serve a Judge on a free port; give the address."""

    def answer(question: bytes, context: grpc.ServicerContext) -> bytes:
        try:
            return judge(question)
        except Refused as no:
            context.set_trailing_metadata((("grpc-status-details-bin", no.details),))
            context.abort(grpc.StatusCode[no.code], no.message)

    with ThreadPoolExecutor(2) as workers:
        server = grpc.server(workers)
        methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {"Judge": grpc.unary_unary_rpc_method_handler(answer)}
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, methods)])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.stop(None).wait()


@cache
def without(id: str) -> Judge:
    """Judge as the referee does, but for one article."""
    method = referee(rulebook=RULEBOOK.without(id))["Judge"]
    return lambda question: method(question, "").body


def lawful(question: bytes) -> bytes:
    """Judge as the referee does."""
    return referee()["Judge"](question, "").body


def lenient(question: bytes) -> bytes:
    """Find everything LEGAL, and leave the table as it is."""
    asked = service_pb2.JudgeRequest.FromString(question)
    ruling = ruling_pb2.Ruling(verdict=ruling_pb2.VERDICT_LEGAL)
    standing = ruling_pb2.Standing(table=asked.table)
    return service_pb2.JudgeResponse(ruling=ruling, standing=standing).SerializeToString()


def careless(question: bytes) -> bytes:
    """Judge rightly, and lose a tile of South's from the table that goes back."""
    judged = service_pb2.JudgeResponse.FromString(lawful(question))
    del judged.standing.table.south.rack[:1]
    return judged.SerializeToString()


def foreign(question: bytes) -> bytes:
    """Answer with values of enums that there are not."""
    judged = service_pb2.JudgeResponse()
    judged.ruling.verdict = 99  # type: ignore[assignment]
    judged.standing.table.stage = 98  # type: ignore[assignment]
    judged.standing.table.east.rack.append(97)  # type: ignore[arg-type]
    judged.standing.table.debts.add(debtor=96, creditor=95, tiles=1)
    return judged.SerializeToString()


def crashing(question: bytes) -> bytes:
    """Fail at every question."""
    raise Refused("INTERNAL", "the table is on fire\x00")


def vague(question: bytes) -> bytes:
    """Refuse what is malformed, and do not say where."""
    try:
        return lawful(question)
    except Refused as no:
        raise Refused(no.code, "no") from None


class Mute:
    """Answers some questions, and then no more until it is let go."""

    def __init__(self, answers: int = 0) -> None:
        self._left = answers
        self.let_go = Event()

    def __call__(self, question: bytes) -> bytes:
        """Answer, or keep silent."""
        if self._left:
            self._left -= 1
            return lawful(question)
        self.let_go.wait(20)
        return b""
