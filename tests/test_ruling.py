"""What a ruling carries besides its findings: the remedy, what lies open, and the table after a misdeal."""

from __future__ import annotations

import pytest

from referee.judge import Judgement, judge
from referee.notation import parse_act, parse_table, parse_tiles
from referee.ruling import JokerReturn, Misdeal, Outcome, SeatCount
from referee.stages import SEATS, Moment, Seat, Stage
from referee.table import Debt, Place, SetOut, Table
from referee.tiles import HIDDEN, ONE, Tile
from tests.test_findings import laid, said

E, S, W, N = SEATS
RED, SOAP = ONE[Tile.RED], ONE[Tile.SOAP]
BACKS = "table at SECOND_LEFT\nEAST rack 1b*4 2b*4 3b*4 4b 5b\nSOUTH rack ?*13\nWEST rack ?*13\nNORTH rack ?*13"


def ruled(table: Table, *acts: str) -> Judgement:
    """Judge acts one after another; return the last judgement."""
    for act in map(parse_act, acts):
        judgement = judge(table, act)
        table = judgement.table
    return judgement


def test_a_passed_joker_goes_back_to_its_passer() -> None:
    """The remedy of a passed Joker names the passer twice, and how many Jokers."""
    assert JokerReturn(S, S, 1) == ruled(laid("SECOND_LEFT"), "SOUTH passes 2b 2b J").ruling.remedy


def test_a_found_joker_goes_back_to_whoever_passed_it() -> None:
    """The remedy of a Joker handed back names finder, passer and how many."""
    assert JokerReturn(S, W, 1) == ruled(laid("SECOND_LEFT"), "SOUTH hands back 1 J to WEST").ruling.remedy


def test_a_misdeal_names_the_wrong_counts_and_empties_the_table() -> None:
    """A misdeal says what the wrong seats own and were dealt; the table after it has nothing left on it."""
    table = parse_table("house league\n" + BACKS.replace("SOUTH rack ?*13", "SOUTH rack ?*12") + "\nEAST owes WEST 1")
    judgement = judge(table)

    assert (SeatCount(E, 13, 14), SeatCount(S, 12, 13), SeatCount(W, 14, 13)) == _counts(judgement)
    assert Table(Stage.THROWN_IN, house=table.house) == judgement.table


def _counts(judgement: Judgement) -> tuple[SeatCount, ...]:
    remedy = judgement.ruling.remedy

    assert isinstance(remedy, Misdeal)
    assert Moment.DURING is remedy.moment
    return remedy.counts


@pytest.mark.parametrize(
    ("act", "undecided"),
    [
        ("SOUTH passes 9d 9d ?", ["pass.held SOUTH lacking=9d", "joker.passed SOUTH hidden=1"]),
        ("SOUTH hands back 2 J to WEST", ["joker.claim SOUTH held=0 jokers=2 passer=WEST"]),
    ],
)
def test_what_lies_open_has_its_facts(act: str, undecided: list[str]) -> None:
    """What cannot be decided names its seat and its facts, as a finding does."""
    findings = ruled(parse_table(BACKS), act).ruling.undecided

    assert undecided == [said(finding) for finding in findings]


def test_the_trace_says_what_lies_open() -> None:
    """An article that cannot be decided stands in the trace as undecided, and the others as they came out."""
    trace = judge(parse_table(BACKS), parse_act("SOUTH passes 9d 9d 9d"), trace=True).ruling.trace
    outcomes = {asked.rule: asked.outcome for asked in trace}

    assert Outcome.UNDECIDED is outcomes["pass.held"]
    assert Outcome.HELD is outcomes["pass.three"]


def test_a_count_that_is_wrong_once_is_wrong_in_the_trace() -> None:
    """A count is asked of the table and of a claim; the trace says that it is broken where one of them is."""
    trace = judge(laid("FIRST_RIGHT"), parse_act("SOUTH counts 12"), trace=True).ruling.trace

    assert Outcome.BROKEN is {asked.rule: asked.outcome for asked in trace}["count.before"]


def test_face_down_tiles_can_be_as_many_as_are_named() -> None:
    """A rack with as many backs as tiles are named may hold them; with one back less it cannot."""
    three = Table(places=(Place(ONE[HIDDEN] * 3), Place(), Place(), Place()))
    named = parse_tiles("1b 1b 2b")

    assert (b"", named) == three.holds(E, named)
    assert (named + RED, b"") == three.holds(E, named + RED)


def test_a_back_can_be_the_last_copy() -> None:
    """A back can be the last copy of a face that is not named elsewhere, and no fifth one."""
    places = (Place(ONE[HIDDEN] * 2), Place(RED * 3), Place(SOAP * 4), Place())
    table = Table(places=places)

    assert (b"", RED) == table.holds(E, RED)
    assert (SOAP, b"") == table.holds(E, SOAP)


def test_what_a_seat_owns() -> None:
    """A seat owns its rack, what it set out and what comes in, plus what it is owed, less what it owes, over all
    debts."""
    east = Place(RED, SetOut(parse_tiles("1b 2b")), parse_tiles("1d"))
    debts = (Debt(S, E, 1), Debt(W, E, 2), Debt(E, N, 1), Debt(E, E, 1))
    table = Table(places=(east, Place(), Place(), Place()), debts=debts)

    assert 6 == table.owned(E)
    assert (6, -1, -2, 1) == table.all_owned == tuple(map(table.owned, SEATS))


def test_a_debt_holds_up_the_pairs_that_it_touches() -> None:
    """A debt holds up the pair of its debtor and the pair of its creditor, and no other."""

    def touched(debtor: Seat, creditor: Seat) -> list[Seat]:
        return [seat for seat in SEATS if Debt(debtor, creditor, 1).touches(seat)]

    assert [E, W] == touched(E, W) == touched(W, E) == touched(W, W)
    assert [S, N] == touched(S, N) == touched(N, S) == touched(N, N)
    assert [E, S, W, N] == touched(E, S) == touched(N, W)


def test_a_tidied_table_has_its_heaps_and_picks_in_order() -> None:
    """Racks and incoming tiles are put in tile order, and picks; what is set out stays as it was named."""
    east = Place(parse_tiles("R 1b"), SetOut(parse_tiles("2d 3b"), 2, (3, 1)), parse_tiles("O 2b"))
    tidied = Table(places=(east, Place(), Place(), Place())).tidied().place(E)

    assert Place(parse_tiles("1b R"), SetOut(parse_tiles("2d 3b"), 2, (1, 3)), parse_tiles("2b O")) == tidied
