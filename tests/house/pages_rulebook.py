"""The parts of pages that come from the rulebook: articles, readings, what is asked when, house rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from referee.acts import ACTS
from referee.house import HOUSE, PRESETS
from referee.rulebook import RULEBOOK, Rule
from referee.stages import IN_HAND, SIX_PASSES, Stage
from tests.house.pages_tables import table

CHAPTERS = {
    "count": "Counting",
    "order": "Order",
    "pass": "Passing",
    "look": "Looking",
    "blind": "Passing blind",
    "stop": "Stopping",
    "courtesy": "The courtesy",
    "joker": "Jokers",
    "play": "The game proper",
    "draw": "Drawing",
}
BEFORE_ALL = {"order.deal", "order.stage"}


def rulebook() -> str:
    """Return the articles as a table, in book order."""
    return table(
        ["id", "article", "when broken"],
        ([f"`{rule.id}`", rule.text, rule.verdict.name] for rule in RULEBOOK.articles),
    )


def readings() -> str:
    """Return the readings as a list."""
    return "\n".join(f"- `{rule.id}`: {rule.reading}" for rule in RULEBOOK.articles if rule.reading)


def chapters() -> str:
    """Return the articles chapter by chapter, each with its reading and what it is asked of."""
    parts = []
    for chapter, rules in groupby(RULEBOOK.articles, lambda rule: rule.id.partition(".")[0]):
        parts.append(f"### {CHAPTERS[chapter]}")
        for rule in rules:
            parts += [f"#### {rule.id}", rule.text]
            if rule.reading:
                parts.append(f"*Reading.* {rule.reading}")
            parts.append(f"When broken: {rule.verdict.name}. {_asked_of(rule)}")
    return "\n\n".join(parts)


def asked() -> str:
    """Return which articles are asked of which act, at which stages, in which steps."""
    rows: list[list[str]] = []
    for kind in ACTS:
        at: dict[str, list[Stage]] = {}
        for stage in Stage:
            if own := _own(kind, stage):
                at.setdefault(own, []).append(stage)
        rows += ([kind.__name__, _stages(stages), own] for own, stages in at.items())
    return table(["act", "at", "articles"], rows)


def house() -> str:
    """Return the house rules and the presets."""
    rules = table(
        ["id", "what it says", "changes"],
        ([f"`{rule.id}`", rule.text, ", ".join(f"`{id}`" for id in rule.changes)] for rule in HOUSE),
    )
    presets = (f"The preset `{id}` stands for {', '.join(f'`{each}`' for each in ids)}." for id, ids in PRESETS.items())
    return "\n\n".join([rules, *presets])


def _own(kind: type, stage: Stage) -> str:
    """Return the articles of an act's own, step by step, without those that are asked of every act alike."""
    steps = [[rule.id for rule in step.rules] for step in RULEBOOK.steps[kind, stage] if not step.of_table]
    own = [ids for ids in steps if ids and not set(ids) <= BEFORE_ALL and (stage in IN_HAND or ids != ["order.over"])]
    return "; then ".join(", ".join(f"`{id}`" for id in ids) for ids in own)


def _stages(stages: list[Stage]) -> str:
    """Name stages, the six passes in short."""
    if SIX_PASSES <= set(stages):
        rest = [stage.name for stage in stages if stage not in SIX_PASSES]
        return ", ".join(["the six passes", *rest])
    return ", ".join(stage.name for stage in stages)


def _asked_of(rule: Rule) -> str:
    acts = [kind for kind in rule.asked if kind is not type(None)]
    if set(acts) == set(ACTS):
        return "Asked of every act."
    return f"Asked of {', '.join(_asked_at(rule, kind) for kind in acts)}."


def _asked_at(rule: Rule, kind: type) -> str:
    stages = [stage for stage in Stage if stage in rule.asked[kind]]
    return f"{kind.__name__} at {' and '.join(_listed(stages))}"


def _listed(stages: list[Stage]) -> Iterator[str]:
    names = _stages(stages).split(", ")
    if names[:-1]:
        yield ", ".join(names[:-1])
    yield names[-1]
