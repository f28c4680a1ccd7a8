"""Colour for terminals, and for nobody else."""

from __future__ import annotations

import os
import re
from typing import TextIO

STYLES = {
    "bam": "32",
    "crak": "31",
    "dot": "36",
    "wind": "1",
    "dragon": "1;35",
    "flower": "35",
    "joker": "1;33",
    "seat": "1",
    "title": "1",
    "quiet": "2",
    "LEGAL": "32",
    "UNDECIDED": "36",
    "JOKER_RETURN": "1;33",
    "ILLEGAL": "1;31",
    "MISDEAL": "1;35",
}
_CODES = re.compile(r"\x1b\[[0-9;]*m")


class Paint:
    """Paints text in the styles above, or leaves it as it is."""

    def __init__(self, on: bool = False) -> None:
        """Paint, or do not."""
        self._on = on

    @classmethod
    def on(cls, stream: TextIO) -> Paint:
        """Return what suits a stream: colour on a terminal, or where FORCE_COLOR asks; none where NO_COLOR does."""
        if os.environ.get("NO_COLOR"):
            return cls()
        terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        return cls(terminal or bool(os.environ.get("FORCE_COLOR")))

    def __call__(self, style: str, text: str) -> str:
        """Return the text in a style."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self._on and text else text


def width(text: str) -> int:
    """Return how many columns a painted text takes."""
    return len(_CODES.sub("", text))


def left(text: str, columns: int) -> str:
    """Fill a painted text with spaces after it."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """Fill a painted text with spaces before it."""
    return " " * (columns - width(text)) + text


def middle(text: str, columns: int) -> str:
    """Fill a painted text with spaces on both sides."""
    return left(" " * ((columns - width(text)) // 2) + text, columns)
