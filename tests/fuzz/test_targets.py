"""Fuzzing's targets hold for all they begin with, and for every input that once broke one; and they can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.codec import Options
from referee.table import Table
from tests.fuzz import targets, wire
from tests.fuzz.targets import NAMES, TARGETS, begin, scribbled

KEPT = Path(__file__).parent / "kept"


@pytest.mark.parametrize("target", TARGETS)
def test_what_fuzzing_begins_with_is_sound(target: str) -> None:
    """Every tenth input that a target begins with passes it."""
    for data in list(begin(target))[::10]:
        TARGETS[target](data)


@pytest.mark.parametrize("path", sorted(KEPT.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_broke_a_target_once_breaks_it_no_more(path: Path) -> None:
    """An input that fuzzing found, kept in the folder of its target, passes it today."""
    TARGETS[path.parent.name](path.read_bytes())


def test_a_target_notices_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that raises what is no refusal breaks its target."""

    def crash(method: str, body: bytes) -> None:
        raise IndexError

    monkeypatch.setattr(targets, "ask", crash)

    with pytest.raises(IndexError):
        TARGETS["service"](b"\0")


def test_a_target_notices_a_reader_that_reads_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short way that reads another table than the long way breaks its target."""
    first = next(data for data in begin("reading") if NAMES[data[0]] == "Judge")
    monkeypatch.setitem(targets.WAYS, "Judge", (lambda body: (Table(), None, Options()), targets.WAYS["Judge"][1]))

    with pytest.raises(AssertionError):
        TARGETS["reading"](first)


def test_scribbling_keeps_the_method() -> None:
    """A request that is scribbled on stays a request of its method, or is left to be changed byte by byte."""
    data = next(begin("service"))
    changed = [each for seed in range(20) if (each := scribbled(data, seed))]

    assert changed
    assert {NAMES[data[0]]} == {NAMES[each[0]] for each in changed}
    assert {data} != set(changed)


def test_a_request_id_is_the_callers_own_word() -> None:
    """A log may repeat a request id that looks like a tile, and a tile anywhere else in it is noticed."""
    wire.look_at(['{"level":"info","event":"call","request":"4b"}'])

    with pytest.raises(AssertionError):
        wire.look_at(['{"level":"info","event":"call","method":"4b"}'])
