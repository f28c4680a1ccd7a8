"""What the benchmarks ask: every kind of act, whole games, full batches, and answers that are rulings."""

from __future__ import annotations

from charleston.referee.v1 import ruling_pb2, service_pb2
from tests.bench.questions import FULL, RULING_ONLY, VIEWS, batch, framed, questions, replay, unary, whole_games


def test_the_mix_has_every_kind_of_act_that_the_games_have() -> None:
    """Each kind of act of the real games is in the mix, once or more."""
    requests = [service_pb2.JudgeRequest.FromString(call.messages[0]) for call in unary(FULL)]
    kinds = {question.act.__class__.__name__.lower() for question in questions()}

    assert kinds == {str(request.act.WhichOneof("kind")).removeprefix("tile_") for request in requests}


def test_a_call_is_asked_in_three_ways() -> None:
    """The same call has a short answer, a full one with the standing, and one with five views."""
    for short, full, views in zip(unary(RULING_ONLY), unary(FULL), unary(VIEWS), strict=True):
        answers = [service_pb2.JudgeResponse.FromString(call.answers[0]) for call in (short, full, views)]

        assert [False, True, True] == [answer.HasField("standing") for answer in answers]
        assert [0, 0, 5] == [len(answer.views) for answer in answers]
        assert ruling_pb2.VERDICT_UNSPECIFIED != answers[0].ruling.verdict


def test_a_batch_is_answered_question_by_question() -> None:
    """A batch has a thousand questions, and a judgement for each."""
    answer = service_pb2.JudgeBatchResponse.FromString(batch(RULING_ONLY).answers[0])

    assert 1000 == len(answer.answers)
    assert all(each.HasField("judged") for each in answer.answers)


def test_a_replay_goes_from_the_deal_to_the_discard() -> None:
    """The work of a replay is all acts of a whole game, the last of them East's discard."""
    for game in whole_games()[::4]:
        request = service_pb2.ReplayRequest.FromString(replay(game).messages[0])

        assert len(game.acts) == replay(game).work
        assert ["deal", "play"] == [request.acts[index].WhichOneof("kind") for index in (0, -1)]


def test_messages_are_framed_as_grpc_does() -> None:
    """A message follows a zero byte and its length in four."""
    assert b"\0\0\0\0\x02ab\0\0\0\0\0" == framed([b"ab", b""])
