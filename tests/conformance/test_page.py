"""The page of the corpus: its examples are cases and lists that can be read, and every key is on it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from charleston.conformance.cases import LEVELS, SOURCE, WANTED, Case, load
from charleston.conformance.known import read_known

PAGE = (SOURCE / "README.md").read_text(encoding="utf-8")
NAMES = {case.name: case for case in load()}


def shown(beginning: str) -> str:
    """Return the example of TOML that has a table of this name."""
    (text,) = (text for text in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if beginning in text)
    return str(text)


def test_the_case_on_the_page_is_one_of_the_corpus(tmp_path: Path) -> None:
    """The case that the page shows is in the corpus, word for word."""
    (tmp_path / "joker.toml").write_text(shown("[[case]]"))
    (case,) = load(tmp_path)

    assert NAMES[case.name] == case


def test_the_list_on_the_page_can_be_read(tmp_path: Path) -> None:
    """The list of known failures that the page shows is one."""
    (tmp_path / "known.toml").write_text(shown("[[failing]]"))

    assert 1 == len(read_known(tmp_path / "known.toml", NAMES))


def test_every_key_is_on_the_page() -> None:
    """Every key of a case, everything that can be wanted and both levels are explained."""
    told = set(re.findall(r"`(\w+)(?:\.SEAT)?`", PAGE))

    assert set() == ({each.name for each in fields(Case)} - {"file"} | WANTED | set(LEVELS)) - told


def test_every_open_act_on_the_page_is_wanted_somewhere() -> None:
    """The ways to write what comes next are those of the corpus, but for its seats and numbers."""

    def form(line: str) -> str:
        return re.sub(r"\b(EAST|SOUTH|WEST|NORTH|\d)\b", "_", line)

    (told,) = re.findall(r"`may` is written like this.*?\n\n", PAGE, re.DOTALL)
    wanted = {form(line) for case in NAMES.values() for line in case.want.get("may", ())}
    forms = {form(line) for line in re.findall(r'"([^"]+)"', told)}

    assert 11 == len(forms)
    assert set() == forms - wanted
