"""One item judged: a game act by act and claim by claim, or a transition; what is not lawful is a fault."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

from google.protobuf import json_format

from charleston.asking import Referee
from charleston.commands.checking.items import Item
from charleston.commands.checking.results import Checked, Difference, Error, Fault, Finding
from charleston.commands.judging import Compared, Judged, replay
from charleston.commands.question import Entry, Game, act_words, at_home, refused, written_game
from charleston.commands.report import differs
from charleston.commands.source import WrongQuestion, data_of, message_of, name_of
from charleston.embedded import EmbeddedReferee
from charleston.errors import RefereeError
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from referee.house import HouseRules
from referee.notation import Claim

UNLAWFUL = (ruling_pb2.VERDICT_ILLEGAL, ruling_pb2.VERDICT_MISDEAL)
DIFFERS = "DIFFERS"
"""The word for a claim that does not hold, where a ruling has a verdict."""


class How(NamedTuple):
    """How items are judged: by which house rules where they name none, and whether illegal acts are left out."""

    house: HouseRules | None = None
    skip_illegal: bool = False
    language: str = ""


def judge_here(how: How, items: Iterable[Item]) -> list[Checked]:
    """Judge items with the referee of this process."""
    return judge_at(_embedded(how.language), how, items)


def judge_at(door: Referee, how: How, items: Iterable[Item]) -> list[Checked]:
    """Judge items with a referee."""
    return list(map(partial(_judged, door, how), items))


@cache
def _embedded(language: str) -> EmbeddedReferee:
    return EmbeddedReferee(language=language)


def _judged(door: Referee, how: How, item: Item) -> Checked:
    name = name_of(item.file)
    kind = "game"
    try:
        if item.wrong:
            raise WrongQuestion(f"{name}:{item.line}: {item.wrong}")
        if item.notation:
            return _game(door, how, item, written_game(name, item.text))
        data = data_of(name, item.text)
        if {"before", "after"} & data.keys():
            kind = "transition"
            return _transition(door, item, message_of(name, data, service_pb2.JudgeTransitionRequest()))
        asked = message_of(name, data, service_pb2.ReplayRequest())
        entries = tuple(Entry("", act) for act in asked.acts)
        asked.ClearField("acts")
        asked.options.ruling_only = True
        return _game(door, how, item, Game(name, entries, asked))
    except WrongQuestion as wrong:
        return Checked(item.file, item.line, kind, errors=tuple(_errors(name, item, wrong)))


def _errors(name: str, item: Item, wrong: WrongQuestion) -> Iterator[Error]:
    """Tell in which line of the file each thing is wrong: a sentence counts the lines of the item."""
    for sentence in wrong.sentences:
        placed = re.fullmatch(rf"{re.escape(name)}(?::(\d+))?(?::(\d+))?: (.*)", sentence, re.DOTALL)
        line, column, said = placed.groups() if placed else (None, None, sentence)
        at = int(line) if line and not item.wrong else 1
        yield Error(item.line + at - 1, f"column {column}: {said}" if column else said)


def _game(door: Referee, how: How, item: Item, game: Game) -> Checked:
    if not game.acts:
        raise WrongQuestion(f"{game.name}: there is no act in it")
    if table := at_home(game.asked.table if game.asked.HasField("table") else None, how.house):
        game.asked.table.CopyFrom(table)
    replayed = replay(door, game, skip_illegal=how.skip_illegal)
    numbers = {id(step): number for number, step in enumerate(replayed.judged, 1)}
    told = _claimed(door, [step for step in replayed.compared if not step.lawful])
    faults = [
        _act(item, numbers[id(step)], step) if isinstance(step, Judged) else told[id(step)]
        for step in replayed.steps
        if not step.lawful
    ]
    return Checked(item.file, item.line, "game", len(replayed.judged), tuple(faults))


def _act(item: Item, number: int, step: Judged) -> Fault:
    what, ruling = step.entry.what, step.ruling
    assert not isinstance(what, Claim), "a claim is not judged"
    return Fault(
        line=step.entry.line or item.line,
        number=number,
        act=step.entry.text or act_words([what])[0],
        verdict=_verdict(ruling.verdict),
        message=ruling.message,
        findings=tuple(Finding(each.rule, _seat(each.seat), each.message) for each in ruling.broken),
        remedy=_remedy(ruling),
    )


def _claimed(door: Referee, claims: list[Compared]) -> dict[int, Fault]:
    """Ask how the tables differ, where claims do not hold: of claims that stand together at once, for only all of them
    are a whole table; and alone of one that this says nothing about."""
    together: dict[int, list[Compared]] = {}
    for claim in claims:
        together.setdefault(id(claim.since), []).append(claim)
    told: dict[int, Fault] = {}
    for group in together.values():
        answer = _differences(door, group)
        for claim in group:
            seat = claim.claim.seat.value
            mine = [each for each in answer if each.seat == seat] or _differences(door, [claim])
            told[id(claim)] = Fault(
                line=claim.entry.line or 1,
                number=None,
                act=claim.entry.text,
                verdict=DIFFERS,
                message=differs(claim),
                findings=tuple(map(_difference, mine)),
            )
    return told


def _differences(door: Referee, claims: list[Compared]) -> list[ruling_pb2.Difference]:
    asked = service_pb2.JudgeTransitionRequest()
    asked.CopyFrom(claims[0].since)
    for claim in claims:
        place: table_pb2.Place = getattr(asked.after, claim.claim.seat.name.lower())
        place.rack[:] = [table_pb2.Tile.ValueType(tile) for tile in claim.claim.tiles]
    try:
        return list(door.judge_transition(asked).differences)
    except RefereeError as error:
        raise refused(f"line {claims[0].entry.line}", error) from None


def _transition(door: Referee, item: Item, asked: service_pb2.JudgeTransitionRequest) -> Checked:
    try:
        answer = door.judge_transition(asked)
    except RefereeError as error:
        raise refused(name_of(item.file), error) from None
    faults: list[Fault] = []
    if answer.verdict in UNLAWFUL:
        steps = zip(asked.acts.acts, answer.rulings, strict=False)
        judged = [Judged(Entry("", act), ruling) for act, ruling in steps]
        faults = [_act(item, number, step) for number, step in enumerate(judged, 1) if not step.lawful]
        if answer.differences:
            faults.append(_unlike(item, asked, answer))
    return Checked(item.file, item.line, "transition", len(answer.rulings), tuple(faults))


def _unlike(
    item: Item, asked: service_pb2.JudgeTransitionRequest, answer: service_pb2.JudgeTransitionResponse
) -> Fault:
    before, after = (_stage(table) for table in (asked.before, asked.after))
    # What the message goes on to say stands in the findings.
    summary = answer.message.partition(answer.differences[0].message)[0].strip()
    return Fault(
        line=item.line,
        number=None,
        act=f"from {before} to {after}",
        verdict=_verdict(answer.verdict),
        message=summary,
        findings=tuple(map(_difference, answer.differences)),
    )


def _difference(difference: ruling_pb2.Difference) -> Finding:
    kind = ruling_pb2.DifferenceKind.Name(difference.kind).removeprefix("DIFFERENCE_KIND_").lower()
    rule = difference.rule or f"difference.{kind}"
    told = Difference(kind, difference.path, difference.expected, difference.actual)
    return Finding(rule, _seat(difference.seat), difference.message, told)


def _stage(table: table_pb2.Table) -> str:
    stage = table.stage or table_pb2.STAGE_UNDEALT
    return table_pb2.Stage.Name(stage).removeprefix("STAGE_")


def _seat(seat: table_pb2.Seat.ValueType) -> str:
    return table_pb2.Seat.Name(seat).removeprefix("SEAT_") if seat else ""


def _verdict(verdict: ruling_pb2.Verdict.ValueType) -> str:
    return ruling_pb2.Verdict.Name(verdict).removeprefix("VERDICT_")


def _remedy(ruling: ruling_pb2.Ruling) -> dict[str, Any] | None:
    which = ruling.WhichOneof("remedy")
    if which is None:
        return None
    remedy: dict[str, Any] = json_format.MessageToDict(ruling)
    return {name: remedy[name] for name in ("jokerReturn", "misdeal") if name in remedy}
