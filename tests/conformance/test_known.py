"""The list of known failures, brought up to date: what is right about it stays, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from charleston.conformance.cases import WrongCase
from charleston.conformance.known import fix_known
from tests.clients.conftest import Ask

LIST = """\
# What our referee cannot do yet.

# Nobody deals here.
[[failing]]
case = "a/one"  # soon
why = "no deals"

[[failing]] # the second
why = "no \\"looks\\""
case = "a/two"

# The end.
"""
NEW = '[[failing]]\ncase = "a/three"\nwhy = "not told yet"\n'


def fixed(tmp_path: Path, text: str, gone: tuple[str, ...] = (), new: tuple[str, ...] = ()) -> str:
    """Bring a list up to date; return its text."""
    path = tmp_path / "known.toml"
    path.write_text(text)
    fix_known(path, gone, new)
    return path.read_text()


def test_nothing_to_do(tmp_path: Path) -> None:
    """A list that is up to date stays as it is."""
    assert LIST == fixed(tmp_path, LIST)


def test_a_case_goes_with_the_comment_above_it(tmp_path: Path) -> None:
    """What passes is taken off, with the comment right above it; every other comment and entry stays."""
    head, _, second, end = LIST.split("\n\n")

    assert "\n\n".join([head, second, end]) == fixed(tmp_path, LIST, ("a/one",))
    assert "\n\n".join([head, end]) == fixed(tmp_path, LIST, ("a/one", "a/two"))


def test_a_case_is_put_at_the_end(tmp_path: Path) -> None:
    """What fails is put at the end, with a reason to be told."""
    assert f"{LIST}\n{NEW}" == fixed(tmp_path, LIST, new=("a/three",))
    assert NEW == fixed(tmp_path, "", new=("a/three",))


def test_a_list_that_cannot_be_followed_is_left_alone(tmp_path: Path) -> None:
    """A list in another form of TOML is not touched."""
    text = "failing = [{ case = 'a/one', why = 'x' }]\n"
    with pytest.raises(WrongCase, match="edit it by hand"):
        fixed(tmp_path, text, ("a/one",))

    assert text == (tmp_path / "known.toml").read_text()


def test_the_command_fixes_the_list(tmp_path: Path, ask: Ask) -> None:
    """With --fix a run ends well and the next one too: what was listed wrongly is off, what failed is on."""
    case = "[[case]]\nname = 'a/{}'\nlevel = 'required'\nacts = ['EAST passes {}']\nwant = {{ verdict = 'LEGAL' }}\n"
    (tmp_path / "a.toml").write_text(case.format("one", "1b 1b 1b") + case.format("two", "1b 1b"))
    known = tmp_path / "list"
    known.write_text('[[failing]]\ncase = "a/one"\nwhy = "x"\n')
    told = ("conform", "--corpus", tmp_path, "--known-failing", known)

    assert (0, f"{known}: 1 off the list, 1 put on it\n") == ask(*told, "--fix")[::2]
    assert '[[failing]]\ncase = "a/two"\nwhy = "not told yet"\n' == known.read_text()
    assert (0, "1 passed, 0 failed, 1 skipped\n", "") == ask(*told)


def test_there_has_to_be_a_list(ask: Ask) -> None:
    """--fix without a list is a wrong question."""
    assert 2 == ask("conform", "--fix")[0]
