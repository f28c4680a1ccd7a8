"""The sentences: one for whatever can be found, and each of them said by some case."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from charleston.conformance.cases import load
from referee.house import HOUSE
from referee.judge import judge
from referee.next import what_next
from referee.phrases import LANGUAGES, choose, phrases
from referee.phrases.template import template
from referee.rulebook import RULEBOOK


def said(language: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the sentence of every finding of the corpus."""
    words = phrases(language)
    for case in load():
        if case.question or "error" in case.want:
            continue
        table = case.table()
        for act in case.parsed:
            ruling, after = judge(table, act)
            assert words.ruling(table, act, ruling, after, what_next(after))
            for finding in ruling.broken:
                why = dict(finding.facts).get("why")
                yield f"findings.{finding.rule}" + (f".{why}" if isinstance(why, str) else ""), words.finding(finding)
            for finding in ruling.undecided:
                yield f"undecided.{finding.rule}", words.undecided(finding)
            table = after


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_finding_is_said_by_some_case(language: str) -> None:
    """Whatever can be found has a sentence, and every such sentence is said somewhere in the corpus."""
    keys = {key for key in phrases(language).templates if key.startswith(("findings.", "undecided."))}

    assert keys == {key for key, _ in said(language)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_one(language: str) -> None:
    """Every sentence of a finding begins with a capital, ends with one full stop and has no place left open."""
    wrong = [s for _, s in said(language) if not (s[0].isupper() and s.endswith(".") and s.count(".") == 1) or "{" in s]

    assert [] == wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_article_has_a_title(language: str) -> None:
    """Every article has a title of its own."""
    titles = [phrases(language).title(rule) for rule in RULEBOOK.articles]

    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_what_english_says(language: str) -> None:
    """A language has the sentences of English, with facts that English has; every article, reading and house rule."""
    english, other = phrases("en").templates, phrases(language).templates
    rulebook = {f"articles.{rule.id}" for rule in RULEBOOK.articles}
    rulebook |= {f"readings.{rule.id}" for rule in RULEBOOK.articles if rule.reading}
    rulebook |= {f"house.{rule.id}" for rule in HOUSE}

    assert set(english) == {key for key in other if not key.startswith(("articles.", "readings.", "house."))}
    assert [] == [key for key, sentence in english.items() if not other[key].names <= sentence.names]
    assert language == "en" or rulebook == set(other) - set(english)


@pytest.mark.parametrize(
    ("asked", "accepted", "expected"),
    [
        ("", "", "en"),
        ("fr", "nl", "fr"),
        ("NL-be", "", "nl"),
        ("de", "fr-CA", "fr"),
        ("", "en;q=0.5, nl;q=0.8, fr;q=0.7", "nl"),
        ("", "de, fr;q=0", "en"),
        ("", "fr;q=much, nl;q=0.1", "nl"),
        ("", "*", "en"),
        ("", ";;,q=1,,-", "en"),
    ],
)
def test_the_language_is_the_one_asked_for_else_the_best_accepted(asked: str, accepted: str, expected: str) -> None:
    """The language is the one asked for, else the accepted one with the highest q-value that is ours, else English."""
    assert expected == choose(asked, accepted)


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "none at all"), (1, "a Joker"), (2, "two Jokers"), (20, "20 Jokers")]
)
def test_a_template_has_a_form_for_one_for_many_and_for_none(number: int, expected: str) -> None:
    """A template says one form for one, another for many and a third for none."""
    words = phrases("en")

    assert expected == template("{n|a Joker|# Jokers|none at all}").filled({"n": number}, words.say, {1})
