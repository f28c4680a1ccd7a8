"""How calls are made, whichever face makes them: over what, with which metadata, and for how long."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources

import grpc

from charleston.addresses import hosts, stays_here, target
from charleston.asking import Trace
from charleston.errors import RefereeError

SERVICE_CONFIG = json.dumps(json.loads(resources.files("charleston").joinpath("service_config.json").read_text()))
# Of the time that is left: each attempt takes longer than the one before, and the last may take all that there is.
SHARES = (1 / 10, 1 / 6, 1 / 3, 1.0)
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}[ -~]{0,200}")
_TRACESTATE = re.compile(r"[ -~]{1,512}")
_TOKEN = re.compile(r"[!-~]+")

Metadata = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Tls:
    """What TLS needs, as PEM: the roots that servers are trusted by, and for mutual TLS a certificate and its key.

    Without roots those of gRPC are trusted.
    """

    roots: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None

    def __post_init__(self) -> None:
        """Require a key with a certificate, and a certificate with a key."""
        if (self.certificate is None) is not (self.key is None):
            raise ValueError("mutual TLS takes a certificate and its key, not one of them")


class Calling:
    """Where a client's calls go and what they carry."""

    def __init__(
        self,
        address: str,
        timeout: float,
        tls: Tls | None,
        authority: str,
        token: str | Callable[[], str] | None,
        language: str,
        trace: Callable[[], Trace] | None,
    ) -> None:
        """Check all that can be checked before a call."""
        if token is not None and tls is None and not stays_here(address):
            raise ValueError(f"a token is not sent to {address} without TLS: anybody on the way could read it")
        if language and not _TRACESTATE.fullmatch(language):
            raise ValueError(f"expected languages such as 'fr' or 'nl, en;q=0.5', not {language!r}")
        self.target = target(address)
        self.options = _options(address, tls, authority)
        self.credentials = grpc.ssl_channel_credentials(tls.roots, tls.key, tls.certificate) if tls else None
        self.answered = False  # by any referee, ever
        self._timeout = deadline(timeout)
        self._token = token if callable(token) or token is None else _always(_checked(token))
        self._language = language
        self._trace = trace

    def attempts(self, timeout: float | None) -> Iterator[float]:
        """Yield how long each attempt may take, the last one what is left of the call's deadline or the client's."""
        ends = time.monotonic() + (self._timeout if timeout is None else deadline(timeout))
        for share in SHARES:
            yield max(0.0, ends - time.monotonic()) * share

    def may_be_repeated(self, error: RefereeError) -> bool:
        """Tell whether another attempt is worth its time: this one got no answer, and another server may give it.

        Where nobody can be asked, somebody may be back before the deadline, but only if somebody was ever there.
        """
        if error.code is grpc.StatusCode.UNAVAILABLE:
            return self.answered
        return error.code is grpc.StatusCode.DEADLINE_EXCEEDED

    def metadata(self, trace: Trace | None) -> Metadata:
        """Return what goes with a call: the language, the token, and the trace that the call or the client names."""
        carried: list[tuple[str, str]] = []
        if self._language:
            carried.append(("accept-language", self._language))
        if self._token:
            carried.append(("authorization", f"Bearer {_checked(self._token())}"))
        if trace is None and self._trace:
            trace = self._trace()
        return (*carried, *_traced(trace or {}))


def deadline(seconds: float) -> float:
    """Return the seconds of a deadline; ValueError if they are none or without end."""
    if not 0 < seconds < math.inf:
        raise ValueError(f"a deadline is a number of seconds above none, not {seconds}")
    return seconds


def _traced(trace: Trace) -> Iterator[tuple[str, str]]:
    # A trace that is not well-formed is left out, as W3C asks: it must never stop a ruling.
    if not _TRACEPARENT.fullmatch(trace.get("traceparent", "")):
        return
    yield "traceparent", trace["traceparent"]
    if _TRACESTATE.fullmatch(trace.get("tracestate", "")):
        yield "tracestate", trace["tracestate"]


def _always(token: str) -> Callable[[], str]:
    return lambda: token


def _checked(token: str) -> str:
    if not _TOKEN.fullmatch(token):
        raise ValueError("a token is visible ASCII without spaces")  # and what it is, is nobody's business
    return token


def _options(address: str, tls: Tls | None, authority: str) -> list[tuple[str, int | str]]:
    options: list[tuple[str, int | str]] = [
        ("grpc.service_config", SERVICE_CONFIG),
        ("grpc.max_receive_message_length", -1),  # an answer may be larger than its question
        # A cut link tells nobody. More often than this, a server that was not told so would hang up.
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        # A referee that comes back is found soon: gRPC would wait for up to two minutes.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 2_000),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    ]
    if stays_here(address):
        options.append(("grpc.enable_http_proxy", 0))  # gRPC would ask a proxy of the environment even for these
    if name := authority or _authority(address, tls):
        options.append(("grpc.default_authority", name))
    return options


def _authority(address: str, tls: Tls | None) -> str:
    """Return the name that several addresses are called by; the empty string for one, which gRPC calls by its own."""
    if "," not in address:
        return ""
    names = hosts(address)
    if tls and len(set(names)) > 1:
        raise ValueError("several hosts over TLS need the authority, the name that all their certificates have")
    return names[0] if names else ""
