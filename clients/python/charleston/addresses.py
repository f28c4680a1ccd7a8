"""Where a referee is: one address or several as a gRPC target, and whether what is sent there leaves this machine."""

from __future__ import annotations

import socket
from ipaddress import ip_address

SCHEMES = ("dns", "ipv4", "ipv6", "unix", "unix-abstract", "xds")


def target(address: str) -> str:
    """Return the gRPC target of "host:port", of several between commas, or of what is a target already.

    gRPC looks up one name again and again, but takes several addresses only as numbers: names among several are
    looked up here, once. A name that has several records is better given alone.
    """
    if address.partition(":")[0] in SCHEMES or "," not in address:
        return address
    numbers = [_numbers(each.strip()) for each in address.split(",")]
    for family in ("ipv4", "ipv6"):
        if all(family in each for each in numbers):
            return f"{family}:{','.join(each[family] for each in numbers)}"
    raise ValueError(f"several addresses are all of one kind, IPv4 or IPv6, and these are not: {address}")


def hosts(address: str) -> list[str]:
    """Return the hosts of an address; none for a target that is no list of hosts and ports."""
    scheme, _, rest = address.partition(":")
    if scheme in SCHEMES:
        if scheme not in ("dns", "ipv4", "ipv6"):
            return []
        address = rest.rpartition("/")[2]
    return [_host(each.strip()) for each in address.split(",")]


def stays_here(address: str) -> bool:
    """Tell whether what is sent to an address never leaves this machine."""
    if address.partition(":")[0] in ("unix", "unix-abstract"):
        return True
    found = hosts(address)
    return bool(found) and all(map(_loopback, found))


def _host(address: str) -> str:
    host, colon, port = address.rpartition(":")
    return host.strip("[]") if colon and port.isdecimal() and not address.endswith("]") else address.strip("[]")


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _numbers(address: str) -> dict[str, str]:
    """Look up one address; return it as numbers, for each kind that it has."""
    host, port = _host(address), address.rpartition(":")[2]
    if not host or not port.isdecimal():
        raise ValueError(f"expected host:port such as 127.0.0.1:50051, not {address!r}")
    try:
        found = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
    except OSError as why:
        raise ValueError(f"{host} cannot be looked up: {why.strerror}") from None
    numbers: dict[str, str] = {}
    for family, _, _, _, where in found:
        if family == socket.AF_INET:
            numbers.setdefault("ipv4", f"{where[0]}:{port}")
        elif family == socket.AF_INET6:
            numbers.setdefault("ipv6", f"[{where[0]}]:{port}")
    return numbers
