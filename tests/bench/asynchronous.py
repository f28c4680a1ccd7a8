"""The referee on asyncio, to compare shapes with: the same pure functions, metrics and log line, on another server.

`python -m tests.bench.asynchronous asyncio|uvloop` serves it on a free port. It is for measuring only: it neither
drains nor has patience, health or reflection, all of which would cost it more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc

from referee.metrics import Metrics
from referee.rulebook import RULEBOOK
from referee.ruling import Verdict
from referee.service import SERVICE, Refused, Reply, referee
from referee.settings import Settings
from tests.bench.echo import OPTIONS

Answer = Callable[[bytes, str], Reply]


async def serve() -> None:
    """Serve until the process is told to stop."""
    answers = referee()
    metrics = Metrics(answers, Verdict.__members__, [rule.id for rule in RULEBOOK.articles])
    server = grpc.aio.server(options=OPTIONS)
    methods: dict[str, Any] = {
        name: grpc.stream_stream_rpc_method_handler(_stream(answer, name, metrics))
        if name == "JudgeStream"
        else grpc.unary_unary_rpc_method_handler(_unary(answer, name, metrics))
        for name, answer in answers.items()
    }
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, methods)])
    port = server.add_insecure_port(Settings(listen="127.0.0.1:0").listen)
    await server.start()
    print(json.dumps({"address": f"127.0.0.1:{port}"}), flush=True)
    await server.wait_for_termination()


def _unary(answer: Answer, method: str, metrics: Metrics) -> Any:
    async def call(question: bytes, context: Any) -> bytes:
        started = time.perf_counter()
        try:
            reply = answer(question, _language(context))
        except Refused as no:
            metrics.count(method, no.code, time.perf_counter() - started, no.note)
            await context.abort(grpc.StatusCode[no.code], no.message)
            raise
        seconds = time.perf_counter() - started
        metrics.count(method, "OK", seconds, reply.note)
        _log(method, reply, seconds, len(question), context.peer())
        return reply.body

    return call


def _stream(answer: Answer, method: str, metrics: Metrics) -> Any:
    async def call(questions: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        language = _language(context)
        async for question in questions:
            started = time.perf_counter()
            reply = answer(question, language)
            metrics.answered(method, time.perf_counter() - started, reply.note)
            yield reply.body

    return call


def _language(context: Any) -> str:
    return ",".join(value for key, value in context.invocation_metadata() if key == "accept-language")


def _log(method: str, reply: Reply, seconds: float, size: int, peer: str) -> None:
    note = reply.note
    line = {
        "time": time.time(), "level": "info", "event": "call", "method": method, "code": "OK", "stage": note.stage,
        "verdict": note.verdict, "rules": note.rules, "seconds": seconds, "bytes_in": size,
        "bytes_out": len(reply.body), "peer": peer,
    }  # fmt: skip
    sys.stdout.write(json.dumps(line) + "\n")


def main() -> None:
    """Serve on the loop that the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("loop", choices=["asyncio", "uvloop"])
    if parser.parse_args().loop == "uvloop":
        import uvloop

        uvloop.run(serve())
    else:
        asyncio.run(serve())


if __name__ == "__main__":
    main()
