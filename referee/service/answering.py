"""How one request is answered: judged, put into words and written, and what may be noted of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from referee.acts import Act
from referee.codec import Options, ruling_bytes, sized, standing_bytes, views_bytes
from referee.ids import ruling_id
from referee.judge import Judgement, judge, judge_anew, precedent
from referee.next import Next, what_next
from referee.phrases import choose, phrases
from referee.precedents import Precedent
from referee.rulebook import RULEBOOK, Rulebook
from referee.ruling import Finding, JokerReturn, Misdeal, Ruling, Verdict
from referee.service.reply import Note
from referee.shape import Kept
from referee.stages import Stage
from referee.table import Table

_VERDICTS = ("", *(verdict.name for verdict in Verdict))
Ruled = tuple[bytes, Note]
"""The field of a ruling as it is sent, and what may be noted of it."""
_STAGES = ("", *(stage.name for stage in Stage))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may ask for at most."""

    acts: int = 1000
    questions: int = 1000
    bytes: int = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a referee answers: within which limits, with ids where there is a key, by which rulebook."""

    limits: Limits = Limits()
    key: bytes = b""
    rulebook: Rulebook = RULEBOOK
    ways: dict[Options, Answering] = field(default_factory=dict)
    """The ways to answer that were asked for, by options with a language that is spoken here: a few dozen at most."""
    written: dict[str, Kept[Ruled]] = field(default_factory=dict)
    """By language, how each precedent is told."""

    def answering(self, options: Options, accepted: str) -> Answering:
        """Return how to answer with these options a caller who accepts these languages."""
        language, trace, views, ruling_only = options
        spoken = Options(choose(language, accepted), trace, views, ruling_only)
        answering = self.ways.get(spoken)
        if answering is None:
            answering = self.ways[spoken] = Answering(self, spoken)
        return answering


class Answering:
    """How requests are to be answered: in which language, with ids or without, with how much of a ruling."""

    def __init__(self, terms: Terms, options: Options) -> None:
        """Take the terms, and the options with a language that is spoken here."""
        self._key = terms.key
        self._rulebook = terms.rulebook
        self._trace = options.trace
        self._standing = not options.ruling_only
        self._views = options.views and not options.ruling_only
        self.phrases = phrases(options.language)
        self._language = sized(b"\x22", options.language.encode())
        self._written = terms.written.setdefault(options.language, Kept())

    def answer(self, table: Table, act: Act | None) -> tuple[bytes, Note]:
        """Judge one question; return the bytes of a JudgeResponse or WhatNextResponse, and what may be noted."""
        if self._standing:
            ruling, note, then = self.step(table, act)
            return ruling + self.stand(then), note
        known = self._precedent(table, act)
        ruling, note = self._anew(table, act)[:2] if known is None else self._as_before(known, table, act)
        return ruling + self._language, note

    def step(self, table: Table, act: Act | None) -> tuple[bytes, Note, Next]:
        """Judge one question; return the field of its ruling, what may be noted, and what comes next."""
        known = self._precedent(table, act)
        if known is None:
            return self._anew(table, act)
        return *self._as_before(known, table, act), Next(known.after(table, act), known.open)

    def stand(self, then: Next) -> bytes:
        """Return the rest of an answer: how the table stands, and for whom it is asked, and the language."""
        standing = sized(b"\x12", standing_bytes(then)) if self._standing else b""
        if self._views:
            standing += b"".join(sized(b"\x1a", view) for view in views_bytes(then.table))
        return standing + self._language

    def judged(self, table: Table, act: Act | None) -> Judgement:
        """Judge one question."""
        return judge(table, act, trace=self._trace, rulebook=self._rulebook)

    def written(self, table: Table, act: Act | None, judgement: Judgement, then: Next) -> tuple[bytes, Note]:
        """Return a ruling as it is sent, and what may be noted of it."""
        id = ruling_id(self._key, table, act) if self._key else ""
        note = noted(table.stage, judgement.ruling, 0 if act is None else 1, id)
        return ruling_bytes(self.phrases, id, table, act, judgement, then), note

    def _precedent(self, table: Table, act: Act | None) -> Precedent | None:
        return None if self._trace or self._key else precedent(table, act, self._rulebook)

    def _anew(self, table: Table, act: Act | None) -> tuple[bytes, Note, Next]:
        judgement = judge_anew(table, act, trace=self._trace, rulebook=self._rulebook)
        then = what_next(judgement.table)
        ruling, note = self.written(table, act, judgement, then)
        return sized(b"\x0a", ruling), note, then

    def _as_before(self, known: Precedent, table: Table, act: Act | None) -> Ruled:
        return self._written.get(known) or self._written.keep(known, self._anew(table, act)[:2])


def noted(stage: Stage, ruling: Ruling, acts: int, id: str) -> Note:
    """Return what may be noted of a ruling at a stage, on an act or on none, with its id if it has one."""
    if not (ruling.broken or ruling.undecided):
        return Note(_STAGES[stage], _VERDICTS[ruling.verdict], (), acts, id)
    remedy = ruling.remedy
    return Note(
        stage=_STAGES[stage],
        verdict=_VERDICTS[ruling.verdict],
        rules=_ids(ruling.broken),
        acts=acts,
        ruling=id,
        moment=remedy.moment.name if isinstance(remedy, Misdeal) else "",
        jokers=remedy.jokers if isinstance(remedy, JokerReturn) else 0,
        undecided=_ids(ruling.undecided),
    )


def noted_all(stage: Stage, steps: Sequence[Note]) -> Note:
    """Return what may be noted of rulings one after another that began at a stage: the last one's, and all articles."""
    last = steps[-1] if steps else Note()
    broken = {id for step in steps for id in step.rules}
    rules = tuple(rule.id for rule in RULEBOOK.articles if rule.id in broken) if broken else ()
    return last._replace(stage=_STAGES[stage], rules=rules, acts=len(steps))


def _ids(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the ids of the articles of findings, each once, in the order of the findings, which is book order."""
    return tuple(dict.fromkeys([finding.rule for finding in findings]))
