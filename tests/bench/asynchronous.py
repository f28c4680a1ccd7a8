"""The referee on asyncio, to compare shapes with: the same pure functions, counted and logged as cheaply as can be.

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
from prometheus_client import Counter, Histogram

from referee.service import SERVICE, STREAMS, Refused, Reply, referee
from tests.bench.echo import OPTIONS, SETTINGS

Answer = Callable[[bytes, str], Reply]
CALLS = Counter("calls", "Calls that ended.", ("method", "code"))
SECONDS = Histogram("seconds", "Seconds a call took.", ("method",))


async def serve() -> None:
    """Serve until the process is told to stop."""
    server = grpc.aio.server(options=OPTIONS)
    methods: dict[str, Any] = {
        name: grpc.stream_stream_rpc_method_handler(_stream(answer, name))
        if name in STREAMS
        else grpc.unary_unary_rpc_method_handler(_unary(answer, name))
        for name, answer in referee().items()
    }
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, methods)])
    port = server.add_insecure_port(SETTINGS.listen)
    await server.start()
    print(json.dumps({"address": f"127.0.0.1:{port}"}), flush=True)
    await server.wait_for_termination()


def _unary(answer: Answer, method: str) -> Any:
    right, seconds = CALLS.labels(method, "OK"), SECONDS.labels(method)

    async def call(question: bytes, context: Any) -> bytes:
        began = time.perf_counter()
        try:
            reply = answer(question, _languages(context))
        except Refused as no:
            CALLS.labels(method, no.code).inc()
            await context.abort(grpc.StatusCode[no.code], no.message)
            raise
        took = time.perf_counter() - began
        right.inc()
        seconds.observe(took)
        line = {"time": time.time(), "method": method, "code": "OK", "verdict": reply.note.verdict, "seconds": took}
        sys.stdout.write(json.dumps(line | {"peer": context.peer()}) + "\n")
        return reply.body

    return call


def _stream(answer: Answer, method: str) -> Any:
    right, seconds = CALLS.labels(method, "OK"), SECONDS.labels(method)

    async def call(questions: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        languages = _languages(context)
        async for question in questions:
            began = time.perf_counter()
            reply = answer(question, languages)
            right.inc()
            seconds.observe(time.perf_counter() - began)
            yield reply.body

    return call


def _languages(context: Any) -> str:
    return ",".join(value for key, value in context.invocation_metadata() if key == "accept-language")


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
