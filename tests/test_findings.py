"""What programs read of a ruling: findings by their facts, for each way of breaking an article, and the trace."""

from __future__ import annotations

import pytest

from charleston.conformance.cases import Case
from referee.judge import judge
from referee.notation import parse_act, parse_table, tiles_text
from referee.rulebook import RULEBOOK
from referee.ruling import Asked, FactValue, Finding, Outcome
from referee.stages import SEATS, Stage
from referee.table import Table

EAST = "1b 1b 1c 3c 8c 9c 9c 1d 5d 7d N N N F"
SOUTH = "2b 2b 2b 5b 2c 4c 8c 9c 4d 4d 5d 8d J"


def laid(stage: str) -> Table:
    """Lay a table at a stage, with East's and South's racks known."""
    racks = {"EAST": EAST, "SOUTH": SOUTH}
    return Case(name="", level="", want={}, stage=stage, racks=racks).table()


def text(value: FactValue) -> str:
    """Write a fact as the protocol does."""
    if isinstance(value, bytes):
        return tiles_text(value)
    return value.name if hasattr(value, "name") else str(value)


def said(finding: Finding) -> str:
    """Write a finding and its facts."""
    facts = " ".join(f"{name}={text(value)}" for name, value in finding.facts)
    return f"{finding.rule} {finding.seat.name if finding.seat else '-'} {facts}".strip()


@pytest.mark.parametrize(
    ("stage", "acts", "found"),
    [
        ("FIRST_RIGHT", ["SOUTH counts 12"], ["count.before SOUTH counted=12 dealt=13"]),
        (
            "FIRST_RIGHT",
            ["SOUTH passes 2b 2b 2b", "SOUTH counts 12"],
            ["count.during SOUTH counted=15 dealt=13"],
        ),
        ("OPENING", ["EAST counts 13"], ["count.after EAST counted=13 dealt=14"]),
        ("UNDEALT", ["EAST stops"], ["order.deal EAST why=undealt"]),
        (
            "FIRST_RIGHT",
            ["deal EAST 1b / SOUTH 1b / WEST 1b / NORTH 1b"],
            ["order.deal - why=dealt"],
        ),
        ("COURTESY", ["everyone looks at SECOND_RIGHT"], ["order.stage - named=SECOND_RIGHT stage=COURTESY"]),
        ("FIRST_LEFT", ["EAST passes N N N to WEST"], ["order.direction EAST named=WEST receiver=NORTH"]),
        (
            "FIRST_LEFT",
            ["EAST passes N N N", "EAST passes 1b 1b 1c"],
            ["order.once EAST why=again"],
        ),
        ("COURTESY", ["EAST offers 1", "WEST offers 0", "EAST passes nothing"], ["order.once EAST why=nothing"]),
        ("OPENING", ["SOUTH stops"], ["order.over SOUTH why=opening"]),
        ("PLAY", ["SOUTH looks"], ["order.over SOUTH why=play"]),
        ("FIRST_LEFT", ["SOUTH passes 2b blind 1"], ["pass.three SOUTH blind=1 own=1 total=2"]),
        ("FIRST_RIGHT", ["SOUTH passes F G G"], ["pass.held SOUTH lacking=G F"]),
        ("FIRST_RIGHT", ["SOUTH looks"], ["look.before SOUTH"]),
        ("OPENING", ["everyone looks"], ["look.nothing -"]),
        ("SECOND_ACROSS", ["SOUTH passes 2b 2b blind 1"], ["blind.last_pass SOUTH blind=1 stage=SECOND_ACROSS"]),
        ("FIRST_LEFT", ["WEST stops"], ["stop.first WEST"]),
        ("SECOND_RIGHT", ["WEST stops"], ["stop.looked WEST why=looked"]),
        ("COURTESY", ["WEST stops"], ["stop.over WEST"]),
        (
            "FIRST_LEFT",
            ["WEST offers 4"],
            ["courtesy.last WEST stage=FIRST_LEFT", "courtesy.range WEST offered=4"],
        ),
        (
            "COURTESY",
            ["WEST offers 1", "WEST offers 2"],
            ["courtesy.lower WEST before=1 offered=2 why=raised"],
        ),
        (
            "COURTESY",
            ["WEST offers 2", "EAST offers 0", "WEST offers 1"],
            ["courtesy.lower WEST before=2 offered=1 why=settled"],
        ),
        ("COURTESY", ["SOUTH passes 2b"], ["courtesy.offers SOUTH partner=NORTH"]),
        (
            "COURTESY",
            ["SOUTH offers 2", "NORTH offers 1", "SOUTH passes 2b blind 1"],
            ["blind.last_pass SOUTH blind=1 stage=COURTESY", "courtesy.fewer SOUTH agreed=1 total=2"],
        ),
        ("FIRST_RIGHT", ["SOUTH passes 2b 2b J"], ["joker.passed SOUTH jokers=1"]),
        ("SECOND_LEFT", ["SOUTH hands back 1 J to WEST"], ["joker.found WEST finder=SOUTH jokers=1"]),
        ("SECOND_LEFT", ["SOUTH hands back 1 J to SOUTH"], ["joker.claim SOUTH held=1 jokers=1 passer=SOUTH why=own"]),
        (
            "FIRST_ACROSS",
            ["SOUTH hands back 1 J to WEST"],
            ["joker.claim SOUTH held=1 jokers=1 passer=WEST why=source"],
        ),
        ("SECOND_LEFT", ["SOUTH hands back 2 J to EAST"], ["joker.claim SOUTH held=1 jokers=2 passer=EAST why=held"]),
        (
            "SECOND_LEFT",
            ["SOUTH passes 2b 2b J", "SOUTH hands back 1 J to EAST"],
            ["joker.claim SOUTH held=1 jokers=1 passer=EAST why=owes"],
        ),
        ("SECOND_LEFT", ["SOUTH replaces 2b"], ["joker.owed SOUTH jokers=0 owed=0 paid=1 why=none"]),
        (
            "SECOND_LEFT",
            ["SOUTH passes 2b 2b J", "SOUTH replaces J 2b"],
            ["joker.owed SOUTH jokers=1 owed=1 paid=2 why=number"],
        ),
        (
            "SECOND_LEFT",
            ["SOUTH passes 2b 2b J", "SOUTH replaces J"],
            ["joker.owed SOUTH jokers=1 owed=1 paid=1 why=joker"],
        ),
        (
            "OPENING",
            ["SOUTH hands back 1 J to WEST", "NORTH discards 2b"],
            ["joker.owed NORTH debtor=WEST why=open", "play.east NORTH why=seat"],
        ),
        ("FIRST_RIGHT", ["WEST declares dead"], ["play.nothing WEST"]),
        ("OPENING", ["EAST calls"], ["play.east EAST why=kind"]),
        ("OPENING", ["EAST discards G"], ["play.east EAST why=held"]),
        ("OPENING", ["EAST draws G"], ["draw.house EAST"]),
    ],
)
def test_a_finding_has_its_facts(stage: str, acts: list[str], found: list[str]) -> None:
    """Findings stand in book order, each with its seat and its facts sorted by name."""
    table = laid(stage)
    for act in map(parse_act, acts):
        ruling, table = judge(table, act)

    assert found == [said(finding) for finding in ruling.broken]
    assert all(list(finding.facts) == sorted(finding.facts) for finding in ruling.broken)


