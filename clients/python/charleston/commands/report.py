"""What a replay found: told to a person line by line, or to a machine as one document."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Any, TextIO

from google.protobuf import json_format

from charleston.commands.judging import Compared, Judged, Replayed
from charleston.paint import Paint, left
from charleston.referee.v1 import ruling_pb2, table_pb2
from referee.notation import tiles_text

INDENT = 21


class Report:
    """Tells games one after another, and sums them up at the end."""

    def __init__(self, out: TextIO, *, every: bool = False, only_faults: bool = False) -> None:
        """Tell with the message of every ruling, or only what was not lawful, or something in between."""
        self._out = out
        self._paint = Paint.on(out)
        self._columns = max(60, min(shutil.get_terminal_size((100, 0)).columns, 120))
        self._every = every
        self._only_faults = only_faults
        self._told: list[bool] = []

    def tell(self, replayed: Replayed) -> None:
        """Tell one game."""
        shown = [step for step in enumerate(replayed.steps, 1) if not (self._only_faults and step[1].lawful)]
        if self._told and not self._only_faults:
            print(file=self._out)
        if shown:
            print(self._paint("title", replayed.game.name), file=self._out)
        for number, step in shown:
            print("\n".join(self._step(number, step)), file=self._out)
        style = "LEGAL" if replayed.lawful else "ILLEGAL"
        print(self._paint(style, textwrap.fill(_summary(replayed), self._columns)), file=self._out)
        self._told.append(replayed.lawful)

    def sum_up(self) -> None:
        """Tell how many of the games were lawful, when there were several."""
        if len(self._told) > 1:
            lawful = sum(self._told)
            print(f"\n{len(self._told)} games: {lawful} lawful, {len(self._told) - lawful} not.", file=self._out)

    def _step(self, number: int, step: Judged | Compared) -> Iterator[str]:
        text = textwrap.shorten(step.entry.text, self._columns - INDENT, placeholder=" …")
        if isinstance(step, Compared):
            word, style = ("HOLDS", "LEGAL") if step.lawful else ("DIFFERS", "ILLEGAL")
            told = "" if step.lawful else differs(step)
        else:
            word = style = ruling_pb2.Verdict.Name(step.ruling.verdict).removeprefix("VERDICT_")
            plain = step.ruling.verdict == ruling_pb2.VERDICT_LEGAL
            told = _message(step.ruling) if self._every or not plain else ""
        yield f"{step.entry.line or number:>5}  {left(self._paint(style, word), INDENT - 7)}{text}"
        for line in textwrap.wrap(told, self._columns - INDENT):
            yield " " * INDENT + line


def document(replayed: Replayed) -> dict[str, Any]:
    """Return a game's report for machines; rulings and standing are protobuf JSON."""
    rulings = [
        {"line": step.entry.line, "act": step.entry.text, "ruling": json_format.MessageToDict(step.ruling)}
        for step in replayed.judged
    ]
    claims = [
        {
            "line": step.entry.line,
            "seat": step.claim.seat.name,
            "holds": step.lawful,
            "claimed": tiles_text(step.claim.tiles),
            "missing": tiles_text(step.missing),
            "beyond": tiles_text(step.beyond),
        }
        for step in replayed.compared
    ]
    standing = json_format.MessageToDict(replayed.standing) if replayed.standing else None
    return {
        "game": replayed.game.name,
        "lawful": replayed.lawful,
        "acts": replayed.game.acts,
        "rulings": rulings,
        "claims": claims,
        "standing": standing,
    }


def _message(ruling: ruling_pb2.Ruling) -> str:
    rests = f" [rests_on: {', '.join(ruling.rests_on)}]" if ruling.rests_on else ""
    return ruling.message + rests


def differs(step: Compared) -> str:
    """Say which tiles a claim and the rack do not share."""
    missing = f"The log names {tiles_text(step.missing)}, not on the rack." if step.missing else ""
    beyond = f"On the rack there is {tiles_text(step.beyond)}, not in the log." if step.beyond else ""
    return f"{missing} {beyond}".strip()


def _summary(replayed: Replayed) -> str:
    judged, acts = replayed.judged, replayed.game.acts
    stands = ""
    if replayed.standing:
        stage = table_pb2.Stage.Name(replayed.standing.table.stage).removeprefix("STAGE_")
        stands = f"; the table stands at {stage}"
    all_acts = "1 act" if acts == 1 else f"{acts} acts"
    number = all_acts if len(judged) == acts else f"{len(judged)} of {all_acts} judged"
    if replayed.lawful:
        return f"{replayed.game.name}: lawful, {number}{stands}."
    broken = Counter(finding.rule for step in judged for finding in step.ruling.broken)
    rules = ", ".join(f"{times} {rule}" if times > 1 else rule for rule, times in broken.items())
    differ = sum(not step.lawful for step in replayed.compared)
    claims = f"{differ} claim{'s' if differ > 1 else ''} of the log" if differ else ""
    what = " and ".join(filter(None, (rules, claims)))
    return f"{replayed.game.name}: not lawful ({what}), {number}{stands}."
