"""Of a crowd all are let in before one is judged, so that it is known how many they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import pytest

from referee import calls
from referee.calls import Entrance
from referee.server import running
from referee.settings import Settings
from referee.workers import Tally, Workers
from tests.wire.asking import LEGAL, SOON, Lines, channel, path


class Polling:
    """What is known of calls, one thing at a time, in the place of grpcio; and the workers, who judge nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1.0
        monkeypatch.setattr(calls, "monotonic", lambda: self.now)
        self.submitted: list[bytes] = []
        self._looks: list[Callable[[], None]] = []
        self._tally = Tally()
        self._entrance = Entrance(cast(Workers, self), self._tally)

    def comes(self, question: bytes) -> None:
        """Let a call come, and its question."""
        self._tally.enter()
        self._entrance.take(cast(Any, self), cast(Any, None), question)

    def look(self, then: Callable[[], None]) -> None:
        """Be asked to look what else there is."""
        self._looks.append(then)

    def looks(self) -> None:
        """Have looked."""
        self._looks.pop()()

    def submit(self, _: object, question: bytes) -> None:
        """Have a question to judge."""
        self.submitted.append(question)


@pytest.fixture
def polling(monkeypatch: pytest.MonkeyPatch) -> Polling:
    """The polling thread at a moment when nobody has come for long."""
    return Polling(monkeypatch)


def test_all_are_let_in_first(polling: Polling) -> None:
    """While others come no question goes to the workers; once nobody does all go, in their order."""
    polling.comes(b"1")
    polling.comes(b"2")
    polling.looks()
    while_they_come = polling.submitted.copy()
    polling.looks()

    assert ([], [b"1", b"2"]) == (while_they_come, polling.submitted)


def test_a_crowd_without_an_end(polling: Polling) -> None:
    """However many come, the first of them wait for no longer than their turn lasts."""
    polling.comes(b"1")
    polling.now += 1
    polling.comes(b"2")
    polling.looks()

    assert [b"1", b"2"] == polling.submitted


def test_between_two_turns(polling: Polling) -> None:
    """For a while after others were let in, each question goes to the workers at once; then they are again."""
    polling.comes(b"1")
    polling.looks()
    polling.comes(b"2")
    at_once = polling.submitted.copy()
    polling.now += 1
    polling.comes(b"3")

    assert ([b"1", b"2"], [b"1", b"2"]) == (at_once, polling.submitted)


def test_who_cannot_look_holds_up_nobody(polling: Polling, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should looking fail, that call is lost and the next goes to the workers."""
    with monkeypatch.context() as spoilt:
        spoilt.setattr(polling, "look", lambda _: [][0])
        with pytest.raises(IndexError):
            polling.comes(b"1")
    polling.comes(b"2")

    assert [b"2"] == polling.submitted


def test_a_crowd() -> None:
    """Of a crowd each is answered or told to ask another, and each is counted."""
    log = Lines()
    few = Settings(listen="127.0.0.1:0", metrics="", max_calls=20)
    with running(few, out=log) as server, channel(server.address) as opened:
        ask = opened.unary_unary(path("Judge"))
        crowd = [ask.future(LEGAL.SerializeToString(), timeout=SOON) for _ in range(400)]
        codes = Counter(call.code().name for call in crowd)
    lines = Counter(log.next()["code"] for _ in range(log.left()))

    assert codes.keys() <= {"OK", "UNAVAILABLE"}
    assert codes == lines
