"""The file of known faults, as text: read, and edited entry by entry so that all else stays where it is.

An entry is a table `[[fault]]` with file, line, rules and why. An edit is made line by line; that what is edited is the
entry is asked of the TOML parser, and a file written in a way that this cannot follow is left alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

HEADER = re.compile(r"\s*\[\[\s*fault\s*\]\]\s*(#.*)?")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")  # as TOML has them: other signs that end a line may stand in a string
KEYS = {"file": str, "line": int, "rules": list, "why": str}


class Unreadable(ValueError):
    """What is wrong with a file of known faults."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A known fault: a file, a line of it, the rules that are broken there, and why that is so; `at` is its line in the
    file that lists it."""

    file: str
    line: int
    rules: tuple[str, ...]
    why: str
    at: int = 0


def read(text: str) -> list[Entry]:
    """Read the entries of a file; raise Unreadable with a sentence."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        raise Unreadable(f"this is no TOML: {why}") from None
    if extra := sorted(data.keys() - {"fault"}):
        raise Unreadable(f"there is only [[fault]], not {extra[0]!r}")
    faults = data.get("fault", [])
    if not isinstance(faults, list):
        raise Unreadable("faults are written [[fault]], with two brackets")
    starts = [start for start, _ in _blocks(_LINES.findall(text), faults)] or [0] * len(faults)
    return [_entry(fault, start + 1) for fault, start in zip(faults, starts, strict=True)]


def edited(text: str, gone: set[int], changed: dict[int, Entry], new: Iterable[Entry]) -> str:
    """Return the text without some entries, with others changed, by their numbers from 0, and with new ones at its end.

    A comment right above an entry, and those within, are the entry's and go with it; all others stay.
    """
    lines = _LINES.findall(text)
    faults = tomllib.loads(text).get("fault", [])
    blocks = list(_blocks(lines, faults))
    if len(blocks) != len(faults):
        raise Unreadable("its entries are not written in a way that --fix can follow; edit it by hand")
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    for number in reversed(range(len(blocks))):
        start, stop = blocks[number]
        if number in gone:
            while start and lines[start - 1].lstrip().startswith("#"):
                start -= 1
            if stop < len(lines) and not lines[stop].strip() and (start == 0 or not lines[start - 1].strip()):
                stop += 1
            del lines[start:stop]
        elif number in changed:
            lines[start:stop] = _rewritten(lines[start:stop], changed[number], end)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += end
    for entry in new:
        lines += [end] * bool(lines) + [f"{line}{end}" for line in _written(entry)]
    return "".join(lines)


def _entry(fault: dict[str, Any], at: int) -> Entry:
    where = f"line {at}"
    for name, kind in KEYS.items():
        if name not in fault:
            raise Unreadable(f"{where}: this fault has no {name}")
        if not isinstance(fault[name], kind) or isinstance(fault[name], bool):
            raise Unreadable(f"{where}: its {name} is no {kind.__name__}")
    if extra := sorted(fault.keys() - KEYS.keys()):
        raise Unreadable(f"{where}: a fault has file, line, rules and why, not {extra[0]!r}")
    if not fault["rules"] or not all(isinstance(rule, str) for rule in fault["rules"]):
        raise Unreadable(f"{where}: its rules are at least one id, such as joker.passed")
    if not fault["why"].strip():
        raise Unreadable(f"{where}: its why says nothing")
    return Entry(fault["file"], fault["line"], tuple(fault["rules"]), fault["why"], at)


def _blocks(lines: list[str], faults: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    """Yield where each entry begins and ends, by line from 0; nothing unless all of them can be found."""
    found = []
    at = 0
    for fault in faults:
        headers = (n for n in range(at, len(lines)) if HEADER.fullmatch(lines[n].rstrip("\r\n")))
        if (start := next(headers, None)) is None:
            return
        stops = (stop for stop in range(start + 1, len(lines) + 1) if _says(lines[start:stop], {"fault": [fault]}))
        if (stop := next(stops, None)) is None:
            return
        found.append((start, stop))
        at = stop
    yield from found


def _says(lines: list[str], data: dict[str, Any]) -> bool:
    try:
        return tomllib.loads("".join(lines).replace("\r\n", "\n")) == data
    except tomllib.TOMLDecodeError:
        return False


def _rewritten(lines: list[str], entry: Entry, end: str) -> list[str]:
    """Return an entry's lines with its line and rules set anew; a comment behind a value stays."""
    (fault,) = tomllib.loads("".join(lines))["fault"]
    for key, value in (("line", str(entry.line)), ("rules", _rules(entry.rules))):
        if fault[key] in (entry.line, list(entry.rules)):
            continue
        begins = (n for n, line in enumerate(lines) if re.match(rf"\s*[\"']?{key}[\"']?\s*=", line))
        spans = ((n, stop) for n in begins for stop in range(n + 1, len(lines) + 1))
        span = next(((n, stop) for n, stop in spans if _says(lines[n:stop], {key: fault[key]})), None)
        if span is None:
            raise Unreadable(f"line {entry.at}: its {key} is not written in a way that --fix can follow")
        comment = re.search(r"\s+#[^\"'\]]*$", lines[span[1] - 1].rstrip("\r\n"))
        lines[slice(*span)] = [f"{key} = {value}{comment[0] if comment else ''}{end}"]
    return lines


def _written(entry: Entry) -> list[str]:
    return [
        "[[fault]]",
        f"file = {_string(entry.file)}",
        f"line = {entry.line}",
        f"rules = {_rules(entry.rules)}",
        f"why = {_string(entry.why)}",
    ]


def _rules(rules: Iterable[str]) -> str:
    return f"[{', '.join(map(_string, rules))}]"


def _string(text: str) -> str:
    # A JSON string is a TOML string, but for the one control character that TOML wants escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
