"""What the commands read: files and standard input, as text and JSON, and everything that is wrong with them."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from referee.notation import NotationError, excerpt

M = TypeVar("M", bound=Message)
STDIN = "-"
INDENT = "    "
MOST = 20
"""How many places in one file people are shown; machines are told all."""


class WrongQuestion(Exception):
    """A question that cannot be put to a referee, with a sentence for each thing that is wrong with it.

    People are told the sentences, and below those that name a line and column the line, with a caret.
    """

    def __init__(self, *sentences: str, told: tuple[str, ...] = ()) -> None:
        """Keep the sentences, and what people are told where that is more."""
        super().__init__(*sentences)
        self.sentences = sentences
        self.told = told or sentences


def name_of(path: str) -> str:
    """Return what a file is called."""
    return "standard input" if path == STDIN else path


def read_text(path: str) -> tuple[str, str]:
    """Read a file or standard input; return what it is called and its text."""
    name = name_of(path)
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
        return name, data.decode("utf-8-sig")
    except OSError as why:
        raise WrongQuestion(f"{name}: {why.strerror}") from None
    except UnicodeDecodeError as why:
        raise WrongQuestion(f"{name}: this is no text: byte {why.start} is not UTF-8") from None
    except ValueError:
        raise WrongQuestion(f"{name!r} is no name of a file") from None


def is_json(path: str, text: str) -> bool:
    """Tell whether a text is JSON and not notation."""
    return path.endswith(".json") or text.lstrip().startswith("{")


def unread(name: str, text: str, wrong: NotationError) -> WrongQuestion:
    """Return what is wrong with a text in notation."""
    return _placed(name, text.splitlines(), wrong.problems)


def data_of(name: str, text: str) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as why:
        raise _placed(name, text.split("\n"), [(why.lineno, why.colno, why.msg)]) from None
    except (ValueError, RecursionError):
        raise WrongQuestion(f"{name}: this JSON is too long or too deep to be read") from None
    if not isinstance(data, dict):
        raise WrongQuestion(f"{name}: expected one JSON object")
    return data


def message_of(name: str, data: dict[str, Any], message: M) -> M:
    """Read a message from its protobuf JSON."""
    try:
        return json_format.ParseDict(data, message)
    except json_format.ParseError as why:
        # The rest of its lines lists every field that there is.
        raise WrongQuestion(f"{name}: {str(why).splitlines()[0]}") from None
    except (OverflowError, SystemError):  # a number without end, half a character
        raise WrongQuestion(f"{name}: this JSON has a value that no field can have") from None


def _placed(name: str, lines: Sequence[str], problems: Iterable[tuple[int, int, str]]) -> WrongQuestion:
    sentences, told = [], []
    for line, column, what in problems:
        sentences.append(f"{name}:{line}:{column}: {what}")
        shown = excerpt(lines[line - 1] if line <= len(lines) else "", column)
        told.append(f"{sentences[-1]}\n{textwrap.indent(shown, INDENT)}")
    if len(told) > MOST:
        told[MOST:] = [f"{name}: and {len(told) - MOST} more"]
    return WrongQuestion(*sentences, told=tuple(told))
