"""Long work gives way to other threads, and work by itself does not."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from referee.service import turns


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return where it is noted each time that a turn is given."""
    times: list[int] = []
    monkeypatch.setattr(turns, "give_way", lambda: times.append(1))
    return times


def test_other_threads_get_their_turn_every_few_items(given: list[int]) -> None:
    """Beside another thread every eighth of a hundred items is followed by a turn of others, and none is lost."""
    done = Event()
    Thread(target=done.wait, daemon=True).start()
    items = list(turns.in_turns(range(100), 8))
    done.set()

    assert list(range(100)) == items
    assert 12 == len(given)


def test_alone_nothing_is_given_up(given: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of one thread there is nobody to give a turn to."""
    monkeypatch.setattr(turns, "active_count", lambda: 1)

    assert list(range(100)) == list(turns.in_turns(range(100), 8))
    assert [] == given
