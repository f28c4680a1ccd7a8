"""How one request is answered: judged, put into words and written, and what may be noted of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.acts import Act
from referee.codec import Options, ruling_bytes, sized, standing_bytes, views_bytes
from referee.ids import ruling_id
from referee.judge import Judgement, judge
from referee.next import Next, what_next
from referee.phrases import choose, phrases
from referee.rulebook import RULEBOOK, Rulebook
from referee.ruling import Finding, Verdict
from referee.service.reply import Note
from referee.stages import Stage
from referee.table import Table

_VERDICT = {verdict: verdict.name for verdict in Verdict}
_STAGE = {stage: stage.name for stage in Stage}


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
    known: dict[Options, Answering] = field(default_factory=dict)

    def answering(self, options: Options, accepted: str) -> Answering:
        """Return how to answer with these options a caller who accepts these languages; there are few ways, each made
        once."""
        language = choose(options.language, accepted) if options.language or accepted else "en"
        options = options._replace(language=language)
        known = self.known.get(options)
        if known is None:
            known = self.known[options] = Answering(self, options)
        return known


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

    def answer(self, table: Table, act: Act | None) -> tuple[bytes, Note]:
        """Judge one question; return the bytes of a JudgeResponse or WhatNextResponse, and what may be noted."""
        judgement = self.judged(table, act)
        then = what_next(judgement.table)
        id, ruling = self.written(table, act, judgement, then)
        body = sized(b"\x0a", ruling) + self.stand(judgement.table, then)
        ruled = judgement.ruling
        rules = found(ruled.broken) if ruled.broken else ()
        return body, Note(_STAGE[table.stage], _VERDICT[ruled.verdict], rules, 0 if act is None else 1, id)

    def judged(self, table: Table, act: Act | None) -> Judgement:
        """Judge one question."""
        return judge(table, act, trace=self._trace, rulebook=self._rulebook)

    def written(self, table: Table, act: Act | None, judgement: Judgement, then: Next) -> tuple[str, bytes]:
        """Return the id of a ruling, if it has one, and the ruling as it is sent."""
        id = ruling_id(self._key, table, act) if self._key else ""
        return id, ruling_bytes(self.phrases, id, table, act, judgement, then)

    def stand(self, table: Table, then: Next) -> bytes:
        """Return the rest of an answer: how the table stands, and for whom it is asked, and the language."""
        standing = sized(b"\x12", standing_bytes(table, then)) if self._standing else b""
        if self._views:
            standing += b"".join(sized(b"\x1a", view) for view in views_bytes(table))
        return standing + self._language


def noted(table: Table, judgements: list[Judgement], id: str) -> Note:
    """Return what may be noted of the judgements on acts that began at a table, the last of which has an id perhaps."""
    broken = [finding for judgement in judgements for finding in judgement.ruling.broken]
    verdict = judgements[-1].ruling.verdict.name if judgements else ""
    return Note(table.stage.name, verdict, found(broken), len(judgements), id)


def found(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the ids of the articles that were broken, each once, in book order."""
    broken = {finding.rule for finding in findings}
    return tuple(rule.id for rule in RULEBOOK.articles if rule.id in broken)
