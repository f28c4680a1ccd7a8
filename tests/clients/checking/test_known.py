"""Known faults: what is expected passes, what no longer fails is told, and --fix keeps everything else in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from charleston.commands.checking.known import Entry, edited, read
from tests.clients.checking.samples import JOKER, LAWFUL, replay
from tests.clients.conftest import Ask

LIST = """# Our first game. It stays.

# Nobody knows why.
[[fault]]
file = "../games/b.charleston"
line = 11   # in the first across
rules = [   # one of them
  "joker.passed",
]
why = '''
Our players love it:
[[fault]]
'''

# About the second.

[[fault]]   # a table
"file" = "../games/b.charleston"
rules = ["look.before"] # not yet
why = "The looks are too early."
line = 12

# The end.
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder to work in, with games, and a list of their known faults in another folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"games/a.charleston": LAWFUL, "games/b.charleston": JOKER, "lists/known.toml": LIST}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def check(ask: Ask, *argv: object) -> tuple[int, str, str]:
    """Check the games with the list."""
    return ask("check", "games", "--expected", "lists/known.toml", *argv)


def test_known_faults_pass_and_are_told_when_asked_for(ask: Ask, folder: Path) -> None:
    """A game with known faults only passes; with --verbose they are told with their reasons."""
    status, out, _ = check(ask)

    assert (0, True) == (status, out.startswith("2 games: 1 lawful, 0 not, 1 with known faults only."))
    assert "1  joker.passed  (1 expected)" in out
    assert "expected: The looks are too early." in check(ask, "-v")[1]


def test_a_known_fault_that_no_longer_fails_fails(ask: Ask, folder: Path) -> None:
    """A listed fault that is not found any more, or whose file has gone, fails with the line of the list."""
    (folder / "games" / "b.charleston").write_text(LAWFUL)
    status, out, _ = check(ask)

    assert 1 == status
    assert "lists/known.toml:4: ../games/b.charleston:11 no longer breaks joker.passed" in out
    assert "lists/known.toml:17: ../games/b.charleston:12 no longer breaks look.before" in out
    (folder / "games" / "b.charleston").unlink()
    assert "../games/b.charleston is not there any more" in check(ask)[1]


def test_what_was_not_checked_or_cannot_be_judged_is_no_news(ask: Ask, folder: Path) -> None:
    """A listed fault of a file that was not checked, or cannot be judged, is neither found nor gone."""
    assert 0 == ask("check", "games/a.charleston", "--expected", "lists/known.toml")[0]
    (folder / "games" / "b.charleston").write_text("nothing")
    status, out, _ = check(ask, "--fix")

    assert (2, False) == (status, "known.toml" in out)
    assert LIST == (folder / "lists" / "known.toml").read_text()


def test_all_that_is_broken_at_a_line_has_to_be_listed(ask: Ask, folder: Path) -> None:
    """A rule that is broken at a listed line and not listed is a fault; one that is listed and not broken is too."""
    (folder / "lists" / "known.toml").write_text(LIST.replace('["look.before"]', '["look.before", "stop.over"]'))
    assert "no longer breaks stop.over" in check(ask)[1]
    (folder / "lists" / "known.toml").write_text(LIST.replace('["look.before"]', '["stop.over"]'))
    status, out, _ = check(ask)

    assert (1, True, True) == (status, "(look.before)" in out, "no longer breaks stop.over" in out)


def test_fix_leaves_a_right_list_alone(ask: Ask, folder: Path) -> None:
    """Nothing is written where nothing has changed."""
    assert (0, "lists/known.toml: nothing to change\n") == check(ask, "--fix")[::2]
    assert LIST == (folder / "lists" / "known.toml").read_text()


def test_fix_rewrites_entries_and_keeps_comments_in_their_places(ask: Ask, folder: Path) -> None:
    """What is gone is taken out with its own comment, rules and lines are set right, what is new comes at the end."""
    wrong = LIST.replace("line = 11 ", "line = 9 ").replace('["look.before"]', '["stop.over"]')
    (folder / "lists" / "known.toml").write_text(wrong)
    (folder / "games" / "c.jsonl").write_text(f"{replay(LAWFUL)}\n{replay(JOKER)}\n")
    status, _, err = check(ask, "--fix")
    expected = LIST + (
        '\n[[fault]]\nfile = "../games/c.jsonl"\nline = 2\nrules = ["joker.passed", "look.before"]\n'
        'why = "not looked into yet"\n'
    )

    assert (0, "lists/known.toml: 1 changed, 1 moved, 1 added\n") == (status, err)
    assert expected == (folder / "lists" / "known.toml").read_text()
    assert 0 == check(ask)[0]


