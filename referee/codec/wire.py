"""The letters of the wire: varints and lengths, as every protobuf library writes them.

A tag is one byte, for no field of ours has a number over 15. A field whose value is nothing is not written, but for one
whose presence means something; that is for the caller to know.
"""

from __future__ import annotations

_READY = 2048


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)


_VARINTS = tuple(map(_varint, range(_READY)))


def varint(number: int) -> bytes:
    """Return a number of up to 64 bits; one below zero takes ten bytes, as in protobuf."""
    return _VARINTS[number] if 0 <= number < _READY else _varint(number)


def sized(tag: bytes, body: bytes) -> bytes:
    """Return a field that holds a message, text or packed numbers, present also when it is empty."""
    size = len(body)
    return tag + (_VARINTS[size] if size < _READY else _varint(size)) + body


def packed(tag: bytes, body: bytes) -> bytes:
    """Return a field of numbers below 128 each, which the wire packs as they are; nothing for none."""
    return sized(tag, body) if body else b""


def text(tag: bytes, value: str) -> bytes:
    """Return a field of text; nothing for none."""
    return sized(tag, value.encode()) if value else b""


def number(tag: bytes, value: int) -> bytes:
    """Return a field of a number, an enum value or a truth; nothing for 0."""
    return tag + varint(value) if value else b""


def ahead(body: bytes, at: int) -> tuple[int, int]:
    """Read a length of one, two or three bytes; return where what it measures begins and ends.

    The end may lie beyond the bytes there are: whoever reads on to it finds out. Raise IndexError where the length
    itself is cut off, and ValueError where it is written longer.
    """
    size = body[at]
    if size < 128:
        return at + 1, at + 1 + size
    size += (body[at + 1] - 1) << 7
    if body[at + 1] < 128:
        return at + 2, at + 2 + size
    size += (body[at + 2] - 1) << 14
    if body[at + 2] < 128:
        return at + 3, at + 3 + size
    raise ValueError("a length of more than three bytes")
