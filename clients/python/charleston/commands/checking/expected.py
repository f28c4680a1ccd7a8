"""Known faults: which of those found are expected, and which of those expected no longer fail as listed."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

from charleston.commands.checking.known import Entry, Unreadable, edited, read
from charleston.commands.checking.results import Checked, Fault, Stale
from charleston.commands.source import STDIN, WrongQuestion
from charleston.commands.writing import replaced

UNKNOWN = "not looked into yet"
Key = tuple[str, int]


class Expected:
    """What is expected at each line of each file; a file is named from the folder of the list.

    All that is broken at a line is one known fault: a rule that is broken and not listed is unexpected, and one that is
    listed and not broken is stale. What was not checked is neither.
    """

    def __init__(self, path: str, text: str, *, fix: bool = False) -> None:
        """Read a list; with `fix`, keep what is needed to rewrite it."""
        self._path = path
        self._text = text
        self._entries = read(text)
        self._fix = fix
        self._numbers: dict[Key, int] = {}
        for number, entry in enumerate(self._entries):
            key = self._resolved(entry.file), entry.line
            if key in self._numbers:
                raise Unreadable(f"line {entry.at}: {entry.file}:{entry.line} is listed twice")
            self._numbers[key] = number
        self._found: dict[int, tuple[str, ...]] = {}
        self._new: dict[Key, tuple[str, ...]] = {}
        self._checked: set[str] = set()
        self._wrong: set[str] = set()

    @classmethod
    def read(cls, path: str | None, *, fix: bool = False) -> Expected:
        """Read a file of known faults; without a file, nothing is expected."""
        if path is None:
            return cls("", "")
        try:
            if fix and not os.path.exists(path):
                return cls(path, "", fix=fix)
            return cls(path, Path(path).read_bytes().decode("utf-8"), fix=fix)
        except OSError as why:
            raise WrongQuestion(f"{path}: {why.strerror}") from None
        except UnicodeDecodeError:
            raise WrongQuestion(f"{path}: this is no text in UTF-8") from None
        except Unreadable as why:
            raise WrongQuestion(f"{path}: {why}") from None

    def settled(self, checked: Checked) -> Checked:
        """Return an item with its known faults marked."""
        file = _real(checked.file)
        if self._entries:
            (self._wrong if checked.errors else self._checked).add(file)
        if not checked.faults:
            return checked
        rules: dict[int, dict[str, None]] = {}
        for fault in checked.faults:
            rules.setdefault(fault.line, {}).update(dict.fromkeys(fault.rules))
        for line, broken in rules.items():
            if (number := self._numbers.get((file, line))) is not None:
                self._found[number] = tuple(broken)
            elif self._fix:
                self._new[file, line] = tuple(broken)
        return replace(checked, faults=tuple(self._marked(file, fault) for fault in checked.faults))

    def _marked(self, file: str, fault: Fault) -> Fault:
        number = self._numbers.get((file, fault.line))
        if number is None or not set(fault.rules) <= set(self._entries[number].rules):
            return fault
        return replace(fault, expected=self._entries[number].why)

    def stale(self) -> list[Stale]:
        """Return what no longer fails as it is listed, of what was checked or is not there at all."""
        return [
            Stale(self._path, self._entries[number].at, self._sentence(number, missing))
            for number, missing in self._missing().items()
        ]

    def fixed(self) -> str:
        """Rewrite the list to what was found, and return in words what has changed.

        A fault that has moved to another line of its file keeps its reason.
        """
        missing = self._missing()
        gone = {number for number in missing if number not in self._found}
        differ = (number for number, rules in self._found.items() if set(rules) != set(self._entries[number].rules))
        changed = {number: replace(self._entries[number], rules=self._found[number]) for number in differ}
        new = dict(self._new)
        moved = self._moved(gone, new)
        added = [Entry(self._named(file), line, rules, UNKNOWN) for (file, line), rules in new.items()]
        try:
            text = edited(self._text, gone - moved.keys(), changed | moved, added)
            read(text)
        except Unreadable as why:
            raise WrongQuestion(f"{self._path}: {why}") from None
        if text != self._text:
            with replaced(self._path) as file:
                file.write(text)
        words = {"removed": len(gone) - len(moved), "changed": len(changed), "moved": len(moved), "added": len(added)}
        return ", ".join(f"{times} {word}" for word, times in words.items() if times) or "nothing to change"

    def _missing(self) -> dict[int, set[str]]:
        missing: dict[int, set[str]] = {}
        for (file, _), number in self._numbers.items():
            checked = file in self._checked and file not in self._wrong
            if not checked and (os.path.exists(file) or file == STDIN):
                continue
            if gone := set(self._entries[number].rules) - set(self._found.get(number, ())):
                missing[number] = gone
        return dict(sorted(missing.items()))

    def _sentence(self, number: int, missing: set[str]) -> str:
        entry = self._entries[number]
        if not os.path.exists(self._resolved(entry.file)) and entry.file != STDIN:
            return f"{entry.file} is not there any more; take the entry out, or let --fix do it"
        rules = ", ".join(sorted(missing))
        return f"{entry.file}:{entry.line} no longer breaks {rules}; take it out, or let --fix do it"

    def _moved(self, gone: set[int], new: dict[Key, tuple[str, ...]]) -> dict[int, Entry]:
        moved: dict[int, Entry] = {}
        twice = Counter((file, frozenset(rules)) for (file, _), rules in new.items())
        for number in sorted(gone):
            entry = self._entries[number]
            what = self._resolved(entry.file), frozenset(entry.rules)
            place = next((key for key, rules in new.items() if (key[0], frozenset(rules)) == what), None)
            if place and twice[what] == 1:
                del new[place]
                moved[number] = replace(entry, line=place[1])
        return moved

    def _resolved(self, file: str) -> str:
        return file if file == STDIN else os.path.realpath(os.path.join(os.path.dirname(self._path), file))

    def _named(self, file: str) -> str:
        if file == STDIN:
            return file
        folder = os.path.realpath(os.path.dirname(self._path) or ".")
        return os.path.relpath(file, folder).replace(os.sep, "/")


def _real(file: str) -> str:
    return file if file == STDIN else os.path.realpath(file)