def test_fix_takes_out_what_is_gone(ask: Ask, folder: Path) -> None:
    """An entry goes with the comment right above it and those inside; other comments stay."""
    (folder / "games" / "b.charleston").write_text(LAWFUL)
    check(ask, "--fix")

    assert "# Our first game. It stays.\n\n# About the second.\n\n# The end.\n" == (
        (folder / "lists" / "known.toml").read_text()
    )


def test_fix_makes_a_list_where_there_is_none(ask: Ask, folder: Path) -> None:
    """With --fix the list need not be there; without, it has to."""
    assert 2 == ask("check", "games", "--expected", "new.toml")[0]
    assert (0, "new.toml: 2 added\n") == ask("check", "games", "--expected", "new.toml", "--fix")[::2]
    assert ["games/b.charleston"] * 2 == [entry.file for entry in read((folder / "new.toml").read_text())]
    assert 2 == ask("check", "games", "--fix")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[fault", "this is no TOML"),
        ("[fault]", "two brackets"),
        ("[[defect]]", "there is only [[fault]]"),
        ("[[fault]]\nline = 1", "line 1: this fault has no file"),
        ('\n[[fault]]\nfile = "a"\nline = "1"\nrules = ["a.b"]\nwhy = "x"', "line 2: its line is no int"),
        ('[[fault]]\nfile = "a"\nline = 1\nrules = []\nwhy = "x"', "at least one id"),
        ('[[fault]]\nfile = "a"\nline = 1\nrules = ["a.b"]\nwhy = " "', "its why says nothing"),
        ('[[fault]]\nfile = "a"\nline = 1\nrules = ["a.b"]\nwhy = "x"\nwhen = 1', "not 'when'"),
        ('[[fault]]\nfile = "a"\nline = 1\nrules = ["a.b"]\nwhy = "x"\n' * 2, "is listed twice"),
    ],
)
def test_a_list_that_cannot_be_read_is_a_wrong_question(ask: Ask, folder: Path, text: str, expected: str) -> None:
    """What is wrong with a list is told in a sentence, and the status is 2."""
    (folder / "lists" / "known.toml").write_text(text)
    status, out, err = check(ask)

    assert (2, "") == (status, out)
    assert err.startswith("charleston: lists/known.toml: ") and expected in err


def test_an_entry_that_cannot_be_followed_is_left_to_people(ask: Ask, folder: Path) -> None:
    """A list written inline is read, and --fix says that it cannot follow it."""
    inline = 'fault = [{file = "../games/b.charleston", line = 11, rules = ["joker.passed"], why = "x"}]\n'
    (folder / "lists" / "known.toml").write_text(inline)

    assert 1 == check(ask)[0]
    assert (2, True) == (check(ask, "--fix")[0], "edit it by hand" in check(ask, "--fix")[2])
    assert inline == (folder / "lists" / "known.toml").read_text()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_edits_keep_the_ends_of_lines(end: str) -> None:
    """A list with the ends of lines of another system keeps them, and whatever is written can be read."""
    text = LIST.replace("\n", end)
    strange = Entry('a "b" \\ \x7f\t§.jsonl', 3, ("a.b", "c.d"), "why\nnot", 0)
    first, second = read(text)
    after = edited(text, {0}, {1: Entry(second.file, 40, ("x.y",), second.why, second.at)}, [strange])

    assert first.line == 11
    assert [(40, ("x.y",), second.why)] == [(e.line, e.rules, e.why) for e in read(after)[:1]]
    assert (strange.file, strange.rules, strange.why) == (read(after)[1].file, read(after)[1].rules, read(after)[1].why)
    assert after.count(end) == after.count("\n")


def test_a_comment_is_not_taken_for_a_value() -> None:
    """Rules with a # in quotes behind them are rewritten as one value."""
    text = '[[fault]]\nfile = "a#b"\nline = 1\nrules = ["a.b"]\nwhy = "#1"'
    after = edited(text, set(), {0: Entry("a#b", 1, ("c.d",), "#1")}, [])

    assert text.replace("a.b", "c.d") + "\n" == after
