"""TLS: the server's certificate and the authorities of its callers, taken again when their files change."""

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import cast

import grpc

from referee.files import Files, Unusable
from referee.log import Log


class Certificates:
    """A certificate with its key, and the authorities that sign callers' certificates, or none."""

    def __init__(self, cert: str, key: str, client_ca: str, log: Log) -> None:
        """Take the files; raise Unusable if they cannot be."""
        self._cert, self._key, self._client_ca = cert, key, client_ca
        self._log = log
        self._files = Files(file for file in (cert, key, client_ca) if file)
        self._files.changed()
        self._first = self._read()
        self._complaint = ""

    def credentials(self) -> grpc.ServerCredentials:
        """Return what a port needs; who connects after a change gets the new certificate."""
        # It may say that nothing has changed, by None, which the stubs do not know.
        again = cast(Callable[[], grpc.ServerCertificateConfiguration], self._again)
        return grpc.dynamic_ssl_server_credentials(
            self._first, again, require_client_authentication=bool(self._client_ca)
        )

    def _again(self) -> grpc.ServerCertificateConfiguration | None:
        if not self._files.changed():
            return None
        try:
            read = self._read()
        except Unusable as why:
            # Certificate and key may be written one after the other.
            self._files.doubt()
            if str(why) != self._complaint:
                self._complaint = str(why)
                self._log.tell("error", "unusable", why=f"{why} The certificate of before is shown.")
            return None
        self._complaint = ""
        self._log.tell("info", "reloaded", file=self._cert)
        return read

    def _read(self) -> grpc.ServerCertificateConfiguration:
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self._cert, self._key, password=lambda: "")
        except (OSError, ValueError) as why:  # an SSLError is an OSError
            raise Unusable(f"{self._cert} and {self._key} are no certificate and its key{_said(why)}.") from None
        if self._client_ca:
            try:
                context.load_verify_locations(self._client_ca)
            except (OSError, ValueError) as why:
                raise Unusable(f"{self._client_ca} has no certificates of authorities{_said(why)}.") from None
        cert, key = Path(self._cert).read_bytes(), Path(self._key).read_bytes()
        roots = Path(self._client_ca).read_bytes() if self._client_ca else None
        return grpc.ssl_server_certificate_configuration([(key, cert)], roots)


def _said(why: Exception) -> str:
    reason = getattr(why, "reason", None) or getattr(why, "strerror", None)
    return f" ({reason})" if reason else ""
