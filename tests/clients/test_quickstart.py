"""The quick start works as it is written: a hand to its end, two acts at once, and a referee that was away."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier, Thread

import grpc
import pytest

from charleston import Referee, RefereeClient, RefereeError
from charleston.embedded import EmbeddedReferee
from charleston.referee.v1 import ruling_pb2, table_pb2
from clients.examples import quickstart
from clients.examples.quickstart import Store, deal, play
from referee.codec import write_act
from referee.notation import parse_game
from tests.wire.asking import referee as process

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"
DEAL, EAST, SOUTH, *_ = (write_act(act) for act in parse_game((EXAMPLES / "hand.charleston").read_text()).acts)


class Together(Store):
    """A store whose first two readers wait for each other, so that both act on the same table."""

    def __init__(self) -> None:
        super().__init__()
        self.swaps: list[bool] = []
        self._both = Barrier(2, timeout=30)
        self.meet = False

    def load(self, hand: str) -> bytes:
        stored = super().load(hand)
        if self.meet:
            self._both.wait()
        return stored

    def swap(self, hand: str, old: bytes, new: bytes) -> bool:
        self.meet = False
        self.swaps.append(super().swap(hand, old, new))
        return self.swaps[-1]


def test_it_plays_a_hand_to_its_end(address: str) -> None:
    """Run as a script against a server it tells each act, what was refused and by which article, and the end."""
    script = [sys.executable, str(EXAMPLES / "quickstart.py"), address]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=60)
    lines = ended.stdout.splitlines()

    assert (0, "") == (ended.returncode, ended.stderr)
    assert "  stop.first: The first Charleston is compulsory." in lines
    assert ["ILLEGAL"] == [line.split()[-1] for line in lines if line.startswith("FIRST_RIGHT: WEST stop")]
    assert "OPENING: EAST play                   LEGAL" == lines[-2]
    assert 1 == sum(line.endswith("ILLEGAL") for line in lines)


def test_of_two_acts_at_once_none_is_lost() -> None:
    """Two acts judged on the same table are both stored: who comes second is judged again on the table of the first."""
    referee, store = EmbeddedReferee(), Together()
    play(referee, store, "hand", DEAL)
    store.swaps.clear()
    store.meet = True
    players = [Thread(target=play, args=(referee, store, "hand", act)) for act in (EAST, SOUTH)]
    for player in players:
        player.start()
    for player in players:
        player.join(timeout=30)
    table = table_pb2.Table.FromString(store.load("hand"))

    assert [False, True, True] == sorted(store.swaps)
    assert table.east.HasField("set_out") and table.south.HasField("set_out")


def test_an_act_is_held_while_the_referee_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """While nobody can be reached nothing is stored, and the act gets its ruling when the referee is back."""
    store, kept = Store(), list[bytes]()
    with ExitStack() as stack:
        first = stack.enter_context(process())
        client = stack.enter_context(RefereeClient(first.address))
        play(client, store, "hand", DEAL)
        dealt = store.load("hand")
        first.signal(signal.SIGKILL)
        first.ended()

        def pause() -> None:
            if not kept:
                stack.enter_context(process("--listen", first.address))
            kept.append(store.load("hand"))

        monkeypatch.setattr(quickstart, "pause", pause)
        answer = play(client, store, "hand", EAST)

    assert kept and {dealt} == set(kept)
    assert ruling_pb2.VERDICT_LEGAL == answer.ruling.verdict
    assert answer.standing.table == table_pb2.Table.FromString(store.load("hand"))


@pytest.mark.parametrize("again", [EAST, DEAL])
def test_an_act_that_comes_twice_is_done_once(again: table_pb2.Act) -> None:
    """An act that was stored and comes again is refused, and the table stays."""
    referee, store = EmbeddedReferee(), Store()
    for act in (DEAL, EAST):
        play(referee, store, "hand", act)
    before = store.load("hand")
    answer = play(referee, store, "hand", again)

    assert ruling_pb2.VERDICT_ILLEGAL == answer.ruling.verdict
    assert before == store.load("hand")


def test_a_question_that_is_wrong_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no referee will ever answer is raised at once."""
    monkeypatch.delattr(quickstart, "pause")
    referee: Referee = EmbeddedReferee()
    with pytest.raises(RefereeError) as refused:
        play(referee, Store(), "hand", table_pb2.Act())

    assert grpc.StatusCode.INVALID_ARGUMENT is refused.value.code


def test_the_deal_is_of_a_whole_set() -> None:
    """East is dealt fourteen tiles and everybody else thirteen, the same for the same seed."""
    made = deal(seed=1)

    assert [14, 13, 13, 13] == [len(getattr(made.deal, seat).tiles) for seat in quickstart.SEATS]
    assert made == deal(seed=1)
    assert made != deal(seed=2)
