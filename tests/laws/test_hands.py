"""The laws of a hand, by a machine that plays whole hands, rightly and wrongly, and looks at every table on the way."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from charleston.referee.v1 import service_pb2
from referee.acts import Act, Count, Deal, Pass, Play
from referee.codec import read_question, write_act, write_table
from referee.judge import Judgement, judge
from referee.next import ActKind, SeatNext, what_next
from referee.notation import Claim, Game, Line, game_text, parse_game, parse_table, table_text
from referee.ruling import Verdict
from referee.stages import IN_HAND, NOT_DEALT, SEATS, Seat, Stage
from referee.table import Table
from referee.tiles import JOKER, ONE, without_jokers
from referee.unreachable import act_faults, table_faults
from tests.laws.acting import acts_within, any_act, deals, expected, is_open, on_table, seats, seeds, some

MOST_EXAMPLES = 80
"""Six passes of four, as many looks, four offers, a discard, and a debt for each Joker at the worst."""

BEGUN_AT = [*[Stage.UNDEALT] * 3, Stage.FIRST_LEFT, *[Stage.SECOND_LEFT] * 2, Stage.SECOND_RIGHT, *[Stage.COURTESY] * 3]
"""Where a hand is taken up: the later stages too, or the machine would seldom get so far."""


def over_the_wire(table: Table, act: Act) -> tuple[Table, Act | None]:
    """Write a table and an act, and read them back."""
    request = service_pb2.JudgeRequest(table=write_table(table), act=write_act(act))
    return read_question(service_pb2.JudgeRequest.FromString(request.SerializeToString()))


def replayed(game: Game) -> list[Judgement]:
    """Judge the acts of a game one after another."""
    table = game.table or Table()
    judgements = []
    for act in game.acts:
        judgements.append(judge(table, act))
        table = judgements[-1].table
    return judgements


class Hands(RuleBasedStateMachine):
    """Plays hand after hand at one table."""

    def __init__(self) -> None:
        """Sit down at a table with nothing dealt."""
        super().__init__()
        self.start: Table | None = None
        self.table = Table()
        self.tiles: Counter[int] = Counter()
        self.lines: list[Line] = []
        self.judgements: list[Judgement] = []
        self.looked_at: Table | None = None

    def act(self, act: Act) -> Verdict:
        """Judge an act and go on from its table; what is refused gives the very same table."""
        before = self.table
        judgement = judge(before, act)
        self.lines.append(Line(act))
        self.judgements.append(judgement)
        self.table = judgement.table
        if isinstance(act, Deal) and judgement.ruling.verdict is Verdict.LEGAL:
            self.tiles = on_table(self.table)

        assert (before, act) == over_the_wire(before, act)
        if judgement.ruling.verdict is Verdict.ILLEGAL:
            assert before is self.table
        return judgement.ruling.verdict

    @initialize(deal=deals(), stage=st.sampled_from(BEGUN_AT))
    def first_deal(self, deal: Deal, stage: Stage) -> None:
        """Deal the first hand, or take one up where its racks have come so far."""
        if stage is Stage.UNDEALT:
            assert Verdict.LEGAL is self.act(deal)
        else:
            dealt = judge(Table(), deal).table
            self.start = self.table = dealt.at(stage, dealt.places)
            self.tiles = on_table(self.table)

    @precondition(lambda self: self.table.stage in NOT_DEALT)
    @rule(deal=deals())
    def deal_again(self, deal: Deal) -> None:
        """Deal anew after a misdeal."""
        assert Verdict.LEGAL is self.act(deal)

    @precondition(lambda self: self.table.stage in NOT_DEALT)
    @rule(data=st.data())
    def anything_but_a_deal(self, data: st.DataObject) -> None:
        """Nothing is judged before the deal."""
        act = data.draw(any_act(self.table))
        if not isinstance(act, Deal):
            assert Verdict.ILLEGAL is self.act(act)

    def waiting(self) -> list[SeatNext]:
        """Return the seats that must do something."""
        then = what_next(self.table)
        return [entry for entry in then.seats if entry.seat in then.waiting_for]

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(data=st.data(), times=st.integers(1, 8))
    def what_must_be_done(self, data: st.DataObject, times: int) -> None:
        """Do what somebody must do, in a way that is drawn: it is lawful."""
        for _ in range(times):
            if waiting := self.waiting():
                entry = data.draw(st.sampled_from(waiting))
                must = data.draw(st.sampled_from([each for each in entry.acts if each.must]))
                act = data.draw(acts_within(self.table, entry.seat, must))

                assert act is not None
                assert is_open(self.table, what_next(self.table), act)
                assert Verdict.LEGAL is self.act(act)

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(data=st.data())
    def what_may_be_done(self, data: st.DataObject) -> None:
        """Do what is open and need not be done: it is lawful, and a Joker handed back is returned."""
        free = [(e.seat, each) for e in what_next(self.table).seats for each in e.acts if not each.must]
        if free:
            seat, may = data.draw(st.sampled_from(free))
            act = data.draw(acts_within(self.table, seat, may))
            returned = may.kind is ActKind.HAND_BACK

            assert act is not None
            assert is_open(self.table, what_next(self.table), act)
            assert (Verdict.JOKER_RETURN if returned else Verdict.LEGAL) is self.act(act)

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(data=st.data())
    def hand_a_joker_back(self, data: st.DataObject) -> None:
        """Hand Jokers back wherever that is open, and more often than by chance."""
        for entry in what_next(self.table).seats:
            for each in entry.acts:
                if each.kind is ActKind.HAND_BACK and data.draw(st.booleans()):
                    act = data.draw(acts_within(self.table, entry.seat, each))

                    assert act is not None
                    assert expected(self.table, act) is self.act(act)

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(data=st.data())
    def slip_a_joker_in(self, data: st.DataObject) -> None:
        """Pass a Joker in a pass that is otherwise right: it comes back and is owed for."""
        for entry in what_next(self.table).seats:
            rack = self.table.place(entry.seat).rack
            for each in entry.acts:
                if each.kind is ActKind.PASS and JOKER in rack:
                    blind = data.draw(st.integers(0, min(each.blind, each.tiles - 1)))
                    jokers = data.draw(st.integers(1, min(rack.count(JOKER), each.tiles - blind)))
                    others = without_jokers(rack)
                    own = each.tiles - blind - jokers
                    tiles = ONE[JOKER] * jokers + others[:own]
                    pile = data.draw(st.permutations(tiles))
                    owed = len(self.table.debts)

                    assert Verdict.JOKER_RETURN is self.act(Pass(entry.seat, bytes(pile), blind))
                    assert (entry.seat, entry.seat, jokers) == (
                        self.table.debts[-1].debtor,
                        self.table.debts[-1].creditor,
                        self.table.debts[-1].tiles,
                    )
                    assert owed + 1 == len(self.table.debts)
                    return

    @precondition(lambda self: self.table.stage not in NOT_DEALT)
    @rule(data=st.data(), times=st.integers(1, 4))
    def anything_at_all(self, data: st.DataObject, times: int) -> None:
        """Try any act but a Count: it is lawful if it is open, and else refused or a Joker that comes back."""
        for _ in range(times):
            act = data.draw(any_act(self.table))
            if self.table.stage not in NOT_DEALT and not list(act_faults(self.table, act)):
                assert expected(self.table, act) is self.act(act)

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(seat=seats)
    def count_right(self, seat: Seat) -> None:
        """Count what is there: nothing is wrong, and nothing changes."""
        before = self.table

        assert Verdict.LEGAL is self.act(Count(seat, len(self.table.place(seat).rack)))
        assert before == self.table

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(seat=seats, wrong=st.sampled_from([-1, 1, 3, 20, 100]), often=st.integers(0, 5))
    def count_wrong(self, seat: Seat, wrong: int, often: int) -> None:
        """Count something else, now and then: the hands are thrown in, with nothing left on the table."""
        number = len(self.table.place(seat).rack) + wrong
        if number >= 0 and not often:
            assert Verdict.MISDEAL is self.act(Count(seat, number))
            assert Table(Stage.THROWN_IN) == self.table

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(data=st.data(), times=st.integers(1, 3))
    def play_examples(self, data: st.DataObject, times: int) -> None:
        """Let absent players play: the example of a first must is lawful and open."""
        for _ in range(times):
            if waiting := self.waiting():
                self.play_example(data.draw(st.sampled_from(waiting)))

    def play_example(self, entry: SeatNext) -> None:
        """Play the example of a seat."""
        assert entry.example is not None
        assert is_open(self.table, what_next(self.table), entry.example)
        assert Verdict.LEGAL is self.act(entry.example)

    @precondition(lambda self: self.table.stage in IN_HAND)
    @rule(data=st.data())
    def claim(self, data: st.DataObject) -> None:
        """Note in the game what a log would claim here; it is no act."""
        seat = data.draw(seats)
        rack = self.table.place(seat).rack
        self.lines.append(Line(Claim(seat, some(data.draw(seeds), rack, len(rack)))))

    @invariant()
    def every_table_is_a_table(self) -> None:
        """Every table returned can be reached, and is the same after the wire and after its notation."""
        table = self.table
        if table == self.looked_at:
            return
        self.looked_at = table
        then = what_next(table)

        assert [] == list(table_faults(table))
        assert table == read_question(service_pb2.WhatNextRequest(table=write_table(table)))[0]
        assert table == parse_table(table_text(table))
        assert table == table.tidied()
        assert Verdict.LEGAL is judge(table).ruling.verdict
        assert bool(then.waiting_for) is (table.stage in IN_HAND)
        for entry in then.seats:
            if entry.example is not None:
                assert is_open(table, then, entry.example)
                assert Verdict.LEGAL is judge(table, entry.example).ruling.verdict
            assert (entry.example is not None) is any(each.must for each in entry.acts)

    @invariant()
    def tiles_are_conserved(self) -> None:
        """Every tile dealt is somewhere, until East has discarded, and then all but that one."""
        if self.table.stage in IN_HAND:
            assert self.tiles == on_table(self.table)
        if self.table.stage is Stage.PLAY:
            last = next(
                line.entry
                for line, judged in zip(reversed(self.acts()), reversed(self.judgements), strict=True)
                if judged.ruling.verdict is not Verdict.ILLEGAL
            )

            assert isinstance(last, Play)
            assert last.tile is not None
            assert self.tiles == on_table(self.table) + Counter([last.tile])
            assert [13, 13, 13, 13] == [len(self.table.place(seat).rack) for seat in SEATS]

    def acts(self) -> list[Line]:
        """Return the lines that are acts."""
        return [line for line in self.lines if not isinstance(line.entry, Claim)]

    @precondition(lambda self: self.table.stage is Stage.PLAY)
    @rule(deal=deals(), stage=st.sampled_from(BEGUN_AT))
    def another_hand(self, deal: Deal, stage: Stage) -> None:
        """End this hand and begin another one."""
        self.teardown()
        self.lines, self.judgements = [], []
        self.start, self.table = None, Table()
        self.first_deal(deal, stage)

    def teardown(self) -> None:
        """Examples alone end the hand, and the printed game replays to the same judgements."""
        played = 0
        while self.table.stage in IN_HAND:
            self.play_example(self.waiting()[0])
            played += 1
            assert played <= MOST_EXAMPLES
        game = Game(tuple(self.lines), self.start)
        read = parse_game(game_text(game))

        assert game == read
        assert game_text(game) == game_text(read)
        assert self.judgements == replayed(read)


TestHands = Hands.TestCase
TestHands.settings = settings(
    derandomize=True,
    deadline=None,
    max_examples=100,
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),
)
