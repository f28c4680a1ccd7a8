"""`charleston fmt`: write games and tables in canonical notation, losing nothing; no referee is asked."""

from __future__ import annotations

import sys
from argparse import Namespace

from charleston.commands.source import STDIN, WrongQuestion, is_json, name_of, read_text, unread
from charleston.commands.writing import replaced
from referee.notation import NotationError, formatted


def run(told: Namespace) -> int:
    """Rewrite files, and standard input to standard output; return 1 if only asked whether something would change."""
    forms = _forms(told.file)
    changed = {path: form for path, (text, form) in forms.items() if text != form}
    for path, form in changed.items():
        if told.check:
            print(f"{name_of(path)}: would be rewritten", file=sys.stderr)
        elif path != STDIN:
            with replaced(path) as file:
                file.write(form)
            print(f"{path}: rewritten", file=sys.stderr)
    if told.check:
        return 1 if changed else 0
    if STDIN in forms:
        sys.stdout.write(forms[STDIN][1])
    return 0


def _forms(paths: list[str]) -> dict[str, tuple[str, str]]:
    """Return the text of each file and its canonical form; nothing is written before all could be read."""
    forms: dict[str, tuple[str, str]] = {}
    wrong: list[WrongQuestion] = []
    for path in dict.fromkeys(paths):
        try:
            name, text = read_text(path)
            if is_json(path, text):
                raise WrongQuestion(f"{name}: this is JSON, which has no canonical notation")
            forms[path] = text, formatted(text)
        except NotationError as why:
            wrong.append(unread(name, text, why))
        except WrongQuestion as why:
            wrong.append(why)
    if wrong:
        told = tuple(said for each in wrong for said in each.told)
        raise WrongQuestion(*told)
    return forms
