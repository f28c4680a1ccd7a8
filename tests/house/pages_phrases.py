"""The page that shows every sentence of the referee in its languages, side by side."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from referee.house import HOUSE
from referee.phrases import LANGUAGES, phrases
from referee.rulebook import RULEBOOK
from tests.house.pages_tables import table

NAMES = {"en": "English", "fr": "français", "nl": "Nederlands"}
GROUPS = {
    "seats": "Seats",
    "stages": "Stages",
    "directions": "Directions",
    "tiles": "Tiles",
    "done": "What was done",
    "findings": "What is broken",
    "undecided": "What face-down tiles leave open",
    "rulings": "Rulings",
    "then": "What follows",
    "now": "What comes next",
    "titles": "Titles of articles",
    "transitions": "Transitions",
    "differences": "Differences",
}


def sentences() -> str:
    """Return all sentences, group by group: a row a sentence, a column a language."""
    words = {language: _words(language) for language in LANGUAGES}
    groups = [group for group, value in words["en"].items() if isinstance(value, dict)]
    parts = []
    for group in [*(each for each in GROUPS if each in groups), *(other for other in groups if other not in GROUPS)]:
        keys = [key for key, _ in _texts("", words["en"].get(group, {}))]
        texts = {language: dict(_texts("", words[language].get(group, {}))) for language in LANGUAGES}
        parts.append(
            _part(GROUPS.get(group, group), ((key, *(texts[lang][key] for lang in LANGUAGES)) for key in keys))
        )
    said = [phrases(language) for language in LANGUAGES]
    parts.append(_part("Articles", ((rule.id, *(p.article(rule) for p in said)) for rule in RULEBOOK.articles)))
    read = [rule for rule in RULEBOOK.articles if rule.reading]
    parts.append(_part("Readings", ((rule.id, *(p.reading(rule) for p in said)) for rule in read)))
    parts.append(_part("House rules", ((rule.id, *(p.house(rule) for p in said)) for rule in HOUSE)))
    return "\n\n".join(parts)


def _part(title: str, rows: Iterator[tuple[str, ...]]) -> str:
    head = ["", *(NAMES[language] for language in LANGUAGES)]
    return f"### {title}\n\n" + table(head, ([f"`{key}`", *map(_shown, texts)] for key, *texts in rows))


def _shown(text: str) -> str:
    """Keep braces and stars as they are written."""
    return text.replace("*", "\\*").replace("<", "&lt;")


def _words(language: str) -> Mapping[str, Any]:
    return tomllib.loads(resources.files("referee.phrases").joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def _texts(prefix: str, words: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in words.items():
        if isinstance(value, dict):
            yield from _texts(f"{prefix}{key}.", value)
        else:
            yield f"{prefix}{key}", value
