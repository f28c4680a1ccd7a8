"""Cases put to a referee through the protocol alone: act by act, each with the table that came back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import grpc
from google.protobuf import json_format

from charleston.asking import Referee
from charleston.conformance.cases import Case
from charleston.conformance.comparing import MAY_GO_ON, Answer, open_act
from charleston.errors import RefereeError
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.notation import NotationError

PLACES = ("east", "south", "west", "north")


def ask(referee: Referee, case: Case) -> tuple[Answer, list[ruling_pb2.Ruling]]:
    """Ask a case, act after act; return what was answered to the last one, and every ruling.

    What raises RefereeError is no answer, but for a question that the referee finds malformed.
    """
    answer = Answer()
    rulings: list[ruling_pb2.Ruling] = []
    table: table_pb2.Table | None = None
    try:
        for question in _questions(case):
            if table is not None:
                question.table.CopyFrom(table)
            answer.went_on = answer.went_on and answer.verdict in ("", *MAY_GO_ON)
            judged = referee.judge(question)
            read(answer, judged.ruling, judged.standing)
            rulings.append(judged.ruling)
            table = judged.standing.table
    except RefereeError as error:
        return Answer(error=refused(error)), rulings
    return answer, rulings


def laid(case: Case) -> table_pb2.Table:
    """Lay the table of a case, with its house rules."""
    try:
        return write_table(case.table())
    except NotationError:  # a house rule that there is not, which only a message can ask for
        table = write_table(replace(case, house=()).table())
        table.house.ids.extend(case.house)
        return table


def refused(error: RefereeError) -> str:
    """Return the last name in the path of the first field that is refused; raise the error where there is none."""
    if error.code is not grpc.StatusCode.INVALID_ARGUMENT:
        raise error
    if not error.violations:
        return "a field that the referee does not name"
    return error.violations[0].field.rpartition(".")[2].partition("[")[0]


def read(answer: Answer, ruling: ruling_pb2.Ruling, standing: ruling_pb2.Standing) -> None:
    """Read a ruling and a standing into an answer."""
    answer.verdict = _name(ruling_pb2.Verdict.Name, ruling.verdict, "VERDICT_")
    answer.broken = [finding.rule for finding in ruling.broken]
    answer.undecided = [finding.rule for finding in ruling.undecided]
    answer.rests_on = list(ruling.rests_on)
    misdealt = ruling.HasField("misdeal")
    answer.when = _name(ruling_pb2.Moment.Name, ruling.misdeal.moment, "MOMENT_") if misdealt else ""
    answer.counts = {_seat(count.seat): count.counted for count in ruling.misdeal.counts}
    table = standing.table
    answer.stage = _name(table_pb2.Stage.Name, table.stage, "STAGE_")
    answer.debts = [f"{_seat(debt.debtor)} owes {_seat(debt.creditor)} {debt.tiles}" for debt in table.debts]
    answer.racks = {name.upper(): Counter(map(int, getattr(table, name).rack)) for name in PLACES}
    answer.may = [
        open_act(
            _seat(entry.seat),
            act.must,
            _name(ruling_pb2.ActKind.Name, act.kind, "ACT_KIND_"),
            list(map(_seat, act.receivers)),
            act.tiles,
            act.blind,
        )
        for entry in standing.next.seats
        for act in entry.acts
    ]


def _questions(case: Case) -> list[service_pb2.JudgeRequest]:
    if case.question:
        return [json_format.Parse(case.question, service_pb2.JudgeRequest())]
    return [service_pb2.JudgeRequest(table=laid(case), act=write_act(act)) for act in case.parsed]


def _seat(value: int) -> str:
    return _name(table_pb2.Seat.Name, value, "SEAT_")


def _name(name: Callable[[Any], str], value: int, prefix: str) -> str:
    """Return the name of a value as cases write it; a server may send a number that has none."""
    try:
        return name(value).removeprefix(prefix)
    except ValueError:
        return str(value)
