"""A hand walked act by act: the table is kept, moves on when the ruling lets it, and never on an error."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

from charleston import AsyncHand, AsyncRefereeClient, Referee, RefereeError
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.notation import parse_act, parse_game, parse_table
from tests.clients.faces import hand

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"
ACTS = [write_act(act) for act in parse_game((EXAMPLES / "hand.charleston").read_text()).acts]
MISDEAL = [write_act(act) for act in parse_game((EXAMPLES / "misdeal.charleston").read_text()).acts]
TABLE = write_table(parse_table((EXAMPLES / "table.charleston").read_text()))


def act(text: str) -> table_pb2.Act:
    """Read an act."""
    return write_act(parse_act(text))


def test_a_hand_is_walked_from_the_deal_to_the_discard(referee: Referee) -> None:
    """A hand from nothing keeps the table, the standing and every ruling, as one Replay gives them."""
    walked = hand(referee)
    answers = [walked.act(each) for each in ACTS]
    replayed = referee.replay(service_pb2.ReplayRequest(acts=ACTS, skip_illegal=True))

    assert list(replayed.rulings) == list(walked.rulings) == [answer.ruling for answer in answers]
    assert replayed.standing == walked.standing
    assert replayed.standing.table == walked.table


def test_an_act_is_made_for_the_stage_of_the_table_unless_it_names_another(referee: Referee) -> None:
    """An act that names no stage is made for the table's, and one that names another is refused as stale."""
    walked = hand(referee, TABLE)
    plain = act("EAST passes 1b 2b 4b")
    stale = walked.act(act("EAST passes 1b 2b 4b at FIRST_ACROSS"))
    passed = walked.act(plain)

    assert ["order.stage"] == [finding.rule for finding in stale.ruling.broken]
    assert ruling_pb2.VERDICT_LEGAL == passed.ruling.verdict
    assert table_pb2.STAGE_UNSPECIFIED == plain.stage


def test_an_illegal_act_leaves_the_table_as_it_was(referee: Referee) -> None:
    """After an illegal act the table is the one before it, and the ruling is kept."""
    walked = hand(referee, TABLE)
    answer = walked.act(act("EAST stops"))

    assert ruling_pb2.VERDICT_ILLEGAL == answer.ruling.verdict
    assert TABLE == walked.table
    assert [answer.ruling] == list(walked.rulings)


def test_a_misdeal_is_thrown_in_and_dealt_again(referee: Referee) -> None:
    """After a misdeal the table is thrown in, and a deal is the next act."""
    walked = hand(referee)
    walked.act(MISDEAL[0])
    thrown = walked.table.stage
    walked.act(ACTS[0])

    assert table_pb2.STAGE_THROWN_IN == thrown
    assert table_pb2.STAGE_FIRST_RIGHT == walked.table.stage


def test_an_error_moves_nothing(referee: Referee) -> None:
    """A refused question leaves the table, the standing and the rulings as they were."""
    walked = hand(referee)
    walked.act(ACTS[0])
    before = (walked.table, walked.standing, walked.rulings)
    with pytest.raises(RefereeError):
        walked.act(table_pb2.Act(offer=table_pb2.Offer()))

    assert before == (walked.table, walked.standing, walked.rulings)


def test_what_comes_next_can_be_asked_first(referee: Referee) -> None:
    """A hand from a stored table has no standing until it is asked for; asking is no ruling on an act."""
    walked = hand(referee, TABLE)
    before = walked.standing
    answer = walked.what_next()

    assert before is None
    assert answer.standing == walked.standing
    assert () == walked.rulings
    assert TABLE == walked.table


def test_options_go_with_every_question_but_the_table_always_comes(referee: Referee) -> None:
    """Options of the hand choose the language and the trace; that only rulings are wanted cannot be said."""
    options = service_pb2.AnswerOptions(language="fr", trace=True, ruling_only=True)
    walked = hand(referee, TABLE, options=options)
    stands, passed = walked.what_next(), walked.act(act("EAST passes 1b 2b 4b"))

    assert ("fr", "fr") == (stands.language, passed.language)
    assert passed.ruling.trace
    assert stands.HasField("standing") and passed.HasField("standing")


def test_the_table_given_out_is_a_copy(referee: Referee) -> None:
    """What a game does to the table it was given changes nothing in the hand, nor the other way round."""
    start = table_pb2.Table()
    start.CopyFrom(TABLE)
    walked = hand(referee, start)
    start.Clear()
    walked.table.Clear()

    assert TABLE == walked.table


def test_acts_put_at_once_are_judged_one_after_another(address: str) -> None:
    """When two tasks act at the same time, each is judged on the table that the other left."""

    async def play() -> tuple[table_pb2.Table, list[int]]:
        async with AsyncRefereeClient(address) as client:
            walked = AsyncHand(client)
            await walked.act(ACTS[0])
            answers = await asyncio.gather(*map(walked.act, [*ACTS[1:5], ACTS[1]]))
            return walked.table, [answer.ruling.verdict for answer in answers]

    table, verdicts = asyncio.run(play())

    assert [ruling_pb2.VERDICT_LEGAL] * 4 + [ruling_pb2.VERDICT_ILLEGAL] == verdicts
    assert all(len(place.incoming) == 3 for place in (table.east, table.south, table.west, table.north))


def test_a_referee_out_of_reach_moves_nothing() -> None:
    """When no answer comes, the act is held: the hand is as it was."""

    async def play() -> tuple[grpc.StatusCode, table_pb2.Table]:
        async with AsyncRefereeClient("127.0.0.1:1", timeout=20) as client:
            walked = AsyncHand(client, TABLE)
            with pytest.raises(RefereeError) as refused:
                await walked.act(act("EAST passes 1b 2b 4b"))
            return refused.value.code, walked.table

    assert (grpc.StatusCode.UNAVAILABLE, TABLE) == asyncio.run(play())
