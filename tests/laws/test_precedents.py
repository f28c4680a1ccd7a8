"""The laws of precedents: what was ruled on a like act is what would be ruled on this one, and names no tile."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from charleston.conformance.cases import load
from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.acts import Act
from referee.codec import write_act, write_table
from referee.judge import judge, judge_anew, precedent
from referee.next import what_next
from referee.notation import parse_game
from referee.rulebook import RULEBOOK
from referee.service import referee
from referee.table import Table
from referee.tiles import Tile
from referee.unreachable import act_faults, reached
from tests.lawful import hand
from tests.laws.acting import any_act
from tests.laws.tables import houses, tables
from tests.test_real_games import GAMES

LAWS = settings(derandomize=True, deadline=None, max_examples=600)
Question = tuple[Table, Act | None]


def known() -> Iterator[Question]:
    """Yield every act of the corpus, of the real games and of hands played at random with the table that it met, and
    each of these tables without an act."""
    played = [(case.table(), case.parsed) for case in load() if not (case.question or "error" in case.want)]
    played += [
        (game.start, game.acts)
        for game in (parse_game(path.read_text()) for path in sorted(GAMES.glob("*.charleston")))
    ]
    played += [(Table(), hand(Random(seed)).acts) for seed in range(40)]
    for table, acts in played:
        for act in acts:
            yield table, None
            yield table, act
            table = judge_anew(table, act, trace=False, rulebook=RULEBOOK).table


def key(table: Table) -> object:
    """Return what lies where at a table, in numbers."""
    return table.shape and table.shape.key


def unlike(table: Table, act: Act | None) -> list[str]:
    """Return in what the precedent for an act is not what is found when it is judged by itself."""
    like = precedent(table, act)
    if like is None:
        return []
    ruling, after = judge_anew(table, act, trace=False, rulebook=RULEBOOK)
    fresh = Table(after.stage, after.places, after.debts, after.rulebook, after.house)
    opened = what_next(fresh).open
    same = {
        "ruling": like.ruling == ruling,
        "table": like.after(table, act) == after,
        "shape": key(like.after(table, act)) == key(fresh),
        "open": (like.open.acts, like.open.sources) == (opened.acts, opened.sources),
    }
    return [what for what, is_same in same.items() if not is_same]


def test_precedents_hold_for_all_that_is_known() -> None:
    """Of every act of the corpus, the real games and hands at random, a precedent says what judging it says."""
    questions = list(known())
    # A table anew each time, as one that was judged has its shape with it.
    fresh = [(Table(t.stage, t.places, t.debts, t.rulebook, t.house), act) for t, act in questions]

    assert 10_000 < sum(precedent(table, act) is not None for table, act in fresh)
    assert [] == [(table, act, wrong) for table, act in fresh if (wrong := unlike(table, act))]


@LAWS
@given(st.data())
def test_precedents_hold_for_any_act(data: st.DataObject) -> None:
    """Of any act at any table that play can reach, and after it of another, a precedent says what judging it says."""
    table = data.draw(st.one_of(tables(), houses.flatmap(tables)))
    if not reached(table):
        return
    for _ in range(3):
        act = data.draw(any_act(table))
        if any(act_faults(table, act)):
            return

        assert [] == unlike(table, act)
        assert [] == unlike(table, None)
        table = judge(table, act).table


def test_no_precedent_names_a_tile() -> None:
    """Whatever was judged before, no fact of any precedent is a tile, and none of what it is kept by."""
    for table, act in known():
        judge(table, act)
    facts = [
        value
        for like in RULEBOOK.precedents._kept.values()
        for finding in (*like.ruling.broken, *like.ruling.undecided)
        for _, value in finding.facts
    ]
    keys = [key for key in RULEBOOK.precedents._kept if isinstance(key, tuple)]

    assert facts
    assert not [fact for fact in facts if isinstance(fact, bytes | Tile)]
    assert not [part for key in keys for part in key[1] if isinstance(part, bytes | Tile)]


def test_an_answer_is_the_same_with_a_precedent_as_without() -> None:
    """Answers with ids, which are made anew, have the same bytes as those told before, but for the id."""
    anew, as_before = referee(key=b"0" * 32)["Judge"], referee()["Judge"]

    def told(body: bytes) -> ruling_pb2.Ruling:
        ruling = service_pb2.JudgeResponse.FromString(body).ruling
        ruling.ClearField("id")
        return ruling

    for table, act in known():
        if act is None or not reached(table) or any(act_faults(table, act)):
            continue
        asked = service_pb2.JudgeRequest(table=write_table(table), act=write_act(act)).SerializeToString()

        assert told(anew(asked, "").body) == told(as_before(asked, "").body)
