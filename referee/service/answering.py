"""How one request is answered: judged, put into words and written, and what may be noted of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.acts import Act
from referee.codec import write_ruling, write_standing, write_views
from referee.ids import ruling_id
from referee.judge import Judgement, judge
from referee.next import Next, what_next
from referee.phrases import choose, phrases
from referee.rulebook import RULEBOOK, Rulebook
from referee.ruling import Verdict
from referee.service.reply import Note
from referee.stages import Moment
from referee.table import Table

Answered = service_pb2.JudgeResponse | service_pb2.WhatNextResponse | service_pb2.ReplayResponse


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


class Answering:
    """How one request is to be answered: in which language, with ids or without, with how much of a ruling."""

    def __init__(self, terms: Terms, options: service_pb2.AnswerOptions, accepted: str) -> None:
        """Take the terms, the options of a request and the languages that its caller accepts."""
        self._key = terms.key
        self._rulebook = terms.rulebook
        self._trace = options.trace
        self._standing = not options.ruling_only
        self._views = options.views and not options.ruling_only
        self.phrases = phrases(choose(options.language, accepted))

    def answer(
        self, response: service_pb2.JudgeResponse | service_pb2.WhatNextResponse, table: Table, act: Act | None
    ) -> Note:
        """Judge one question into a response; return what may be noted."""
        judgement = self.judged(table, act)
        then = what_next(judgement.table)
        ruling = self.written(table, act, judgement, then)
        response.ruling.CopyFrom(ruling)
        self.stand(response, judgement.table, then)
        return noted(table, [ruling], 0 if act is None else 1)

    def judged(self, table: Table, act: Act | None) -> Judgement:
        """Judge one question."""
        return judge(table, act, trace=self._trace, rulebook=self._rulebook)

    def written(self, table: Table, act: Act | None, judgement: Judgement, then: Next) -> ruling_pb2.Ruling:
        """Return a ruling as it is sent."""
        ruling = write_ruling(self.phrases, table, act, judgement, then)
        if self._key:
            ruling.id = ruling_id(self._key, table, act)
        return ruling

    def stand(self, response: Answered, table: Table, then: Next) -> None:
        """Add to an answer how the table stands, and for whom it is asked."""
        response.language = self.phrases.language
        if self._standing:
            response.standing.CopyFrom(write_standing(table, then, ruling_pb2.VIEWER_REFEREE))
        if self._views:
            response.views.extend(write_views(table))


def noted(table: Table, rulings: Sequence[ruling_pb2.Ruling], acts: int) -> Note:
    """Return what may be noted of the rulings on so many acts, or on none, that began at a table."""
    broken = {finding.rule for ruling in rulings for finding in ruling.broken}
    last = rulings[-1] if rulings else ruling_pb2.Ruling()
    return Note(
        stage=table.stage.name,
        verdict=Verdict(last.verdict).name if rulings else "",
        rules=tuple(rule.id for rule in RULEBOOK.articles if rule.id in broken),
        acts=acts,
        ruling=last.id,
        moment=Moment(last.misdeal.moment).name if last.HasField("misdeal") else "",
        jokers=last.joker_return.jokers,
        undecided=tuple({finding.rule: None for finding in last.undecided}),
    )
