"""Raw echoes to compare with: bytes in, constant bytes of the answer's length out, and nothing else.

`python -m tests.bench.echo sync|own|asyncio|uvloop` serves one on a free port and says so in one line of JSON. `sync`
has the shape of one worker of the referee: the same options of gRPC, as many threads, pinned to a core if told so. Its
threads are Python's own pool, as in anybody's server of grpcio; `own` is carried as the referee's calls are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from referee.polled import AtOnce, Call
from referee.server import _options
from referee.settings import Settings
from referee.workers import Apart, Workers
from tests.bench.questions import FULL, RULING_ONLY, VIEWS, unary

SERVICE = "charleston.referee.v1.RefereeService"
SETTINGS = Settings(listen="127.0.0.1:0")
OPTIONS = _options(SETTINGS, shared=False)
"""What the referee tells gRPC."""


def answers() -> dict[bytes, bytes]:
    """Return for each question of the mix as many bytes as the referee answers with."""
    asked = [each for options in (FULL, RULING_ONLY, VIEWS) for each in unary(options)]
    return {each.messages[0]: bytes(len(each.answers[0])) for each in asked}


def sync(cpu: int | None, *, own: bool) -> None:
    """Serve as a worker of the referee does, its calls carried as the referee's or by Python's threads, until told to
    stop."""
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})
    server = grpc.server(ThreadPoolExecutor(SETTINGS.threads), options=OPTIONS)
    known = answers()
    workers = Workers(SETTINGS.threads if own else 0)

    def echo(question: bytes, _: Any) -> bytes:
        return known[question]

    def begin(call: Call) -> None:
        call.take(lambda question: workers.submit(lambda: call.end("OK", "", (), known[question or b""])))

    polled: Any = grpc.stream_stream_rpc_method_handler(Apart(begin, AtOnce()))
    server.add_generic_rpc_handlers([_handler(polled if own else grpc.unary_unary_rpc_method_handler(echo))])
    port = server.add_insecure_port(SETTINGS.listen)
    server.start()
    _say(port)
    signal.sigwait({signal.SIGTERM})


async def asynchronous() -> None:
    """Serve on asyncio, until the process is told to stop."""
    known = answers()

    async def echo(question: bytes, _: Any) -> bytes:
        return known[question]

    server = grpc.aio.server(options=OPTIONS)
    server.add_generic_rpc_handlers([_handler(grpc.unary_unary_rpc_method_handler(echo))])
    port = server.add_insecure_port(SETTINGS.listen)
    await server.start()
    _say(port)
    await server.wait_for_termination()


def _handler(judge: Any) -> grpc.GenericRpcHandler:
    return grpc.method_handlers_generic_handler(SERVICE, {"Judge": judge})


def _say(port: int) -> None:
    print(json.dumps({"address": f"127.0.0.1:{port}"}), flush=True)


def main() -> None:
    """Serve what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("shape", choices=["sync", "own", "asyncio", "uvloop"])
    parser.add_argument("--cpu", type=int, help="the core to be pinned to")
    told = parser.parse_args()
    if told.shape in ("sync", "own"):
        # Blocked in every thread, so that sigwait gets it.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        sync(told.cpu, own=told.shape == "own")
        os._exit(0)
    if told.shape == "uvloop":
        import uvloop

        uvloop.run(asynchronous())
    else:
        asyncio.run(asynchronous())


if __name__ == "__main__":
    main()
