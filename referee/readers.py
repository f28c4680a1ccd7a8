"""What a setting may be: each reads a text, and raises ValueError, the end of a sentence, where it is of no use."""

import math
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path


def split(address: str) -> tuple[str, int]:
    """Return host and port of "host:port" (IPv6 in brackets: "[::1]:50051"); raise ValueError otherwise."""
    host, colon, port = address.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if not colon or not host or (":" in host and not bracketed) or host.strip() != host:
        raise ValueError("must be host:port, like 127.0.0.1:50051")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536):
        raise ValueError("must end in a port from 0 to 65535")
    try:
        host.encode("idna")
    except UnicodeError:
        raise ValueError("must begin with the name or the address of a host") from None
    return host, int(port)


def stays_here(address: str) -> bool:
    """Tell whether only this machine can reach an address; a name other than localhost may be known to others."""
    host = split(address)[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address(text: str) -> str:
    """Read a host:port."""
    split(text)
    return text


def address_or_none(text: str) -> str:
    """Read a host:port, or nothing."""
    return address(text) if text else ""


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a whole number between these."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return read


def seconds(least: float) -> Callable[[str], float]:
    """Return what reads a number of seconds of at least so many, and raises ValueError otherwise."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= 3600:  # NaN is refused here too: it compares false with everything
            raise ValueError(f"must be a number of seconds from {least:g} to 3600")
        return number

    return read


def key(path: str) -> bytes:
    """Return the key in a file, without white space round it; none if there is no file. Raise ValueError otherwise."""
    try:
        held = Path(path).read_bytes().strip() if path else b""
    except OSError as why:
        raise ValueError(f"must be a file that can be read ({why.strerror})") from None
    if path and len(held) < 16:
        raise ValueError("must be a file with a key of 16 bytes or more")
    return held


def key_file(text: str) -> str:
    """Read the name of a file with a key."""
    key(text)
    return text


def file(text: str) -> str:
    """Read the name of a file that can be read, or nothing."""
    try:
        if text:
            Path(text).read_bytes()
    except OSError as why:
        raise ValueError(f"must be a file that can be read ({why.strerror})") from None
    return text


def switch(text: str) -> bool:
    """Read on or off."""
    if text not in ("on", "off"):
        raise ValueError("must be on or off")
    return text == "on"


def one_of(*names: str) -> Callable[[str], str]:
    """Return what reads one of these names."""

    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"must be {', '.join(names[:-1])} or {names[-1]}")
        return text

    return read
