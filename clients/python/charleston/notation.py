"""Notation for messages: acts and tables of the protocol, written and read as text.

This is not a part of the client library, which knows nothing of the referee's own: import it by its name. Readers raise
`referee.notation.NotationError`, with line and column of all that cannot be read.
"""

from __future__ import annotations

from charleston.referee.v1 import service_pb2, table_pb2
from referee import notation
from referee.codec import Malformed, NotServed, read_question, read_replay, write_act, write_table


def parse_act(text: str) -> table_pb2.Act:
    """Read one act, such as "EAST passes 1b 3c 9d at FIRST_RIGHT"."""
    return write_act(notation.parse_act(text))


def parse_table(text: str) -> table_pb2.Table:
    """Read a table, a line for each seat."""
    return write_table(notation.parse_table(text))


def act_text(act: table_pb2.Act) -> str:
    """Write an act as a player would type it; ValueError if it describes none."""
    try:
        return notation.act_text(read_replay(service_pb2.ReplayRequest(acts=[act]))[1][0])
    except Malformed as wrong:
        raise _unwritten(wrong) from None


def table_text(table: table_pb2.Table) -> str:
    """Write a table or a view of one, a line for each seat; ValueError if no play leads to it."""
    try:
        return notation.table_text(read_question(service_pb2.WhatNextRequest(table=table))[0])
    except Malformed as wrong:
        raise _unwritten(wrong) from None
    except NotServed:
        raise ValueError(f"table.rulebook: version {table.rulebook} is not known here") from None


def _unwritten(wrong: Malformed) -> ValueError:
    told = (f"{field.replace('acts[0]', 'act', 1)}: {sentence}" for field, _, sentence in wrong.violations)
    return ValueError("; ".join(told))
