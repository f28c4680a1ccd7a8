"""Templates of sentences: facts in braces, and a form for one and another for many."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

_FIELD = re.compile(r"\{(\w+)((?:\|[^{}|]*)*)\}")


@dataclass(frozen=True, slots=True)
class Field:
    """A place in a template: the fact that fills it, and its forms for one, for many and (perhaps) for none."""

    name: str
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with places for facts."""

    parts: tuple[str | Field, ...]

    @property
    def names(self) -> frozenset[str]:
        """The facts that the sentence needs."""
        return frozenset(part.name for part in self.parts if isinstance(part, Field))

    def filled(self, facts: Mapping[str, object], say: Callable[[object], str], singular: Container[int]) -> str:
        """Return the sentence; a value is put into words by `say`, and counted if it has several members.

        `singular` holds the numbers that take the form for one.
        """
        return "".join(
            part if isinstance(part, str) else _form(part, facts[part.name], say, singular) for part in self.parts
        )


def template(text: str) -> Template:
    """Read a template."""
    parts: list[str | Field] = []
    end = 0
    for match in _FIELD.finditer(text):
        parts += [text[end : match.start()], Field(match[1], tuple(match[2].split("|")[1:]))]
        end = match.end()
    return Template((*(part for part in parts if part), text[end:]))


def _form(field: Field, value: object, say: Callable[[object], str], singular: Container[int]) -> str:
    if not field.forms:
        return say(value)
    number = len(value) if isinstance(value, tuple | bytes) else value
    if number == 0 and len(field.forms) == 3:
        return field.forms[2]
    return field.forms[0 if number in singular else 1].replace("#", say(number))
