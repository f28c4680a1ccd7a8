"""Sentences: what the referee says, in a language, of a ruling. One TOML file holds all the words of a language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from referee.acts import Act
from referee.house import HouseRule
from referee.next import ActKind, Next, OpenAct
from referee.phrases.deeds import FACTS, NOTHING, Deed, deed_of, event_of
from referee.phrases.template import Template, template
from referee.rulebook import Rule
from referee.ruling import Finding, JokerReturn, Ruling, Verdict
from referee.stages import DIRECTIONS, NOT_DEALT, Seat, Stage
from referee.table import Table
from referee.tiles import Tile

ENGLISH = "en"
LANGUAGES = (ENGLISH, "fr", "nl")
_SHORT = 64
"""Of wishes no longer than this it is kept which language they led to."""


def choose(asked: str, accepted: str) -> str:
    """Return the language to answer in: the one asked for, else the best of those accepted, else English.

    `asked` is a BCP 47 tag such as `fr-CA`, `accepted` a list of them with q-values, as in `nl, fr;q=0.8`. What cannot
    be read, or is no language of ours, is passed over.
    """
    if not asked and not accepted:
        return ENGLISH
    return _chosen(asked, accepted) if len(asked) + len(accepted) <= _SHORT else _best(asked, accepted)


def _best(asked: str, accepted: str) -> str:
    wishes = [(1.0, asked), *sorted(_wishes(accepted), key=lambda wish: -wish[0])]
    languages = (tag.strip().partition("-")[0].lower() for _, tag in wishes)
    return next((language for language in languages if language in LANGUAGES), ENGLISH)


_chosen = lru_cache(maxsize=1024)(_best)
"""The same, kept: most callers say what many have said."""


def _wishes(accepted: str) -> Iterator[tuple[float, str]]:
    for wish in accepted.split(","):
        tag, _, quality = wish.replace(" ", "").partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        if 0 < weight <= 1:
            yield weight, tag


@cache
def phrases(language: str) -> Phrases:
    """Return the phrases of a language, one of LANGUAGES."""
    text = resources.files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Phrases(tomllib.loads(text))


class Phrases:
    """All that the referee says in one language."""

    def __init__(self, words: Mapping[str, Any]) -> None:
        """Read the templates once."""
        self.language: str = words["language"]
        self._words = words
        self._numbers: list[str] = words["numbers"].split()
        self._singular: frozenset[int] = frozenset(words["singular"])
        self.templates: dict[str, Template] = dict(_templates("", words))
        self._seats: dict[int, str] = {seat: words["seats"][seat.name] for seat in Seat}
        self._stages: dict[int, str] = {stage: words["stages"][stage.name] for stage in Stage}
        self._tiles: dict[int, str] = {tile: self._tile(tile) for tile in Tile}

    def finding(self, finding: Finding) -> str:
        """Say what a finding found, as one sentence."""
        return _sentence(self._found("findings", finding))

    def undecided(self, finding: Finding) -> str:
        """Say what face-down tiles keep undecided, as one sentence."""
        return _sentence(self._found("undecided", finding))

    def title(self, rule: Rule) -> str:
        """Return the title of an article."""
        title: str = self._words["titles"][rule.id]
        return title

    def article(self, rule: Rule) -> str:
        """Return the text of an article; the rulebook itself is in English."""
        text: str = self._words.get("articles", {}).get(rule.id, rule.text)
        return text

    def reading(self, rule: Rule) -> str:
        """Return how an article is read; the empty string where the documents leave nothing open."""
        text: str = self._words.get("readings", {}).get(rule.id, rule.reading)
        return text

    def ruling(self, table: Table, act: Act | None, ruling: Ruling, after: Table, then: Next) -> str:
        """Say a whole ruling: what was done, what is wrong and why, what it costs, and what to do now."""
        said = self.said(ruling, deed_of(act), event_of(table, act, after), table.stage, after.stage)
        return f"{said} {self.now(after.stage, zip(after.turn, then.open.acts, strict=True))}"

    def said(self, ruling: Ruling, deed: Deed, event: str, stage: Stage, after: Stage) -> str:
        """Say a ruling on a deed at a stage, with what it led to: an event, another stage; but not what to do now."""
        said = [self._done(deed, stage), *self._judged(deed, ruling)]
        if ruling.verdict not in (Verdict.ILLEGAL, Verdict.MISDEAL):
            said += self._follows(event, stage, after)
        return " ".join(said)

    def now(self, stage: Stage, opened: Iterable[tuple[Seat, tuple[OpenAct, ...]]]) -> str:
        """Say what is to be done at a stage where so much is open to each seat."""
        return " ".join(self._musts(stage, opened))

    def sentence(self, key: str, facts: Mapping[str, object]) -> str:
        """Fill a template and make a sentence of it."""
        return _sentence(self._fill(key, facts))

    def _fill(self, key: str, facts: Mapping[str, object]) -> str:
        return self.templates[key].filled(facts, self.say, self._singular)

    def say(self, value: object) -> str:
        """Put a fact into words: a seat, a stage, tiles, a number, or several of them."""
        match value:
            case Seat():
                return self._seats[value]
            case Stage():
                return self._stages[value]
            case Tile():
                return self._tiles[value]
            case bytes():
                return self._list([self._tiles[each] for each in value])
            case tuple():
                return self._list([self.say(each) for each in value])
            case int():
                return self._numbers[value] if 0 <= value < len(self._numbers) else str(value)
            case _:
                return str(value)

    def _tile(self, tile: Tile) -> str:
        suit, _, number = tile.name.partition("_")
        return self._fill(f"tiles.{suit}", {"number": number})

    def _list(self, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self._fill("and", {"most": ", ".join(words[:-1]), "last": words[-1]})

    def house(self, rule: HouseRule) -> str:
        """Return the text of a house rule; they too are in English themselves."""
        text: str = self._words.get("house", {}).get(rule.id, rule.text)
        return text

    def _found(self, kind: str, finding: Finding) -> str:
        facts = {"seat": finding.seat, **dict(finding.facts)}
        key, why = f"{kind}.{finding.rule}", facts.get("why")
        return self._fill(f"{key}.{why}" if isinstance(why, str) else key, facts)

    def _done(self, deed: Deed, stage: Stage) -> str:
        key, *values = deed
        facts = dict(zip(FACTS[key], values, strict=True))
        return _sentence(self._fill(f"done.{key}", {"stage": stage, **facts}))

    def _judged(self, deed: Deed, ruling: Ruling) -> Iterator[str]:
        def cited(kind: str, findings: tuple[Finding, ...]) -> dict[str, object]:
            said = (self._fill("cite", {"sentence": self._found(kind, f), "rule": f.rule}) for f in findings)
            return {"findings": self._words["between"].join(said)}

        findings = cited("findings", ruling.broken)
        match ruling.verdict:
            case Verdict.LEGAL if deed != NOTHING:
                yield self._fill("rulings.lawful", {})
            case Verdict.ILLEGAL:
                yield self._fill("rulings.refused", findings)
            case Verdict.MISDEAL:
                yield self._fill("rulings.misdeal", findings)
            case Verdict.JOKER_RETURN:
                yield self._fill("rulings.returned", findings)
        if ruling.undecided:
            yield self._fill("rulings.undecided", cited("undecided", ruling.undecided))
        if isinstance(back := ruling.remedy, JokerReturn):
            facts = {"jokers": back.jokers, "passer": back.passer, "finder": back.finder}
            yield _sentence(
                self._fill(f"rulings.{'joker_passed' if back.finder is back.passer else 'joker_found'}", facts)
            )

    def _follows(self, event: str, stage: Stage, after: Stage) -> Iterator[str]:
        if event:
            yield self._fill(f"then.{event}", {})
        if after is not stage and after is not Stage.PLAY:
            yield _sentence(self._fill("then.begins", {"stage": after}))

    def _musts(self, stage: Stage, opened: Iterable[tuple[Seat, tuple[OpenAct, ...]]]) -> Iterator[str]:
        if stage in NOT_DEALT or stage is Stage.PLAY:
            yield self._fill("now.game" if stage is Stage.PLAY else "now.deal", {})
            return
        musts: dict[tuple[str, int, Seat | None], list[Seat]] = {}
        stoppable = False
        for seat, acts in opened:
            for act in acts:
                stoppable = stoppable or act.kind is ActKind.STOP
                if act.must:
                    musts.setdefault(_must(seat, act), []).append(seat)
        for (key, tiles, receiver), seats in musts.items():
            direction = self._words["directions"][DIRECTIONS[stage].name] if key.startswith("pass") else ""
            facts = {"seats": tuple(seats), "tiles": tiles, "receiver": receiver, "direction": direction}
            yield _sentence(self._fill(f"now.{key}", facts))
        if stoppable:
            yield self._fill("now.stop", {})


def _must(seat: Seat, act: OpenAct) -> tuple[str, int, Seat | None]:
    """Return the key of the sentence for what must be done, its number, and whom it goes to if that matters."""
    match act.kind:
        case ActKind.PASS:
            return ("pass_blind" if act.blind else "pass"), act.tiles, None
        case ActKind.REPLACE:
            (creditor,) = act.receivers
            return ("replace_pass", act.tiles, None) if creditor is seat else ("replace", act.tiles, creditor)
        case kind:
            return kind.name.lower(), 0, None


def _templates(prefix: str, words: Mapping[str, Any]) -> Iterator[tuple[str, Template]]:
    for key, value in words.items():
        if isinstance(value, str):
            yield f"{prefix}{key}", template(value)
        elif isinstance(value, dict):
            yield from _templates(f"{prefix}{key}.", value)


def _sentence(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."
