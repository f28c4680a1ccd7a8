"""The laws of a table, for tables that need not have been played to: what is accepted goes on being accepted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from charleston.referee.v1 import service_pb2
from referee.acts import Count, Deal, Draw, Play
from referee.codec import read_question, write_table
from referee.judge import judge
from referee.next import what_next
from referee.notation import parse_table, table_text
from referee.ruling import Misdeal, Verdict
from referee.stages import SEATS, Stage
from referee.table import Table
from referee.tiles import take
from referee.unreachable import act_faults, table_faults
from tests.laws.acting import acts_within, any_act, expected, is_open, on_table, seats
from tests.laws.tables import houses, tables

LAWS = settings(derandomize=True, deadline=None, max_examples=300, suppress_health_check=[HealthCheck.filter_too_much])
FEW = settings(LAWS, max_examples=100)


def accepted(table: Table) -> bool:
    """Tell whether a table is accepted with right counts."""
    return not list(table_faults(table)) and all(table.owned(seat) in table.right_counts(seat) for seat in SEATS)


anywhere = st.one_of(tables(), houses.flatmap(tables))


@LAWS
@given(anywhere, st.data())
def test_any_act_at_any_table(table: Table, data: st.DataObject) -> None:
    """An act is lawful if it is open and else refused, or a Joker comes back; no tile is lost, and the next table is
    accepted."""
    assume(accepted(table))
    for _ in range(3):
        act = data.draw(any_act(table))
        if list(act_faults(table, act)):
            continue
        ruling, after = judge(table, act)
        lawful = ruling.verdict is Verdict.LEGAL
        gone = [act.tile] if lawful and isinstance(act, Play) and act.tile else []
        drawn = [act.tile] if lawful and isinstance(act, Draw) else []

        assert expected(table, act) is ruling.verdict
        assert [] == list(table_faults(after))
        if ruling.verdict is Verdict.MISDEAL:
            assert Table(Stage.THROWN_IN, house=table.house) == after
        else:
            assert on_table(table) + Counter(drawn) == on_table(after) + Counter(gone)
        if ruling.verdict is Verdict.ILLEGAL:
            assert table is after


@LAWS
@given(anywhere, st.data())
def test_what_is_open_at_any_table(table: Table, data: st.DataObject) -> None:
    """Whatever is open is lawful, however it is done; somebody is waited for; an example is open and lawful."""
    assume(accepted(table))
    then = what_next(table)

    assert then.waiting_for
    for entry in then.seats:
        if entry.example is not None:
            assert is_open(table, then, entry.example)
            assert Verdict.LEGAL is judge(table, entry.example).ruling.verdict
        for each in entry.acts:
            act = data.draw(acts_within(table, entry.seat, each))
            if act is not None:
                ruling, after = judge(table, act)

                assert is_open(table, then, act)
                assert expected(table, act) is ruling.verdict
                assert [] == list(table_faults(after))


@FEW
@given(anywhere)
def test_any_table_in_writing(table: Table) -> None:
    """A table is the same after the wire and after its notation."""
    assume(not list(table_faults(table)))

    assert table == read_question(service_pb2.WhatNextRequest(table=write_table(table)))[0]
    assert table == parse_table(table_text(table))


@FEW
@given(tables(), seats, st.data())
def test_a_wrong_count_ends_any_hand(table: Table, seat: int, data: st.DataObject) -> None:
    """Where a tile is missing every act but a Deal finds the misdeal, and names who is short and by how much."""
    assume(accepted(table))
    seat = SEATS[seat - 1]
    rack = table.place(seat).rack
    assume(rack)
    short = table.put(seat, replace(table.place(seat), rack=take(rack, rack[:1])))
    act = data.draw(any_act(short))
    assume(not isinstance(act, Deal))
    for ruling, after in (judge(short), judge(short, act), judge(short, Count(seat, len(rack)))):
        assert Verdict.MISDEAL is ruling.verdict
        assert isinstance(ruling.remedy, Misdeal)
        assert [(seat, Table().dealt(seat) - 1, Table().dealt(seat))] == [
            (c.seat, c.counted, c.dealt) for c in ruling.remedy.counts
        ]
        assert Table(Stage.THROWN_IN) == after
