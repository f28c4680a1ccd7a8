"""`charleston next`: draw a table and say what comes next at it."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace
from collections.abc import Iterator

from google.protobuf import json_format

from charleston.asking import Referee
from charleston.commands.question import act_words, read_table, refused
from charleston.commands.source import name_of
from charleston.errors import RefereeError
from charleston.paint import Paint, left
from charleston.picture import picture
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2

# Where a number of tiles is the most, and not exactly so many.
UP_TO = {ruling_pb2.ACT_KIND_OFFER, ruling_pb2.ACT_KIND_HAND_BACK}
# Where it goes without saying.
ONE = {ruling_pb2.ACT_KIND_DRAW, ruling_pb2.ACT_KIND_DISCARD}


def run(told: Namespace, door: Referee) -> int:
    """Ask about a table; return 0 if its counts are right, 1 if it is a misdeal."""
    asked = read_table(told.file, told.house)
    try:
        answer = door.what_next(asked)
    except RefereeError as error:
        raise refused(name_of(told.file), error) from None
    if told.json:
        print(json_format.MessageToJson(answer))
    else:
        print("\n".join(_lines(asked, answer, Paint.on(sys.stdout))))
    return 1 if answer.ruling.broken else 0


def _lines(asked: service_pb2.WhatNextRequest, answer: service_pb2.WhatNextResponse, paint: Paint) -> Iterator[str]:
    # The answer to a misdeal is a table thrown in: what was asked about is more to look at.
    table = asked.table if answer.ruling.broken or not answer.HasField("standing") else answer.standing.table
    yield picture(table, paint)
    yield ""
    yield textwrap.fill(answer.ruling.message, 96)
    yield from opened(answer.standing.next, paint)


def opened(then: ruling_pb2.Next, paint: Paint) -> Iterator[str]:
    """Say what is open to each seat, with an example of what it must do."""
    for entry in then.seats:
        yield ""
        name = table_pb2.Seat.Name(entry.seat).removeprefix("SEAT_")
        for index, act in enumerate(entry.acts):
            yield f"{left(paint('seat', '' if index else name), 7)}{open_act(entry.seat, act)}"
        if entry.HasField("example"):
            yield paint("quiet", f"       for example: {act_words([entry.example])[0]}")


def open_act(seat: table_pb2.Seat.ValueType, act: ruling_pb2.OpenAct) -> str:
    """Say what is open to a seat, such as "must pass 3 blind up to 3 to WEST"."""
    kind = ruling_pb2.ActKind.Name(act.kind).removeprefix("ACT_KIND_").lower().replace("_", " ")
    said = [f"{'must' if act.must else 'may'} {kind}"]
    if act.kind in UP_TO:
        said.append(f"up to {act.tiles}")
    elif act.tiles and act.kind not in ONE:
        said.append(str(act.tiles))
    if act.blind:
        said.append(f"blind up to {act.blind}")
    if act.receivers:
        names = (table_pb2.Seat.Name(receiver).removeprefix("SEAT_") for receiver in act.receivers)
        said.append(f"to {'its own pass' if list(act.receivers) == [seat] else ' or '.join(names)}")
    return " ".join(said)
