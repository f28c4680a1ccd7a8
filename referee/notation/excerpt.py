"""Where in a line something is wrong: the line, and a caret under the place."""

from __future__ import annotations

import unicodedata

COLUMNS = 96


def excerpt(line: str, column: int, columns: int = COLUMNS) -> str:
    """Return a line and below it a caret under a column, from 1; of a long line only what is around the column."""
    shown = "".join(map(_shown, line.rstrip()))
    at = max(0, column - 1)
    begin = max(0, min(at - columns // 2, len(shown) - columns))
    before = f"{'…' if begin else ''}{shown[begin:at]}"
    after = f"{shown[at : begin + columns]}{'…' if len(shown) > begin + columns else ''}"
    return f"{before}{after}\n{' ' * sum(map(_width, before))}^"


def _shown(letter: str) -> str:
    """Return a letter, or what stands for one that would move the cursor or change the terminal."""
    if letter == "\t":
        return " "
    return letter if letter.isprintable() else "�"


def _width(letter: str) -> int:
    """Return how many columns of a terminal a letter takes."""
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
