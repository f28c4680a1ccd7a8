"""`charleston transition`: whether one table can follow another, and what speaks against it."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace
from collections.abc import Iterator

from google.protobuf import json_format

from charleston.asking import Referee
from charleston.commands.question import Entry, read_game, read_table, refused
from charleston.commands.source import WrongQuestion
from charleston.errors import RefereeError
from charleston.paint import Paint, left
from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.notation import Claim

UNLAWFUL = (ruling_pb2.VERDICT_ILLEGAL, ruling_pb2.VERDICT_MISDEAL)
TILES = (ruling_pb2.DIFFERENCE_KIND_FLOW, ruling_pb2.DIFFERENCE_KIND_TILES)


def run(told: Namespace, door: Referee) -> int:
    """Ask about a transition; return 0 if nothing speaks against it, 1 if something does."""
    asked = service_pb2.JudgeTransitionRequest(
        before=read_table(told.before, told.house).table, after=read_table(told.after, told.house).table
    )
    entries: tuple[Entry, ...] = ()
    if told.acts is not None:
        entries = tuple(entry for entry in read_game(told.acts).entries if not isinstance(entry.what, Claim))
        asked.acts.acts.extend(entry.what for entry in entries if not isinstance(entry.what, Claim))
    try:
        answer = door.judge_transition(asked)
    except RefereeError as error:
        raise _wrong(told, error, entries) from None
    if told.json:
        print(json_format.MessageToJson(answer))
    else:
        print("\n".join(_lines(answer, entries, Paint.on(sys.stdout))))
    return 1 if answer.verdict in UNLAWFUL else 0


def _lines(answer: service_pb2.JudgeTransitionResponse, entries: tuple[Entry, ...], paint: Paint) -> Iterator[str]:
    verdict = ruling_pb2.Verdict.Name(answer.verdict).removeprefix("VERDICT_")
    # What the message goes on to say stands below, a line each.
    summary = answer.message.partition(answer.differences[0].message)[0] if answer.differences else answer.message
    yield f"{paint(verdict, verdict)}  {textwrap.fill(summary.strip(), 96)}"
    for difference in answer.differences:
        kind = ruling_pb2.DifferenceKind.Name(difference.kind).removeprefix("DIFFERENCE_KIND_").lower()
        rule = f" ({difference.rule})" if difference.rule else ""
        tiles = ""
        if difference.kind in TILES and difference.seat:
            tiles = f" [lacks {difference.expected or 'nothing'}; too many: {difference.actual or 'nothing'}]"
        yield f"  {left(paint('title', kind), 13)}{difference.message}{rule}{tiles}"
    for entry, ruling in zip(entries, answer.rulings, strict=False):
        if ruling.verdict == ruling_pb2.VERDICT_ILLEGAL:
            yield f"  {left(paint('ILLEGAL', 'act'), 13)}{entry.line or ''} {entry.text}: {ruling.message}"


def _wrong(told: Namespace, error: RefereeError, entries: tuple[Entry, ...]) -> WrongQuestion | RefereeError:
    """Say of each field at fault in which file it is."""
    files = {"before": told.before, "after": told.after, "acts": told.acts}
    sentences: list[str] = []
    for violation in error.violations:
        table, _, field = violation.field.partition(".")
        one = RefereeError(error.code, error.message, (violation._replace(field=field),))
        wrong = refused(str(files.get(table, "the question")), one, entries)
        sentences += wrong.sentences if isinstance(wrong, WrongQuestion) else ()
    return WrongQuestion(*sentences) if sentences else refused(f"{told.before}, {told.after}", error)
