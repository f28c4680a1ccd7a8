"""The corpus guards every article: it fails without any one of them, and each has cases that break it and nearly do."""

from __future__ import annotations

from collections import Counter

import pytest

from charleston.conformance.comparing import mismatches
from referee.rulebook import RULEBOOK
from tests.test_corpus import CASES, ask

ASKED = [case for case in CASES if case.acts]
IDS = [rule.id for rule in RULEBOOK.articles]


def failing(id: str) -> list[str]:
    """Return the names of the cases that fail when an article is struck out."""
    rulebook = RULEBOOK.without(id)
    failed = []
    for case in ASKED:
        try:
            wrong = mismatches(case, ask(case, rulebook))
        except Exception as error:  # a core without the article may well stumble over what the article keeps out
            wrong = [repr(error)]
        if wrong:
            failed.append(case.name)
    return failed


def test_the_corpus_holds_with_every_article() -> None:
    """With all articles no case fails, so what fails without one fails for want of it."""
    assert [] == [case.name for case in ASKED if mismatches(case, ask(case))]


@pytest.mark.parametrize("id", IDS)
def test_the_corpus_fails_without_an_article(id: str) -> None:
    """Strike out an article and the corpus fails, at a case that breaks it among others."""
    breaking = {case.name for case in ASKED if id in case.want.get("broken", ())}

    assert breaking & set(failing(id))


@pytest.mark.parametrize("id", IDS)
def test_an_article_has_cases_on_both_sides(id: str) -> None:
    """Two cases or more break an article, and one or more nearly breaks it."""
    breaking = [case.name for case in CASES if id in case.want.get("broken", ())]
    near = [case.name for case in CASES if id in case.near]

    assert len(breaking) >= 2
    assert len(near) >= 1


def test_what_is_nearly_broken_is_not() -> None:
    """A case names as near articles of the rulebook that it does not break, and says what it does break."""
    wrong = [case.name for case in CASES for id in case.near if id not in IDS or id in case.want.get("broken", (id,))]

    assert [] == wrong


def test_no_case_is_told_twice() -> None:
    """Every case has a name of its own, which begins with its chapter, and a level."""
    names = Counter(case.name for case in CASES)

    assert [] == [name for name, times in names.items() if times > 1]
    assert {"required", "recommended"} == {case.level for case in CASES}
