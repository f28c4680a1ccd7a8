"""What the codec writes is what protobuf writes: the same bytes, for whatever table, act, ruling and language."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.acts import Act
from referee.codec import write_act, write_table
from referee.codec.wire import varint
from referee.judge import judge
from referee.next import what_next
from referee.phrases import LANGUAGES, phrases
from referee.service import Refused, referee
from referee.table import Table
from referee.unreachable import act_faults, table_faults
from tests.laws import by_protobuf
from tests.laws.acting import acts_on_the_wire, any_act
from tests.laws.answers import questions
from tests.laws.tables import houses, tables

LAWS = settings(derandomize=True, deadline=None, max_examples=300)
METHODS = referee()


@LAWS
@given(houses.flatmap(tables), st.data())
def test_an_answer(table: Table, data: st.DataObject) -> None:
    """The answer to any act at any table, with all that can be asked for, is what protobuf would have written."""
    table = table.tidied()
    act = data.draw(st.one_of(any_act(table), acts_on_the_wire()))
    options = service_pb2.AnswerOptions(language=data.draw(st.sampled_from(LANGUAGES)), trace=data.draw(st.booleans()))
    assume(not list(table_faults(table)) and not list(act_faults(table, act)))
    options.views = True
    request = service_pb2.JudgeRequest(table=write_table(table), act=write_act(act), options=options)

    assert oracle(table, act, options) == METHODS["Judge"](request.SerializeToString(), "").body


def oracle(table: Table, act: Act, options: service_pb2.AnswerOptions) -> bytes:
    """Return what protobuf writes."""
    words = phrases(options.language)
    judgement = judge(table, act, trace=options.trace)
    then = what_next(judgement.table)
    response = service_pb2.JudgeResponse(
        ruling=by_protobuf.write_ruling(words, table, act, judgement, then),
        standing=by_protobuf.write_standing(judgement.table, then, ruling_pb2.VIEWER_REFEREE),
        views=by_protobuf.write_views(judgement.table),
        language=options.language,
    )
    return response.SerializeToString(deterministic=True)


@LAWS
@given(houses.flatmap(tables), acts_on_the_wire())
def test_tables_and_acts(table: Table, act: Act) -> None:
    """Any table and any act, lawful or not, are the message that protobuf fills."""
    message, deed = by_protobuf.write_table(table), by_protobuf.write_act(act)

    assert message == write_table(table)
    assert deed == write_act(act)


@LAWS
@given(st.integers(-(2**31), 2**32 - 1))
def test_numbers(number: int) -> None:
    """A number is written as protobuf writes it, below zero too."""
    count = ruling_pb2.SeatCount(dealt=number) if number >= 2**31 else ruling_pb2.SeatCount(counted=number)

    assert count.SerializeToString()[1:] == (varint(number) if number else b"")


def test_every_known_answer_is_canonical() -> None:
    """Every answer to the corpus and to real games is the bytes that protobuf makes of it once it has read it."""
    told = 0
    for method, request in questions():
        try:
            body = METHODS[method](request, "").body
        except Refused:
            continue
        told += 1
        assert body == getattr(service_pb2, f"{method}Response").FromString(body).SerializeToString(deterministic=True)

    assert told > 2000
