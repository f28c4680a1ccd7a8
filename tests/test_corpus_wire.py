"""The corpus through the wire: a real server, asked act by act as a game server asks it, and once more as a Replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import grpc
import pytest
from google.protobuf import json_format
from google.rpc import error_details_pb2, status_pb2

from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from charleston.referee.v1.service_pb2_grpc import RefereeServiceStub
from referee.codec import write_act, write_table
from referee.notation import NotationError
from referee.server import Running
from referee.tiles import Tile
from tests.cases import MAY_GO_ON, Answer, Case, load, mismatches, open_act

SOON = 20.0
NAMES = ("east", "south", "west", "north")


@pytest.fixture(scope="module")
def referee(server: Running) -> Iterator[RefereeServiceStub]:
    """Connect to the server."""
    with grpc.insecure_channel(server.address) as channel:
        yield RefereeServiceStub(channel)


def seat(value: table_pb2.Seat.ValueType) -> str:
    """Return the name of a seat as cases write it."""
    return table_pb2.Seat.Name(value).removeprefix("SEAT_")


def laid(case: Case) -> table_pb2.Table:
    """Lay the table of a case, with its house rules."""
    try:
        return write_table(case.table())
    except NotationError:  # a house rule that there is not, which only a message can ask for
        table = write_table(replace(case, house=()).table())
        table.house.ids.extend(case.house)
        return table


def refused(error: grpc.RpcError) -> str:
    """Return the last name in the path of the first field that is refused."""
    assert isinstance(error, grpc.Call)
    assert grpc.StatusCode.INVALID_ARGUMENT is error.code(), error.details()
    trailers = {key: value for key, value in error.trailing_metadata() or ()}
    details = error_details_pb2.BadRequest()
    packed = trailers["grpc-status-details-bin"]
    assert isinstance(packed, bytes)
    status_pb2.Status.FromString(packed).details[0].Unpack(details)
    return details.field_violations[0].field.rpartition(".")[2].partition("[")[0]


def read(answer: Answer, ruling: ruling_pb2.Ruling, standing: ruling_pb2.Standing) -> None:
    """Read a ruling and a standing into an answer."""
    answer.verdict = ruling_pb2.Verdict.Name(ruling.verdict).removeprefix("VERDICT_")
    answer.broken = [finding.rule for finding in ruling.broken]
    answer.undecided = [finding.rule for finding in ruling.undecided]
    answer.rests_on = list(ruling.rests_on)
    misdealt = ruling.HasField("misdeal")
    answer.when = ruling_pb2.Moment.Name(ruling.misdeal.moment).removeprefix("MOMENT_") if misdealt else ""
    answer.counts = {seat(count.seat): count.counted for count in ruling.misdeal.counts}
    table = standing.table
    answer.stage = table_pb2.Stage.Name(table.stage).removeprefix("STAGE_")
    answer.debts = [f"{seat(debt.debtor)} owes {seat(debt.creditor)} {debt.tiles}" for debt in table.debts]
    answer.racks = {name.upper(): Counter(map(Tile, getattr(table, name).rack)) for name in NAMES}
    answer.may = [
        open_act(
            seat(entry.seat),
            act.must,
            ruling_pb2.ActKind.Name(act.kind).removeprefix("ACT_KIND_"),
            list(map(seat, act.receivers)),
            act.tiles,
            act.blind,
        )
        for entry in standing.next.seats
        for act in entry.acts
    ]


def ask(referee: RefereeServiceStub, case: Case) -> tuple[Answer, list[ruling_pb2.Ruling]]:
    """Ask a case, act after act, each with the table that came back; return every ruling too."""
    answer = Answer()
    rulings: list[ruling_pb2.Ruling] = []
    try:
        if case.question:
            question = json_format.Parse(case.question, service_pb2.JudgeRequest())
            judged = referee.Judge(question, timeout=SOON)
            read(answer, judged.ruling, judged.standing)
            return answer, [judged.ruling]
        table = laid(case)
        for act in case.parsed:
            answer.went_on = answer.went_on and answer.verdict in ("", *MAY_GO_ON)
            judged = referee.Judge(service_pb2.JudgeRequest(table=table, act=write_act(act)), timeout=SOON)
            read(answer, judged.ruling, judged.standing)
            rulings.append(judged.ruling)
            table = judged.standing.table
    except grpc.RpcError as error:
        return Answer(error=refused(error)), rulings
    return answer, rulings


CASES = load()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_server_answers_as_the_case_wants(referee: RefereeServiceStub, case: Case) -> None:
    """The server answers as the case wants, and every ruling says so in words."""
    answer, rulings = ask(referee, case)

    assert [] == mismatches(case, answer)
    for ruling in rulings:
        assert ruling.message
        assert all(finding.message for finding in (*ruling.broken, *ruling.undecided))


@pytest.mark.parametrize("case", [case for case in CASES if case.acts], ids=lambda case: case.name)
def test_a_replay_rules_as_the_judge_does(referee: RefereeServiceStub, case: Case) -> None:
    """One Replay of the acts of a case, skipping what is illegal, has the rulings that Judge gives one by one."""
    answer, rulings = ask(referee, case)
    acts = [write_act(act) for act in case.parsed]
    replay = service_pb2.ReplayRequest(table=laid(case), acts=acts, skip_illegal=True)
    try:
        replayed = referee.Replay(replay, timeout=SOON)
    except grpc.RpcError as error:
        assert answer.error == refused(error)
        return
    again = Answer(went_on=answer.went_on)
    read(again, replayed.rulings[-1], replayed.standing)

    assert rulings == list(replayed.rulings)
    assert answer == again
