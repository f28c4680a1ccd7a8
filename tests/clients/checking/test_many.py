"""Many items: the same reports on any number of cores, in order, with never more than a few of them in memory."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from charleston.commands.checking import items as reading
from charleston.commands.checking.items import Item, Reader
from charleston.commands.checking.many import AHEAD, in_flight
from charleston.commands.checking.progress import Progress, size_of
from charleston.commands.checking.results import Checked
from tests.clients.checking.samples import JOKER, LAWFUL, replay
from tests.clients.conftest import Ask

# What a process itself took at most is asked of Linux: by getrusage it begins with what its parent had.
MEASURED = """
import re, resource, sys
from charleston.__main__ import main
status = main(sys.argv[1:])
with open("/proc/self/status") as told:
    own = int(re.search("VmHWM:\\s+([0-9]+) kB", told.read())[1])
print(status, max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), file=sys.stderr)
"""


def charleston(folder: Path, *argv: object) -> tuple[str, list[int]]:
    """Run the command as a process of its own; return its output, its status and the most memory it took, in KiB."""
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, *map(str, argv)], cwd=folder, capture_output=True, text=True, timeout=100
    )
    return ran.stdout, [int(each) for each in ran.stderr.split()]


def test_any_number_of_cores_writes_the_same(tmp_path: Path) -> None:
    """One core and three give the same bytes: what is said, and every report."""
    lines = [replay(LAWFUL), replay(JOKER), "{"] * 60
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    reports = ("many.xml", "many.sarif", "many.json")
    options = [part for report in reports for part in (f"--{report[5:].replace('xml', 'junit')}", report)]

    def told(jobs: int) -> list[str]:
        out, (status, _) = charleston(tmp_path, "check", "many.jsonl", *options, "--jobs", jobs)
        assert 2 == status
        return [out, *((tmp_path / report).read_text() for report in reports)]

    assert told(1) == told(3)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process took")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_large_input_takes_little_memory(tmp_path: Path, jobs: int) -> None:
    """Packed JSON lines of 256 MB are judged in much less memory than that, with every report at once."""
    line = replay(JOKER).encode()
    line = line[:1] + b" " * (1024 * 1024 - len(line)) + line[1:] + b"\n"
    with gzip.open(tmp_path / "large.jsonl.gz", "wb", compresslevel=1) as file:
        for _ in range(256):
            file.write(line)
    out, (status, used) = charleston(
        tmp_path, "check", "large.jsonl.gz", "--jobs", jobs, "--junit", "j.xml", "--sarif", "s.sarif", "--json", "-"
    )

    assert (1, 257) == (status, len(out.splitlines()))
    assert used < 128 * 1024


def test_reading_waits_for_what_is_judged() -> None:
    """However many items there are, no more are read ahead than are judged at the time and wait for it."""
    read = 0

    def endless() -> Iterator[Item]:
        nonlocal read
        for line in range(1, 1001):
            read += 1
            yield Item("x", line, "")

    def judge(batch: list[Item]) -> list[Checked]:
        return [Checked(item.file, item.line, "game") for item in batch]

    for number, checked in enumerate(in_flight(endless(), judge, 4), 1):
        assert number == checked.line
        assert read - number <= 4 * AHEAD


def test_what_is_given_up_is_not_waited_for() -> None:
    """When nobody wants more answers, no more questions are asked."""
    asked: list[int] = []

    def judge(batch: list[Item]) -> list[Checked]:
        asked.extend(item.line for item in batch)
        return [Checked(item.file, item.line, "game") for item in batch]

    answers = in_flight((Item("x", line, "") for line in range(1, 1001)), judge, 2)
    next(answers)
    answers.close()

    assert len(asked) <= 1 + 2 * AHEAD


def test_what_is_too_long_is_an_error_and_the_rest_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line or a file that is longer than an item may be is told, and never read whole; what follows is."""
    monkeypatch.setattr(reading, "LONGEST", 5000)
    (tmp_path / "a.jsonl").write_text("{" + " " * 100_000 + "}\n{}\n")
    (tmp_path / "b.charleston").write_text("#" * 5001)
    (tmp_path / "c.txt").write_text("\n" * 10_000 + "{}")
    found = list(Reader().items([str(tmp_path / name) for name in ("a.jsonl", "b.charleston", "c.txt")]))

    assert [(1, True), (2, False), (1, True)] == [(item.line, bool(item.wrong)) for item in found[:3]]
    assert all(len(item.text) <= 5000 for item in found)


class Terminal(StringIO):
    """A terminal to draw on."""

    def isatty(self) -> bool:
        """Say that somebody looks."""
        return True


def test_progress_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal has a bar that is cleared before other output; a file has nothing."""
    monkeypatch.setenv("TERM", "xterm")
    terminal, file = Terminal(), StringIO()
    for out in (terminal, file):
        progress = Progress(out, 200, lambda: 50)
        progress.step(1200, 3)
        progress.step(1201, 3)
        progress.clear()
        progress.clear()

    assert "\r\x1b[K[######..................]  25%  1,200 judged, 3 not lawful\r\x1b[K" == terminal.getvalue()
    assert "" == file.getvalue()


def test_the_bar_knows_how_much_there_is_where_files_say(tmp_path: Path) -> None:
    """The size of files is known, that of standard input is not; what is read is counted packed as it is."""
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(b"{}\n" * 100))
    reader = Reader()
    number = sum(1 for _ in reader.items([str(packed)]))

    assert (100, packed.stat().st_size) == (number, reader.bytes)
    assert (packed.stat().st_size, 0) == (size_of([str(packed)]), size_of([str(packed), "-"]))


def test_many_questions_are_on_their_way_at_once(ask: Ask, address: str, tmp_path: Path) -> None:
    """Against an address the answers come in order too, however many are asked at a time."""
    lines = [replay(LAWFUL if number % 3 else JOKER) for number in range(60)]
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    _, out, _ = ask("check", tmp_path / "many.jsonl", "--address", address, "--json", "-", "--jobs", 8)
    items = [json.loads(line) for line in out.splitlines()[:-1]]

    assert [(number + 1, bool(number % 3)) for number in range(60)] == [(i["line"], i["lawful"]) for i in items]
