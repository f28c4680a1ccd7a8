"""To the wire: rulings as bytes, with the sentences of a language."""

from __future__ import annotations

from functools import cache, lru_cache

from referee.acts import Act
from referee.codec.wire import number, sized, text
from referee.house import HouseRules
from referee.judge import Judgement
from referee.next import Next, Open
from referee.notation import tiles_text
from referee.phrases import Phrases
from referee.phrases.deeds import Deed, deed_of, event_of
from referee.ruling import Asked, FactValue, Finding, JokerReturn, Misdeal, Ruling, SeatCount, Verdict
from referee.stages import Seat, Stage
from referee.table import Table
from referee.tiles import Tile

_VERDICTS = {verdict: number(b"\x10", verdict) for verdict in Verdict}
_KEPT = 4096
"""So many wordings are kept, of which rulings are made. None of them names a tile."""


def ruling_bytes(words: Phrases, id: str, table: Table, act: Act | None, judgement: Judgement, then: Next) -> bytes:
    """Return the ruling on an act at a table, or on the table as it stands, with its id and in words."""
    ruling, after = judgement
    worded = wording if _names_tiles(ruling) else kept_wording
    said, rest = worded(words, ruling, deed_of(act), event_of(table, act, after), table.stage, after.stage)
    now = _now(words, after.stage, after.house.ids, then.open)
    return text(b"\x0a", id) + _VERDICTS[ruling.verdict] + sized(b"\x1a", said + now) + rest


def _names_tiles(ruling: Ruling) -> bool:
    findings = (*ruling.broken, *ruling.undecided)
    return any(isinstance(value, bytes | Tile) for finding in findings for _, value in finding.facts)


def wording(words: Phrases, ruling: Ruling, deed: Deed, event: str, stage: Stage, after: Stage) -> tuple[bytes, bytes]:
    """Return what is said of a ruling, up to what is to be done now, and the fields that follow the message."""
    pieces = [sized(b"\x22", _finding(finding, words.finding(finding))) for finding in ruling.broken]
    pieces += [sized(b"\x2a", _finding(finding, words.undecided(finding))) for finding in ruling.undecided]
    pieces += [text(b"\x32", rests) for rests in ruling.rests_on]
    if ruling.remedy is not None:
        pieces.append(_remedy(ruling.remedy))
    pieces += [_asked(asked) for asked in ruling.trace]
    return f"{words.said(ruling, deed, event, stage, after)} ".encode(), b"".join(pieces)


kept_wording = lru_cache(_KEPT)(wording)
"""The same, kept: most rulings say nothing but what many have said, and name no tile."""


@lru_cache(_KEPT)
def _now(words: Phrases, stage: Stage, house: tuple[str, ...], open: Open) -> bytes:
    """Return what is said of what is to be done now."""
    turn = Table(house=HouseRules(house)).turn
    return words.now(stage, zip(turn, open.acts, strict=True)).encode()


def fact_text(value: FactValue) -> str:
    """Write a fact: a number, a permanent name such as FIRST_LEFT, or tiles in notation."""
    match value:
        case Seat() | Stage():
            return value.name
        case bytes():
            return tiles_text(value)
        case _:
            return str(value)


def _finding(finding: Finding, message: str) -> bytes:
    facts = b"".join(
        sized(b"\x1a", text(b"\x0a", name) + text(b"\x12", fact_text(value))) for name, value in finding.facts
    )
    return text(b"\x0a", finding.rule) + number(b"\x10", finding.seat or 0) + facts + text(b"\x22", message)


def _remedy(remedy: JokerReturn | Misdeal) -> bytes:
    match remedy:
        case JokerReturn(finder, passer, jokers):
            return sized(b"\x3a", number(b"\x08", finder) + number(b"\x10", passer) + number(b"\x18", jokers))
        case Misdeal(moment, counts):
            return sized(b"\x42", number(b"\x08", moment) + b"".join(map(_count, counts)))


def _count(count: SeatCount) -> bytes:
    body = number(b"\x08", count.seat) + number(b"\x10", count.counted) + number(b"\x18", count.dealt)
    return sized(b"\x12", body)


@cache
def _asked(asked: Asked) -> bytes:
    """Return an article that was asked; there are few, and with a trace each of them is in every answer."""
    return sized(b"\x4a", text(b"\x0a", asked.rule) + number(b"\x10", asked.outcome))
