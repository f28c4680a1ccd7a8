"""Real games and tables under `charleston check`: only the known faults are found, and the list tells each in words."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from charleston.__main__ import main
from charleston.commands.checking.known import read
from tests.real.lines import FILES, REAL, written

LIST = REAL / "expected.toml"
CHECKED = ["games/*.charleston", *FILES]


@pytest.mark.parametrize("file", FILES)
def test_the_questions_are_what_the_records_say(file: str) -> None:
    """The lines of questions are those that the records make."""
    assert written(file) == (REAL / file).read_text(), "run `python -m tests.real.lines`"


def test_only_the_known_faults_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Every real game and transition is lawful, or has the known faults of its program, all of them."""
    status = main(["check", *(str(REAL / each) for each in CHECKED), "--expected", str(LIST)])
    first = capsys.readouterr().out.splitlines()[0]

    assert (0, "98 games and 45 transitions: 73 lawful, 0 not, 70 with known faults only.") == (status, first)


def test_fix_would_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The list is as --fix would leave it."""
    text = LIST.read_text()
    (tmp_path / "games").symlink_to(REAL / "games")
    for file in FILES:
        (tmp_path / file).symlink_to(REAL / file)
    (tmp_path / "expected.toml").write_text(text)
    main(["check", *(str(tmp_path / each) for each in CHECKED), "--expected", str(tmp_path / "expected.toml"), "--fix"])

    assert "nothing to change" in capsys.readouterr().err
    assert text == (tmp_path / "expected.toml").read_text()


def test_each_reason_is_a_sentence() -> None:
    """Each known fault says in words what the program got wrong."""
    entries = read(LIST.read_text())

    assert len(tomllib.loads(LIST.read_text())["fault"]) == len(entries)
    assert [] == [entry.why for entry in entries if not (entry.why[0].isupper() and entry.why.endswith("."))]
    assert 20 < len(Counter(entry.why for entry in entries))
