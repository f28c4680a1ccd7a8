"""Tell clients like grpcurl and buf curl what can be asked, over gRPC's reflection service.

grpcio speaks v1alpha only. The later v1 has the same messages under another name, so both are answered here;
only the older is listed, as it is the one that can be described.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import grpc
from google.protobuf.message import DecodeError
from grpc_reflection.v1alpha.reflection import SERVICE_NAME, ReflectionServicer
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest

from referee.callers import Callers
from referee.workers import Apart, Unasked

NAMES = (SERVICE_NAME, "grpc.reflection.v1.ServerReflection")


class Reflection:
    """The reflection of one server, in threads of its own, as a client may keep its stream open for long."""

    def __init__(self, services: Iterable[str], callers: Callers) -> None:
        """Describe these services, and reflection itself, to those who may call."""
        self._callers = callers
        self._servicer = ReflectionServicer((*services, SERVICE_NAME))
        self._pool = ThreadPoolExecutor(8, "reflection")
        self._open: set[grpc.ServicerContext] = set()
        self._lock = Lock()
        self._ended = False

    def methods(self) -> Iterator[grpc.GenericRpcHandler]:
        """Yield what the server is to register."""
        talk: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(Apart(self._talk, self._pool))
        for name in NAMES:
            yield grpc.method_handlers_generic_handler(name, {"ServerReflectionInfo": talk})

    def end(self) -> None:
        """End every open stream, so that no idle one holds up a shutdown."""
        with self._lock:
            self._ended = True
            idle = tuple(self._open)
        for context in idle:
            context.cancel()

    def close(self) -> None:
        """Let the threads go, once the server has stopped: before, it may hand them another call."""
        self._pool.shutdown(wait=False)

    def _talk(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        try:
            self._callers.admit(self._callers.name(context), context)
        except Unasked as no:
            context.abort(grpc.StatusCode[no.code], no.message)
        with self._lock:
            if self._ended:
                context.abort(grpc.StatusCode.UNAVAILABLE, "The referee is stopping.")
            self._open.add(context)
        try:
            for answer in self._servicer.ServerReflectionInfo(_questions(messages, context), context):
                yield answer.SerializeToString()
        finally:
            with self._lock:
                self._open.discard(context)


def _questions(messages: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[ServerReflectionRequest]:
    for message in messages:
        try:
            yield ServerReflectionRequest.FromString(message)
        except DecodeError:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "These bytes are no ServerReflectionRequest.")
