"""What an article is: a permanent id, a verdict when broken, and one small function that asks it.

A rule's function yields a Finding for each seat that breaks the article, Unsure where face-down tiles keep that
undecided, and READING where its answer, whatever it is, would be another without the article's reading. Its
docstring is the article.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from referee.acts import Act
from referee.ruling import FactValue, Finding, Verdict
from referee.stages import Seat, Stage
from referee.table import Table


@dataclass(frozen=True, slots=True)
class Reading:
    """The mark that an answer rests on a reading: the article's own, or that of the article named."""

    of: str = ""


@dataclass(frozen=True, slots=True)
class Unsure:
    """The mark that a seat may or may not break the article: face-down tiles keep it undecided."""

    finding: Finding


READING: Final = Reading()
Kind = type[Act] | type[None]
Answers = Iterator[Finding | Unsure | Reading]
Ask = Callable[[Table, Any], Answers]


@dataclass(frozen=True, slots=True)
class Rule:
    """An article of the rulebook: `asked` says of which acts, and at which stages; `unless` names an article that,
    when broken, leaves this one unasked."""

    id: str
    text: str
    verdict: Verdict
    ask: Ask
    asked: Mapping[Kind, frozenset[Stage]]
    reading: str = ""
    unless: str = ""


def rule(
    id: str,
    verdict: Verdict,
    asked: Mapping[Kind, frozenset[Stage]],
    *,
    reading: str = "",
    unless: str = "",
) -> Callable[[Ask], Rule]:
    """Make a rule of a function whose docstring is the article."""

    def made(ask: Ask) -> Rule:
        text = " ".join((ask.__doc__ or "").split())
        return Rule(id, text, verdict, ask, asked, reading, unless)

    return made


def found(rule_id: str, seat: Seat | None, **facts: FactValue) -> Finding:
    """Return a finding with its facts sorted by name."""
    return Finding(rule_id, seat, tuple(sorted(facts.items())))


def unsure(rule_id: str, seat: Seat, **facts: FactValue) -> Unsure:
    """Return what would be a finding if the face-down tiles are so."""
    return Unsure(found(rule_id, seat, **facts))
