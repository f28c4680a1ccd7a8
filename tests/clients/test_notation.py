"""Notation of messages: what is typed becomes a message, a message is written as it would be typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from charleston.embedded import EmbeddedReferee
from charleston.notation import act_text, parse_act, parse_table, table_text
from charleston.referee.v1 import service_pb2, table_pb2
from referee.notation import NotationError

TABLE = (Path(__file__).parents[2] / "clients" / "examples" / "table.charleston").read_text(encoding="utf-8")
ACTS = ["EAST passes 1b 3c 9d at FIRST_RIGHT", "everyone looks", "NORTH offers 0", "EAST discards 9d"]


@pytest.mark.parametrize("text", ACTS)
def test_an_act_there_and_back(text: str) -> None:
    """An act that is read is written as it was."""
    assert text == act_text(parse_act(text.lower()))


def test_a_table_there_and_back() -> None:
    """A table that is read is written as it was, with its tiles in order."""
    written = table_text(parse_table(TABLE))

    assert written == table_text(parse_table(written))
    assert "WEST rack 2b 4b 6b 8b 9c 9c 1d 9d W R J | out 3d 7d blind 1\n" in written


def test_a_view_is_a_table_like_any_other() -> None:
    """What a seat may see is written with a question mark for each tile that lies face down."""
    options = service_pb2.AnswerOptions(views=True)
    asked = service_pb2.WhatNextRequest(table=parse_table(TABLE), options=options)
    view = EmbeddedReferee().what_next(asked).views[0]

    assert "SOUTH rack ? ? ? ? ? ? ? ? ? ? ? ? ?\n" in table_text(view.table)


def test_what_cannot_be_read_is_told_with_its_place() -> None:
    """Text that is no act is refused with line and column."""
    with pytest.raises(NotationError, match="line 1, column 16: expected a tile"):
        parse_act("EAST passes 1b 3x 9d")


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        (table_pb2.Act(seat=table_pb2.SEAT_EAST), r"^act\.kind: "),
        (table_pb2.Act(seat=table_pb2.SEAT_EAST, offer=table_pb2.Offer()), r"^act\.offer\.tiles: "),
    ],
)
def test_a_message_that_is_no_act_is_refused(act: table_pb2.Act, fault: str) -> None:
    """An act that no referee would read is not written either, and the error names its field."""
    with pytest.raises(ValueError, match=fault):
        act_text(act)


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (table_pb2.Table(), r"^table\.stage: "),
        (table_pb2.Table(stage=table_pb2.STAGE_UNDEALT, rulebook=9), r"^table\.rulebook: version 9 "),
    ],
)
def test_a_message_that_is_no_table_is_refused(table: table_pb2.Table, fault: str) -> None:
    """A table that no referee would read is not written either, and the error names its field."""
    with pytest.raises(ValueError, match=fault):
        table_text(table)
