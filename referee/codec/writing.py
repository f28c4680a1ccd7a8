"""To the wire as messages, for those who want to look at one: tables, acts and what speaks against a transition."""

from __future__ import annotations

from charleston.referee.v1 import ruling_pb2, table_pb2
from referee.acts import Act
from referee.codec.rulings import fact_text
from referee.codec.tables import act_bytes, table_bytes
from referee.differences import Difference
from referee.table import Table


def write_table(table: Table) -> table_pb2.Table:
    """Write a table; a table with nothing dealt has no places."""
    return table_pb2.Table.FromString(table_bytes(table))


def write_act(act: Act) -> table_pb2.Act:
    """Write an act, with the stage if it names one."""
    return table_pb2.Act.FromString(act_bytes(act))


def write_difference(difference: Difference, message: str) -> ruling_pb2.Difference:
    """Write what speaks against a transition, with its sentence."""
    return ruling_pb2.Difference(
        kind=ruling_pb2.DifferenceKind.ValueType(difference.kind),
        seat=table_pb2.Seat.ValueType(difference.seat or 0),
        path=difference.path,
        expected=fact_text(difference.expected),
        actual=fact_text(difference.actual),
        rule=difference.rule,
        message=message,
    )
