"""What a check finds: an item with its faults, each with what is broken; plain data, sent from process to process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Difference:
    """How tables differ: its kind, the field, and what was expected and is there."""

    kind: str
    path: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the rule, the seat (empty: at none), a sentence, and how tables differ if they do.

    A rule is an article of the rulebook, or `difference.` and the kind of a difference that no one article forbids.
    """

    rule: str
    seat: str
    message: str
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """An act, a claim or a transition that is not lawful, and where: its line, and which act of the game it is.

    `number` is None where it is no act. `expected` says why it is a known fault; it is empty where it is not.
    """

    line: int
    number: int | None
    act: str
    verdict: str
    message: str
    findings: tuple[Finding, ...]
    remedy: dict[str, Any] | None = None
    expected: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are broken, each once."""
        return tuple(dict.fromkeys(finding.rule for finding in self.findings))


@dataclass(frozen=True, slots=True)
class Error:
    """Why an item cannot be judged, and at which line."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A game or a transition: its file, the line it starts at, how many acts were judged, and what is wrong."""

    file: str
    line: int
    kind: str
    acts: int = 0
    faults: tuple[Fault, ...] = ()
    errors: tuple[Error, ...] = ()

    @property
    def unexpected(self) -> tuple[Fault, ...]:
        """The faults that are not known."""
        return tuple(fault for fault in self.faults if not fault.expected)


@dataclass(frozen=True, slots=True)
class Stale:
    """A known fault that no longer fails: the file that lists it, the line there, and a sentence."""

    file: str
    line: int
    message: str


@dataclass(slots=True)
class Summary:
    """How many of what there were, how often each rule was broken, and what no longer fails."""

    kinds: Counter[str] = field(default_factory=Counter)
    lawful: int = 0
    unlawful: int = 0
    expected: int = 0
    wrong: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    stale: list[Stale] = field(default_factory=list)

    def add(self, checked: Checked) -> None:
        """Count one item: lawful, unlawful, of known faults only, or not to be judged."""
        self.kinds[checked.kind] += 1
        if checked.errors:
            self.wrong += 1
        elif not checked.faults:
            self.lawful += 1
        elif checked.unexpected:
            self.unlawful += 1
        else:
            self.expected += 1
        for fault in checked.faults:
            self.rules.update(fault.rules)
            if fault.expected:
                self.known.update(fault.rules)

    @property
    def status(self) -> int:
        """What the command exits with."""
        return 2 if self.wrong else int(bool(self.unlawful or self.stale))
