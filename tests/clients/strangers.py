"""A server of the tests' own: it answers as the referee does, over TLS if asked, and remembers what calls carried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc

from referee.service import SERVICE, referee


class Remembering:
    """A server that carries the referee's own methods, and the metadata of the calls that it took."""

    def __init__(self, server: grpc.Server, credentials: grpc.ServerCredentials | None) -> None:
        self.calls: list[Mapping[str, str | bytes]] = []
        answers = {name: self._carried(method) for name, method in referee().items()}
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, answers)])
        free = "127.0.0.1:0"
        self.port = server.add_secure_port(free, credentials) if credentials else server.add_insecure_port(free)
        self.address = f"127.0.0.1:{self.port}"

    def _carried(self, method: Callable[[bytes, str], Any]) -> grpc.RpcMethodHandler[bytes, bytes]:
        def answer(question: bytes, context: grpc.ServicerContext) -> bytes:
            carried = dict(context.invocation_metadata())
            self.calls.append(carried)
            body: bytes = method(question, str(carried.get("accept-language", ""))).body
            return body

        return grpc.unary_unary_rpc_method_handler(answer)


@contextmanager
def serving(credentials: grpc.ServerCredentials | None = None) -> Iterator[Remembering]:
    """Serve on a free port, in plain or with credentials."""
    with ThreadPoolExecutor(2) as workers:
        server = grpc.server(workers)
        remembering = Remembering(server, credentials)
        server.start()
        try:
            yield remembering
        finally:
            server.stop(None).wait()
