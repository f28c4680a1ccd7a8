"""Ask a referee how it is, as probes of containers and service managers do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from referee.readers import split


@dataclass(frozen=True, slots=True)
class Probe:
    """Whom to ask, about which service (the empty name: the whole server), for how long, and how TLS is spoken.

    With `tls_ca`, a file of the authorities that are trusted, TLS is spoken; with a certificate and its key mutual TLS.
    `tls_name` is the name in the server's certificate, where it is not the address.
    """

    address: str
    service: str = ""
    timeout: float = 2.0
    tls_ca: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    tls_name: str = ""

    def status(self) -> tuple[bool, str]:
        """Return whether it serves, and a sentence. Raise OSError if a file cannot be read."""
        with self._channel() as channel:
            check: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/grpc.health.v1.Health/Check")
            try:
                body = check(HealthCheckRequest(service=self.service).SerializeToString(), timeout=self.timeout)
            except grpc.RpcError as error:
                return False, f"{self._what()} gave no answer: {error.code().name}, {error.details()}"
        status = HealthCheckResponse.FromString(body).status
        name = HealthCheckResponse.ServingStatus.Name(status)
        return status == HealthCheckResponse.SERVING, f"{self._what()} is {name}."

    def _what(self) -> str:
        return f"{self.service} at {self.address}" if self.service else self.address

    def _channel(self) -> grpc.Channel:
        options: list[tuple[str, int | str]] = [("grpc.enable_http_proxy", 0)]
        if not self.tls_ca:
            return grpc.insecure_channel(self.address, options)
        if self.tls_name:
            options.append(("grpc.ssl_target_name_override", self.tls_name))
        ca, cert, key = (
            Path(file).read_bytes() if file else None for file in (self.tls_ca, self.tls_cert, self.tls_key)
        )
        return grpc.secure_channel(self.address, grpc.ssl_channel_credentials(ca, key, cert), options)


def here(environ: Mapping[str, str], default: str) -> str:
    """Return where a referee of this environment listens, as it is reached from here."""
    address = environ.get("REFEREE_LISTEN", default)
    try:
        host, port = split(address)
    except ValueError:
        return default
    host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)
    return f"{host}:{port}"