def test_wrong_counts_stand_in_turn_order() -> None:
    """Several seats with a wrong count are found in turn order, all of them."""
    table = parse_table(
        "table at FIRST_ACROSS\nNORTH rack 1b*4\nEAST rack 2b*4\nWEST rack 3b*4 4b*4 5b*4 6b\nSOUTH rack R"
    )
    found = [said(finding) for finding in judge(table).ruling.broken]

    assert [
        "count.during EAST counted=4 dealt=14",
        "count.during SOUTH counted=1 dealt=13",
        "count.during NORTH counted=4 dealt=13",
    ] == found


def traced(stage: str, act: str) -> dict[str, Outcome]:
    """Return which articles were asked of an act, in the order of the trace, and what came of each."""
    ruling = judge(laid(stage), parse_act(act), trace=True).ruling

    assert len(ruling.trace) == len({asked.rule for asked in ruling.trace})
    return {asked.rule: asked.outcome for asked in ruling.trace}


def test_the_trace_says_what_was_asked() -> None:
    """The trace lists in book order each article that was asked, and which of them were broken."""
    trace = traced("FIRST_RIGHT", "SOUTH passes 2b J")
    book = [rule.id for rule in RULEBOOK.articles]

    assert sorted(trace, key=book.index) == list(trace)
    assert ["pass.three", "joker.passed"] == [rule for rule, outcome in trace.items() if outcome is Outcome.BROKEN]
    assert {"count.before", "order.stage", "order.once", "pass.held", "blind.last_pass"} <= set(trace)
    assert {"stop.first", "look.before", "joker.owed", "courtesy.fewer"}.isdisjoint(trace)


@pytest.mark.parametrize(
    ("stage", "act", "last"),
    [
        ("UNDEALT", "EAST passes 1b 1b 1c at FIRST_LEFT", "order.deal"),
        ("PLAY", "EAST passes 1b 1b 1c at FIRST_LEFT", "order.over"),
        ("COURTESY", "EAST passes 1b 1b 1c at FIRST_LEFT", "order.stage"),
        ("OPENING", "EAST passes 1b 1b 1c", "order.over"),
    ],
)
def test_what_stands_alone_is_asked_alone(stage: str, act: str, last: str) -> None:
    """Once something is found that stands alone no more is asked."""
    trace = traced(stage, act)

    assert [last] == [rule for rule, outcome in trace.items() if outcome is Outcome.BROKEN]
    assert {"pass.three", "pass.held", "order.once", "courtesy.fewer"}.isdisjoint(trace)


def test_there_is_no_trace_unless_it_is_asked_for() -> None:
    """A ruling has no trace by itself, and a trace changes nothing else of it."""
    for stage in (Stage.FIRST_RIGHT, Stage.COURTESY):
        for seat in SEATS:
            act = parse_act(f"{seat.name} passes 1b J")
            plain, traced = judge(laid(stage.name), act), judge(laid(stage.name), act, trace=True)

            assert () == plain.ruling.trace
            assert plain.table == traced.table
            assert plain.ruling.broken == traced.ruling.broken
            assert all(isinstance(asked, Asked) for asked in traced.ruling.trace)
