"""The generated parts of pages: written anew by `make docs`, and held fresh by a test.

A part stands between `<!-- NAME -->` and `<!-- end NAME -->`; what is outside is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from referee.rulebook import RULEBOOK
from referee.settings import Settings, flag, variable, written

ROOT = Path(__file__).resolve().parents[2]


def rulebook() -> str:
    """Return the articles as a table, in book order."""
    rows = [f"| `{rule.id}` | {rule.text} | {rule.verdict.name} |" for rule in RULEBOOK.articles]
    return "\n".join(["| id | article | when broken |", "| --- | --- | --- |", *rows])


def readings() -> str:
    """Return the readings as a list."""
    return "\n".join(f"- `{rule.id}`: {rule.reading}" for rule in RULEBOOK.articles if rule.reading)


def settings() -> str:
    """Return the settings as a table."""
    rows = [
        f"| `{flag(each)}` | `{variable(each)}` | {written(each.default) or 'none'} | {each.metadata['help']} |"
        for each in fields(Settings)
    ]
    return "\n".join(["| flag | variable | default | what it is |", "| --- | --- | --- | --- |", *rows])


PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {"rulebook": rulebook, "readings": readings, "settings": settings},
}


def fresh(page: str, text: str) -> str:
    """Return a page's text with its generated parts made anew."""
    for name, make in PARTS[page].items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        part = f"\n{make()}\n\n"
        text, times = pattern.subn(lambda match, part=part: match[1] + part + match[2], text)  # type: ignore[misc]
        assert times == 1, f"{page} needs one part {name}, and has {times}"
    return text


def main() -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the pages anew")
    write = parser.parse_args().write
    stale = 0
    for page in PARTS:
        path = ROOT / page
        text = path.read_text()
        if (made := fresh(page, text)) != text:
            stale += 1
            print(f"{page}: {'written' if write else 'stale'}")
            if write:
                path.write_text(made)
    return 0 if write else min(stale, 1)


if __name__ == "__main__":
    sys.exit(main())
