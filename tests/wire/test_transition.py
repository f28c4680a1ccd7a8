"""Transitions over the wire: every pair of real tables, and what is malformed told apart from what is a difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.notation import parse_act
from referee.server import Running
from referee.transition import transition
from tests.test_real_transitions import PAIRS, table
from tests.wire.asking import ILLEGAL, LEGAL, ask, bad_request, channel, faces, path, refused

PLAYED = service_pb2.JudgeTransitionRequest(before=LEGAL.table, after=LEGAL.table)


def judged(server: Running, asked: service_pb2.JudgeTransitionRequest) -> service_pb2.JudgeTransitionResponse:
    """Ask JudgeTransition."""
    with channel(server.address) as opened:
        return service_pb2.JudgeTransitionResponse.FromString(
            ask(opened, path("JudgeTransition"), asked.SerializeToString())
        )


def fields(server: Running, asked: service_pb2.JudgeTransitionRequest) -> list[tuple[str, str]]:
    """Ask what must be refused, and return the fields at fault with their reasons."""
    with channel(server.address) as opened:
        error = refused(opened, path("JudgeTransition"), asked.SerializeToString())
    return [(violation.field, violation.reason) for violation in bad_request(error).field_violations]


@pytest.mark.parametrize("file", sorted(PAIRS.glob("*.json")), ids=lambda file: file.stem)
@pytest.mark.parametrize("with_acts", [True, False], ids=["with-acts", "without"])
def test_a_real_pair(server: Running, file: Path, with_acts: bool) -> None:
    """The wire tells of every real pair what the core finds, with a sentence for each difference and one for all."""
    record = json.loads(file.read_text())
    before, after = table(record["before"]), table(record["after"])
    acts = [parse_act(act) for act in record["acts"]] if with_acts and record.get("acts") else None
    asked = service_pb2.JudgeTransitionRequest(before=write_table(before), after=write_table(after))
    if acts is not None:
        asked.acts.acts.extend(map(write_act, acts))
    answer, found = judged(server, asked), transition(before, after, acts)

    assert found.verdict.name == ruling_pb2.Verdict.Name(answer.verdict).removeprefix("VERDICT_")
    assert [(int(d.kind), d.path) for d in found.differences] == [(int(d.kind), d.path) for d in answer.differences]
    assert len(found.judgements) == len(answer.rulings)
    assert all(difference.message for difference in answer.differences)
    assert answer.message


def test_no_acts_are_not_the_same_as_acts_unsaid(server: Running) -> None:
    """With acts present and empty a table that has moved on is ILLEGAL; with the act that was played it is LEGAL."""
    with channel(server.address) as opened:
        moved = service_pb2.JudgeResponse.FromString(ask(opened, path("Judge"), LEGAL.SerializeToString()))
    asked = service_pb2.JudgeTransitionRequest(before=LEGAL.table, after=moved.standing.table)
    unsaid = judged(server, asked).verdict
    asked.acts.SetInParent()
    none = judged(server, asked).verdict
    asked.acts.acts.append(LEGAL.act)
    one = judged(server, asked).verdict

    legal, illegal = ruling_pb2.VERDICT_LEGAL, ruling_pb2.VERDICT_ILLEGAL

    assert [legal, illegal, legal] == [unsaid, none, one]


def test_an_act_that_is_refused(server: Running) -> None:
    """An act in between that is illegal is its ruling, and the message says which and why."""
    asked = service_pb2.JudgeTransitionRequest(
        before=LEGAL.table, after=LEGAL.table, acts=service_pb2.Acts(acts=[ILLEGAL.act])
    )
    answer = judged(server, asked)

    assert ruling_pb2.VERDICT_ILLEGAL == answer.verdict
    assert ["pass.three"] == [finding.rule for finding in answer.rulings[-1].broken]
    assert "Act one of those in between is refused" in answer.message
    assert "(pass.three)" in answer.message


def test_what_no_play_can_reach_is_a_difference(server: Running) -> None:
    """Of the table after an unreachable field is a difference at its path; of the table before it is malformed."""
    far = table_pb2.Table()
    far.CopyFrom(LEGAL.table)
    far.south.offer = 2
    after = judged(server, service_pb2.JudgeTransitionRequest(before=LEGAL.table, after=far))
    before = fields(server, service_pb2.JudgeTransitionRequest(before=far, after=LEGAL.table))

    assert ruling_pb2.VERDICT_ILLEGAL == after.verdict
    assert [(ruling_pb2.DIFFERENCE_KIND_UNREACHABLE, table_pb2.SEAT_SOUTH, "after.south.offer")] == [
        (difference.kind, difference.seat, difference.path) for difference in after.differences
    ]
    assert [("before.south.offer", "UNREACHABLE")] == before


def test_what_cannot_be_read_is_malformed(server: Running) -> None:
    """Unknown tiles, stages and fields, and acts that are none or do not fit, are named by their paths, and no tile."""
    asked = service_pb2.JudgeTransitionRequest()
    asked.CopyFrom(PLAYED)
    asked.after.west.rack[2] = 99  # type: ignore[call-overload]
    asked.after.stage = table_pb2.STAGE_UNSPECIFIED
    asked.acts.acts.add(seat=table_pb2.SEAT_EAST)
    unfit = service_pb2.JudgeTransitionRequest(before=table_pb2.Table(stage=table_pb2.STAGE_UNDEALT))
    unfit.acts.acts.add().deal.east.tiles.extend([table_pb2.TILE_BAM_1] * 5)
    for name in ("south", "west", "north"):
        getattr(unfit.acts.acts[0].deal, name).SetInParent()

    assert [
        ("after.stage", "MISSING"),
        ("after.west.rack[2]", "UNKNOWN_VALUE"),
        ("acts.acts[0].kind", "MISSING"),
    ] == fields(server, asked)
    assert [("acts.acts[0].deal.east.tiles[4]", "TOO_MANY_OF_A_FACE")] == fields(server, unfit)


@pytest.mark.parametrize(("language", "word"), [("en", "because"), ("fr", "parce que"), ("nl", "omdat")])
def test_the_sentence_that_a_log_needs(server: Running, language: str, word: str) -> None:
    """In every language it is said of a seat what it has and lacks, and which way the tiles went instead."""
    record = json.loads((PAIRS / "002.json").read_text())
    asked = service_pb2.JudgeTransitionRequest(
        before=write_table(table(record["before"])), after=write_table(table(record["after"]))
    )
    asked.options.language = language
    answer = judged(server, asked)
    south = next(difference for difference in answer.differences if difference.seat == table_pb2.SEAT_SOUTH)

    assert language == answer.language
    assert word in south.message
    assert [] == faces(south.message)
    assert south.message in answer.message
