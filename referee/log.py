"""Lines of a log: JSON for machines, or readable on a terminal; kept for a moment, and written many at a time."""

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any, BinaryIO

import orjson
from structlog.dev import ConsoleRenderer

# Seconds until a line is written, at the latest; a process that is killed loses no more than those of the last.
INTERVAL = 0.25
# Seconds that who wants a line written at once waits for it; where nobody reads the log it would be for ever.
_WAIT = 1.0
# So many lines do not wait for that: they would fill half a megabyte, and come and go with the load.
ENOUGH = 256
# So many lines may be unwritten; more are lost, and counted.
MOST = 10_000
# Up to so many bytes the system writes to a pipe in one piece, so that lines of several processes never mix.
_AT_ONCE = 4096

Fields = dict[str, Any]


class Log:
    """Where lines go. A thread of its own writes them: a log that nobody can write or read holds up no call."""

    def __init__(self, out: BinaryIO, form: str = "auto") -> None:
        """Write to `out` as json or text; auto is text on a terminal and json elsewhere."""
        text = form == "text" or (form == "auto" and out.isatty())
        self._out = out
        self._readable = ConsoleRenderer(colors=out.isatty(), sort_keys=False, pad_level=False) if text else None
        self._lines: deque[bytes] = deque()
        self._settle: Callable[[], None] = lambda: None
        self._turn = Event()
        self._asked: deque[Event] = deque()
        self._closed = False
        self.lost = 0
        self._writer = Thread(target=self._keep, name="log", daemon=True)
        self._writer.start()

    def info(self, event: str, **fields: object) -> None:
        """Write what happened, at once, and wait until it is written."""
        self.tell("info", event, **fields)
        self.flush()

    def warning(self, event: str, **fields: object) -> None:
        """Write what somebody should look at, as with info."""
        self.tell("warning", event, **fields)
        self.flush()

    def error(self, event: str, **fields: object) -> None:
        """Write what is wrong with the referee itself, as with info."""
        self.tell("error", event, **fields)
        self.flush()

    def tell(self, level: str, event: str, **fields: object) -> None:
        """Have what happened written, and wait for nobody."""
        line = {"time": time.time_ns() // 1000 / 1e6, "level": level, "event": event}
        # What is empty is left out; a no is an answer.
        self.add(line | {key: value for key, value in fields.items() if value or value is False})
        self.soon()

    def add(self, line: Fields) -> None:
        """Keep a line until it is written with others; its first fields are time, level and event."""
        if len(self._lines) >= MOST:
            self.lost += 1
        elif self._readable is None:
            # Added to, it is copied: what orjson returns holds 4 KiB for as long as it waits, however short the line.
            self._lines.append(orjson.dumps(line) + b"\n")
        else:
            said = {key: ",".join(value) if isinstance(value, tuple) else value for key, value in line.items()}
            said["timestamp"] = time.strftime("%H:%M:%S", time.localtime(line["time"]))
            del said["time"]
            self._lines.append(f"{self._readable(None, '', said)}\n".encode())
        if len(self._lines) == ENOUGH:
            self.soon()

    def settled_by(self, settle: Callable[[], None]) -> None:
        """Have this called each time before lines are written, to add those that are yet to be made."""
        self._settle = settle

    def soon(self) -> None:
        """Have what is kept written now rather than later; wait for nobody."""
        self._turn.set()

    def flush(self) -> None:
        """Return when what is kept has been written, or could not be within a second."""
        if self._closed:
            if not self._writer.is_alive():
                self._write()
            return
        written = Event()
        self._asked.append(written)
        self._turn.set()
        written.wait(_WAIT)

    def close(self) -> None:
        """Write what is left and let the writer go; lines that come later are written by whoever has them."""
        self.flush()
        self._closed = True
        self._turn.set()
        self._writer.join(_WAIT)

    def _keep(self) -> None:
        while not self._closed:
            self._turn.wait(INTERVAL)
            self._turn.clear()
            asked = [self._asked.popleft() for _ in range(len(self._asked))]
            self._settle()
            self._write()
            for written in asked:
                written.set()

    def _write(self) -> None:
        piece = b""
        for _ in range(len(self._lines)):
            line = self._lines.popleft()
            if len(piece) + len(line) > _AT_ONCE:
                self._put(piece)
                piece = b""
            piece += line
        self._put(piece)

    def _put(self, piece: bytes) -> None:
        if piece:
            with suppress(OSError, ValueError):  # a broken pipe, a full disk, a closed file
                self._out.write(piece)
