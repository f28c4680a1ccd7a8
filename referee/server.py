"""Open, serve, drain: with what carries calls, the only module that knows what shape the server has.

grpcio's sync server and a few threads, kept to one CPU; `referee.processes` runs several of them side by side. The
functions that answer are pure, from bytes to bytes, so that another shape of server can carry the same ones.
"""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from io import FileIO
from threading import current_thread
from threading import enumerate as enumerate_threads
from time import monotonic, sleep
from typing import BinaryIO, cast

import grpc

from referee import health, spans
from referee.callers import Callers
from referee.calls import AHEAD, Answer
from referee.cpus import choose, keep_to
from referee.exposition import Exposition
from referee.files import Unusable
from referee.health import Health
from referee.heap import settle
from referee.journal import Journal
from referee.log import Log
from referee.metrics import Metrics
from referee.observe import Observer
from referee.ports import CannotListen, CannotServe, cannot_listen
from referee.readers import key, split
from referee.reflection import Reflection
from referee.service import SERVICE, Limits, referee
from referee.service.known import Misjudged, answer_the_known
from referee.settings import Settings, compiled, version
from referee.signals import Told
from referee.streams import Streams
from referee.tls import Certificates
from referee.tokens import Tokens
from referee.workers import Patience, Workers

# Seconds after the last answer that are left to peers to close, before their connections are cut.
LINGER = 1.0


class Running:
    """A server that is up, until it is drained."""

    def __init__(
        self, settings: Settings, answers: Mapping[str, Answer], out: BinaryIO, *, shared: bool, replaced: int
    ) -> None:
        """Open both ports and serve; raise CannotListen if one of them cannot be had."""
        self.settings = settings
        with ExitStack() as opened:
            keep = opened.enter_context
            traced = keep(closing(spans.exported())) if settings.spans else None
            self.log = keep(closing(Log(out, settings.log_format)))
            self._patience = keep(closing(Patience(settings.patience, settings.max_bytes)))
            self._health = keep(closing(Health((SERVICE,), self._patience)))
            callers = _callers(settings, self.log)
            reflection = Reflection((SERVICE, health.NAME), callers) if settings.reflects else None
            self._reflection = keep(closing(reflection)) if reflection else None
            workers = keep(closing(Workers(settings.threads)))
            self.streams = keep(closing(Streams(settings.max_streams)))
            metrics = Metrics(answers)
            metrics.replaced = replaced
            journal = Journal(metrics, self.log, traced, each=settings.log)
            self._observer = Observer(
                answers,
                [self._health.methods(), *(self._reflection.methods() if self._reflection else ())],
                self._patience,
                workers,
                self.streams,
                metrics.started,
                journal,
                callers,
                settings.max_calls,
            )
            keep(closing(self._observer))
            # They are asked for no more than `submit`.
            pool = cast(ThreadPoolExecutor, workers)
            self._server = grpc.server(pool, handlers=[self._observer], options=_options(settings, shared))
            self.metrics_address = _publish(Exposition(metrics, journal), settings.metrics, opened)
            # Last, for grpcio gives a port back when the process ends.
            self.address = _listen(self._server, settings, self.log)
            self._opened = opened.pop_all()
        self._drained = False
        self._server.start()

    def drain(self) -> None:
        """Say NOT_SERVING, take nothing new, finish within the grace what was taken, close both ports; once."""
        if self._drained:
            return
        self._drained = True
        self._health.turn_away()
        sleep(self.settings.drain_pause)
        # From here gRPC's core refuses what comes. What comes in this very moment it may end as CANCELLED, unjudged:
        # a pause in which callers go elsewhere is what spares them that.
        stopped = self._server.stop(self.settings.grace)
        # Streams would idle on until the grace is over.
        self.streams.end()
        self._health.end()
        if self._reflection:
            self._reflection.end()
        # gRPC's core can lose a call that comes in the moment of the stop: neither its handler nor the stop would end.
        last = monotonic() + self.settings.grace + 5 * LINGER
        while not stopped.wait(LINGER) and monotonic() < last:
            if self._observer.tally.idle() >= LINGER:
                self._server.stop(0)
        self._opened.close()


