"""To the wire: rulings as bytes, with the sentences of a language."""

from __future__ import annotations

from functools import cache

from referee.codec.wire import number, sized, text
from referee.notation import tiles_text
from referee.ruling import Asked, FactValue, Finding, JokerReturn, Misdeal, Ruling, SeatCount, Verdict
from referee.stages import Seat, Stage

_VERDICTS = {verdict: number(b"\x10", verdict) for verdict in Verdict}


def ruling_bytes(ruling: Ruling, id: str, message: str, said: list[str]) -> bytes:
    """Return a ruling with its id, its message, and a sentence for each finding: of the broken, then the undecided."""
    pieces = [text(b"\x0a", id), _VERDICTS[ruling.verdict], text(b"\x1a", message)]
    if said:
        sentences = iter(said)
        pieces += [sized(b"\x22", _finding(finding, next(sentences))) for finding in ruling.broken]
        pieces += [sized(b"\x2a", _finding(finding, next(sentences))) for finding in ruling.undecided]
    pieces += [text(b"\x32", rests) for rests in ruling.rests_on]
    if ruling.remedy is not None:
        pieces.append(_remedy(ruling.remedy))
    pieces += [_asked(asked) for asked in ruling.trace]
    return b"".join(pieces)


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
