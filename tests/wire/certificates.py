"""Certificates for tests: authorities, and what they sign, written where a server or a client finds them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

Pair = tuple[bytes, bytes]


def server_files(authority: trustme.CA, where: Path) -> tuple[str, str]:
    """Write a certificate for this machine, and its key; return the names of the files."""
    cert, key = where / "cert.pem", where / "key.pem"
    issued = authority.issue_cert("localhost", "127.0.0.1")
    key.write_bytes(issued.private_key_pem.bytes())
    cert.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    return str(cert), str(key)


def authority_file(authority: trustme.CA, where: Path) -> str:
    """Write the certificate of an authority; return the name of the file."""
    path = where / "authority.pem"
    path.write_bytes(authority.cert_pem.bytes())
    return str(path)


def caller(authority: trustme.CA, *, name: str = "", spiffe: str = "", days: int = 1) -> Pair:
    """Sign the certificate of a caller, for so many days from now; return its key and itself, as PEM."""
    signer = x509.load_pem_x509_certificate(authority.cert_pem.bytes())
    signing = serialization.load_pem_private_key(authority.private_key_pem.bytes(), None)
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)] if name else []))
        .issuer_name(signer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=3))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
    )
    if spiffe:
        names = x509.SubjectAlternativeName([x509.UniformResourceIdentifier(spiffe)])
        built = built.add_extension(names, critical=not name)
    cert = built.sign(signing, hashes.SHA256())  # type: ignore[arg-type]  # an authority of ours has an EC key
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    return key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), cert.public_bytes(pem)


def trusting(authority: trustme.CA, shown: Pair | None = None) -> grpc.ChannelCredentials:
    """Return what a client needs that trusts this authority, and shows a certificate if it has one."""
    key, cert = shown or (None, None)
    return grpc.ssl_channel_credentials(authority.cert_pem.bytes(), key, cert)
