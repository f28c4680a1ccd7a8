"""Who calls, and whether they may: told apart by certificate, token or host, and each kept within limits.

It is asked once for each call, before the question is read.
"""

from threading import Lock
from time import monotonic
from urllib.parse import unquote

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2, status_pb2

from referee.tokens import Tokens
from referee.workers import Unasked

# With so many callers known, those are forgotten who have nothing open and used up nothing.
_MANY = 10_000


class Callers:
    """The callers of one server."""

    def __init__(self, *, certified: bool, tokens: Tokens | None, most: int, rate: int) -> None:
        """Ask for tokens if there are some; keep each caller to so many calls at the same time, and in a second.

        `certified` says that TLS has made sure of every caller's certificate.
        """
        self._certified = certified
        self._tokens = tokens
        self._most = most
        self._rate = rate
        self._accounts: dict[str, _Account] = {}
        self._lock = Lock()
        self._swept = 0.0
        self.matter = certified or tokens is not None or most > 0 or rate > 0
        """Whether it makes a difference who calls."""

    def name(self, context: grpc.ServicerContext) -> str:
        """Return the caller's name, empty where only the host is known; raise Unasked if a token is needed and none."""
        owner = ""
        if self._tokens is not None:
            token = _token(context)
            if not token:
                raise Unasked("UNAUTHENTICATED", "This referee asks for a token: authorization: Bearer …", "no_token")
            owner = self._tokens.owner(token)
            if not owner:
                raise Unasked("UNAUTHENTICATED", "This token is none of this referee's.", "wrong_token")
        return (_certificate(context) if self._certified else "") or owner

    def admit(self, name: str, context: grpc.ServicerContext) -> None:
        """Count a call of a caller until it is over; raise Unasked if it is one too many."""
        if self._most or self._rate:
            account = self._charge(name or _host(context.peer()))
            if not context.add_callback(account.close):
                account.close()

    def _charge(self, caller: str) -> "_Account":
        now = monotonic()
        with self._lock:
            account = self._accounts.get(caller) or self._new(caller, now)
            if self._most and account.open >= self._most:
                raise Unasked(
                    "RESOURCE_EXHAUSTED", f"A caller has at most {self._most} calls open here.", "concurrency"
                )
            if self._rate:
                account.left = min(self._rate, account.left + (now - account.at) * self._rate)
                account.at = now
                if account.left < 1:
                    sentence = f"A caller has at most {self._rate} calls a second here."
                    again = (1 - account.left) / self._rate
                    raise Unasked("RESOURCE_EXHAUSTED", sentence, "rate", _retry(sentence, again))
                account.left -= 1
            account.open += 1
        return account

    def _new(self, caller: str, now: float) -> "_Account":
        if len(self._accounts) >= _MANY and now - self._swept >= 1:
            self._swept = now
            # After a second the rate of everybody is whole again.
            idle = [name for name, each in self._accounts.items() if not each.open and now - each.at >= 1]
            for name in idle:
                del self._accounts[name]
        account = self._accounts[caller] = _Account(self._lock, self._rate, now)
        return account


class _Account:
    """What one caller has open, and how many more calls it may begin now."""

    __slots__ = ("_lock", "at", "left", "open")

    def __init__(self, lock: Lock, left: float, at: float) -> None:
        self._lock = lock
        self.open = 0
        self.left = left
        self.at = at

    def close(self) -> None:
        """Count one call less."""
        with self._lock:
            self.open -= 1


def _certificate(context: grpc.ServicerContext) -> str:
    shown = context.auth_context()
    names = shown.get("peer_spiffe_id") or shown.get("x509_common_name") or (b"",)
    return bytes(names[0]).decode(errors="replace")


def _token(context: grpc.ServicerContext) -> str:
    for key, value in context.invocation_metadata():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return ""


def _host(peer: str) -> str:
    """Return the host of a peer such as ipv4:192.0.2.1:50000 or ipv6:%5B::1%5D:50000."""
    return unquote(peer).rpartition(":")[0]


def _retry(sentence: str, seconds: float) -> bytes:
    delay = Duration()
    delay.FromNanoseconds(int(seconds * 1e9))
    detail = Any()
    detail.Pack(error_details_pb2.RetryInfo(retry_delay=delay))
    status = status_pb2.Status(code=code_pb2.RESOURCE_EXHAUSTED, message=sentence, details=[detail])
    body: bytes = status.SerializeToString()
    return body
