"""Laws of the edits that --fix makes: what is read afterwards is what was meant, and no free comment is lost."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from charleston.commands.checking.known import Entry, edited, read

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).map(lambda text: f"x{text}")
RULES = st.lists(st.sampled_from(["a.b", "c.d", "e.f", "difference.flow"]), min_size=1, unique=True).map(tuple)
ENTRIES = st.lists(st.builds(Entry, TEXT, st.integers(1, 999), RULES, TEXT), max_size=5)


def quoted(text: str) -> str:
    """Write a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@st.composite
def lists(draw: st.DrawFn) -> tuple[str, list[Entry], int]:
    """Write entries in any of the ways that people do, with comments; give the text, the entries and the comments."""
    entries = draw(ENTRIES)
    comments = draw(st.integers(0, 2))
    lines = [f"# free {number}\n\n" for number in range(comments)]
    for entry in entries:
        rules = ", ".join(map(quoted, entry.rules))
        values = [
            f"file = {quoted(entry.file)}",
            f"line = {entry.line}" + draw(st.sampled_from(["", " # why not", "  #"])),
            draw(st.sampled_from([f"rules = [{rules}]", f"rules = [ # some\n  {rules},\n]", f"'rules'=[\n{rules}]"])),
            f"why = {quoted(entry.why)}",
        ]
        body = draw(st.permutations(values))
        header = draw(st.sampled_from(["[[fault]]", "[[ fault ]]  # one", "# of this one\n[[fault]]"]))
        lines.append("\n".join([header, *body]) + draw(st.sampled_from(["\n", "\n\n", "\n\n# free\n\n"])))
        comments += lines[-1].endswith("# free\n\n")
    return "".join(lines), entries, comments


def bare(entries: list[Entry]) -> list[Entry]:
    """Leave out where the entries stand."""
    return [replace(entry, at=0) for entry in entries]


@given(written=lists(), new=ENTRIES, data=st.data())
def test_an_edited_list_reads_as_it_was_meant(
    written: tuple[str, list[Entry], int], new: list[Entry], data: st.DataObject
) -> None:
    """Entries that go are gone, those that change are changed, new ones come last; no free comment is lost."""
    text, entries, comments = written
    numbers = st.integers(0, len(entries) - 1) if entries else st.nothing()
    gone = data.draw(st.sets(numbers))
    touched = data.draw(st.sets(numbers)) - gone
    changed = {number: replace(entries[number], line=1000 + number, rules=("x.y",)) for number in touched}
    after = edited(text, gone, changed, new)

    kept = [changed.get(number, entry) for number, entry in enumerate(entries) if number not in gone]
    assert bare(entries) == bare(read(text))
    assert bare(kept + new) == bare(read(after))
    assert comments == after.count("# free")


@given(written=lists())
def test_an_edit_of_nothing_changes_nothing(written: tuple[str, list[Entry], int]) -> None:
    """A list that is right is left as it is, to the letter."""
    assert written[0] == edited(written[0], set(), {}, [])
