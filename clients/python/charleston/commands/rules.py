"""`charleston rules`: the articles by which a referee judges, or its house rules, all of them or one whole."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TypeVar

from google.protobuf import json_format

from charleston.asking import Referee
from charleston.commands.source import WrongQuestion
from charleston.paint import Paint, left
from charleston.referee.v1 import ruling_pb2, service_pb2

R = TypeVar("R")


def run(told: Namespace, door: Referee) -> int:
    """List the articles or the house rules, or tell the one asked for."""
    rulebook = door.get_rulebook(service_pb2.GetRulebookRequest())
    paint = Paint.on(sys.stdout)
    if told.house:
        rules = {rule.id: rule for rule in rulebook.house_rules}
        chosen = list(rules.values()) if told.id is None else [_found(told.id, rules, "house rule")]
        shown = service_pb2.GetRulebookResponse(house_rules=chosen)
        print(json_format.MessageToJson(shown) if told.json else "\n\n".join(_house(chosen, paint)))
        return 0
    if told.id is None:
        print(json_format.MessageToJson(rulebook) if told.json else "\n".join(_list(rulebook.articles, paint)))
        return 0
    article = _found(told.id, {article.id: article for article in rulebook.articles})
    print(json_format.MessageToJson(article) if told.json else "\n".join(_whole(article, paint)))
    return 0


def _found(id: str, articles: dict[str, R], what: str = "article") -> R:
    if id in articles:
        return articles[id]
    meant = [each for each in articles if each.startswith(f"{id}.")] or get_close_matches(id, articles)
    hint = (
        f"; there is {', '.join(meant)}"
        if meant
        else f"; `charleston rules{' --house' * (what != 'article')}` lists them"
    )
    raise WrongQuestion(f"there is no {what} {id!r}{hint}")


def _list(articles: Iterable[service_pb2.Article], paint: Paint) -> Iterator[str]:
    chapter = None
    for article in articles:
        if chapter not in (None, article.id.partition(".")[0]):
            yield ""
        chapter = article.id.partition(".")[0]
        verdict = _verdict(article)
        reading = paint("quiet", " (a reading)") if article.reading else ""
        yield f"{left(paint('title', article.id), 18)}{left(paint(verdict, verdict), 14)}{article.title}{reading}"


def _house(rules: Iterable[service_pb2.HouseRule], paint: Paint) -> Iterator[str]:
    for rule in rules:
        names = f"stands for {', '.join(rule.includes)}" if rule.includes else f"changes {', '.join(rule.changes)}"
        yield "\n".join(filter(None, (f"{paint('title', rule.id)}  {names}", textwrap.fill(rule.text, 96))))


def _whole(article: service_pb2.Article, paint: Paint) -> Iterator[str]:
    yield f"{paint('title', article.id)}  {article.title}"
    yield ""
    yield textwrap.fill(article.text, 96)
    if article.reading:
        yield ""
        yield textwrap.fill(f"Reading: {article.reading}", 96)
    yield ""
    yield f"When broken: {paint(_verdict(article), _verdict(article))}"


def _verdict(article: service_pb2.Article) -> str:
    return ruling_pb2.Verdict.Name(article.verdict).removeprefix("VERDICT_")
