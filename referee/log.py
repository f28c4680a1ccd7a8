"""Lines of a log: JSON for machines, or readable on a terminal; kept together for a moment, and written together."""

import time
from collections import deque
from contextlib import suppress
from threading import Lock
from typing import Any, BinaryIO

import orjson
from structlog.dev import ConsoleRenderer

# Up to so many bytes the system writes to a pipe in one piece, so that lines of several processes never mix.
_AT_ONCE = 4096
# With so many lines unwritten, whoever has one more waits for the one who reads the log.
_MOST = 10_000

Fields = dict[str, Any]


class Log:
    """Where lines go; a log that cannot be written never fails a call, and is never written in halves of lines."""

    def __init__(self, out: BinaryIO, form: str = "auto") -> None:
        """Write to `out` as json or text; auto is text on a terminal and json elsewhere."""
        text = form == "text" or (form == "auto" and out.isatty())
        self._out = out
        self._readable = ConsoleRenderer(colors=out.isatty(), sort_keys=False, pad_level=False) if text else None
        self._lines: deque[bytes] = deque()
        self._writing = Lock()

    def info(self, event: str, **fields: object) -> None:
        """Write what happened, at once."""
        self._event("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Write what somebody should look at, at once."""
        self._event("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Write what is wrong with the referee itself, at once."""
        self._event("error", event, fields)

    def add(self, line: Fields) -> None:
        """Keep a line until the next flush; its first fields are time, level and event."""
        if self._readable is None:
            self._lines.append(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        else:
            line["timestamp"] = time.strftime("%H:%M:%S", time.localtime(line.pop("time")))
            self._lines.append(f"{self._readable(None, '', line)}\n".encode())

    def flush(self, *, wait: bool = True) -> None:
        """Write what is kept; without `wait`, leave it to whoever is writing now."""
        if self._writing.acquire(blocking=wait or len(self._lines) > _MOST):
            try:
                self._write()
            finally:
                self._writing.release()

    def _event(self, level: str, event: str, fields: Fields) -> None:
        line = {"time": time.time_ns() // 1000 / 1e6, "level": level, "event": event}
        self.add(line | {key: value for key, value in fields.items() if value})
        self.flush()

    def _write(self) -> None:
        lines, piece = self._lines, b""
        while lines:
            line = lines.popleft()
            if len(piece) + len(line) > _AT_ONCE:
                self._put(piece)
                piece = b""
            piece += line
        self._put(piece)

    def _put(self, piece: bytes) -> None:
        with suppress(OSError, ValueError):  # a broken pipe, a full disk, a closed file
            self._out.write(piece)