@contextmanager
def running(
    settings: Settings,
    answers: Mapping[str, Answer] | None = None,
    out: BinaryIO | None = None,
    *,
    shared: bool = False,
    replaced: int = 0,
) -> Iterator[Running]:
    """Serve while the block lasts, then drain, in this process whatever the settings say; signals are left alone.

    Without `answers` the referee answers, once it has judged a known case; CannotServe is raised if it judges it
    wrong, or if a port cannot be had. Without `out` the log goes to standard output. A `shared` port is open to
    other processes of this user. `replaced` says how many have died in this one's place.
    """
    if answers is None:
        answers = referee(_limits(settings), key(settings.id_key_file))
        try:
            answer_the_known(answers)
        except Misjudged as why:
            raise CannotServe(
                f"This referee does not judge as its rulebook says, so it does not serve: {why}."
            ) from None
    server = Running(settings, answers, out or FileIO(1, "w", closefd=False), shared=shared, replaced=replaced)
    try:
        yield server
    finally:
        server.drain()


def serve(settings: Settings) -> None:
    """Serve in this process until SIGTERM or SIGINT, then drain; a second signal ends the process at once."""
    told = Told()
    cpus = choose(1) if settings.pin else []
    for cpu in cpus:
        keep_to(cpu)
    with running(settings) as server:
        settle()
        server.log.info(
            "serving",
            address=server.address,
            metrics=server.metrics_address,
            cpus=cpus,
            version=version(),
            compiled=compiled(),
        )
        server.log.info("stopping", signal=told.wait())
    server.log.info("stopped")
    end()


def end() -> None:
    """End the process, without the threads that wait for a call which gRPC's core has lost: Python would wait for them
    for ever."""
    for thread in enumerate_threads():
        if thread is not current_thread() and not thread.daemon:
            thread.join(timeout=LINGER)
            if thread.is_alive():
                os._exit(0)


def _options(settings: Settings, shared: bool) -> list[tuple[str, int]]:
    ends = {"grpc.max_connection_idle_ms": settings.max_connection_idle}
    if settings.max_connection_age:
        ends["grpc.max_connection_age_ms"] = settings.max_connection_age
        ends["grpc.max_connection_age_grace_ms"] = settings.max_connection_age_grace or 0.001  # 0 would be for ever
    return [
        # Where it is on, a second server on the port silently shares its calls.
        ("grpc.so_reuseport", int(shared)),
        # The core hangs up on what is larger, out of sight of log and metrics: up to here Patience says why.
        ("grpc.max_receive_message_length", min(2 * settings.max_bytes, 2**31 - 1)),
        ("grpc.max_send_message_length", -1),
        # What a caller may send before it is read: for each call so much, and no more where the link looks fast. Else a
        # few dozen callers that send and never take an answer in could fill gigabytes.
        ("grpc.http2.lookahead_bytes", AHEAD),
        ("grpc.http2.bdp_probe", 0),
        *((name, max(1, int(1000 * seconds))) for name, seconds in ends.items() if seconds),
    ]


def _callers(settings: Settings, log: Log) -> Callers:
    try:
        tokens = Tokens(settings.tokens_file, log) if settings.tokens_file else None
    except Unusable as why:
        raise CannotServe(str(why)) from None
    most, rate = settings.max_concurrent_per_caller, settings.rate_per_caller
    return Callers(certified=bool(settings.tls_client_ca), tokens=tokens, most=most, rate=rate)


def _listen(server: grpc.Server, settings: Settings, log: Log) -> str:
    try:
        if settings.tls_cert:
            certificates = Certificates(settings.tls_cert, settings.tls_key, settings.tls_client_ca, log)
            port = server.add_secure_port(settings.listen, certificates.credentials())
        else:
            port = server.add_insecure_port(settings.listen)
    except Unusable as why:
        raise CannotServe(str(why)) from None
    except RuntimeError:
        raise cannot_listen(settings.listen) from None
    return f"{split(settings.listen)[0]}:{port}"


def _publish(exposition: Exposition, address: str, opened: ExitStack) -> str:
    if not address:
        return ""
    try:
        page = exposition.serve(address)
    except OSError as why:
        raise CannotListen(
            f"Cannot serve metrics on {address}: {why.strerror}. With --metrics '' there are none."
        ) from None
    opened.callback(page.server_close)
    opened.callback(page.shutdown)
    return f"{split(address)[0]}:{page.server_port}"


def _limits(settings: Settings) -> Limits:
    return Limits(acts=settings.max_acts, questions=settings.max_questions, bytes=settings.max_bytes)
