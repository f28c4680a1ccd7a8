"""What files hold, one item at a time: never more of a file is in memory than one game of it."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from typing import BinaryIO, cast

from charleston.commands.checking.files import plain
from charleston.commands.source import STDIN

LONGEST = 16 * 1024 * 1024
"""How many bytes one item may have: four times what a server takes, for JSON is longer."""
LINES = (".jsonl", ".ndjson")
NOTATION = ".charleston"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Item:
    """A game or a transition as it is written: in notation or as JSON, from this line of its file on; or what is wrong
    with it already."""

    file: str
    line: int
    text: str
    notation: bool = False
    wrong: str = ""


class Reader:
    """Reads files one after another, and knows how many of their bytes have been read."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self._before = 0
        self._raw: BinaryIO | None = None

    @property
    def bytes(self) -> int:
        """How many bytes of the files have been read, packed as they are."""
        try:
            return self._before + (self._raw.tell() if self._raw else 0)
        except (OSError, ValueError):  # a pipe cannot tell
            return self._before

    def items(self, names: Iterable[str]) -> Iterator[Item]:
        """Yield what the files hold, in order."""
        for name in names:
            line = 1
            try:
                with self._opened(name) as file:
                    for item in _items(name, file):
                        line = item.line
                        yield item
            except (OSError, EOFError, zlib.error) as why:
                said = getattr(why, "strerror", None) or "the file is cut short or no gzip"
                yield Item(name, line, "", wrong=said)

    @contextmanager
    def _opened(self, name: str) -> Iterator[BufferedReader]:
        raw = sys.stdin.buffer if name == STDIN else open(name, "rb")  # noqa: SIM115
        try:
            read = raw if isinstance(raw, BufferedReader) else BufferedReader(cast("RawIOBase", raw))
            packed = read.peek(2)[:2] == _GZIP
            self._raw = read
            yield cast("BufferedReader", gzip.GzipFile(fileobj=read)) if packed else read
        finally:
            self._before, self._raw = self.bytes, None
            if name != STDIN:
                raw.close()


def _items(name: str, file: BufferedReader) -> Iterator[Item]:
    if plain(name).endswith(NOTATION):
        yield _whole(name, file, b"", notation=True)
        return
    blank = b""
    line = 1
    first = file.readline(LONGEST + 1)
    while first and not _bare(first):
        blank, line = (blank + first)[-LONGEST:], line + 1
        first = file.readline(LONGEST + 1)
    if plain(name).endswith(LINES) or _is_object(first):
        yield from _lines(name, file, first, line)
    else:
        notation = not plain(name).endswith(".json") and not _bare(first).startswith((b"{", b"["))
        yield _whole(name, file, blank + first, notation=notation)


def _whole(name: str, file: BufferedReader, begun: bytes, *, notation: bool) -> Item:
    data = begun + file.read(LONGEST + 1 - min(len(begun), LONGEST))
    if len(data) > LONGEST:
        return _too_long(name, 1)
    return _item(name, 1, data, notation=notation)


def _lines(name: str, file: BufferedReader, data: bytes, line: int) -> Iterator[Item]:
    while data:
        if len(data) > LONGEST:
            yield _too_long(name, line)
            while data and not data.endswith(b"\n"):
                data = file.readline(LONGEST)
        elif _bare(data):
            yield _item(name, line, data.rstrip(b"\r\n"))
        data, line = file.readline(LONGEST + 1), line + 1


def _item(name: str, line: int, data: bytes, *, notation: bool = False) -> Item:
    try:
        return Item(name, line, data.decode("utf-8-sig"), notation)
    except UnicodeDecodeError as why:
        return Item(name, line, "", wrong=f"this is no text: byte {why.start} is not UTF-8")


def _too_long(name: str, line: int) -> Item:
    return Item(name, line, "", wrong=f"one game has at most {LONGEST // 1024**2} MiB, and this is longer")


def _bare(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").strip()


def _is_object(data: bytes) -> bool:
    """Tell whether a line is a whole JSON object, so that others may follow."""
    if not (_bare(data).startswith(b"{") and len(data) <= LONGEST):
        return False
    try:
        json.loads(_bare(data))
    except (ValueError, RecursionError):
        return False
    return True
