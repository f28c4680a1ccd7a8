"""`charleston fmt`: write games and tables in canonical notation, losing nothing; no referee is asked."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from charleston.commands.source import STDIN, WrongQuestion, is_json, name_of, read_text, unread
from referee.notation import NotationError, formatted


def run(told: Namespace) -> int:
    """Rewrite files, and standard input to standard output; return 1 if only asked whether something would change."""
    forms = _forms(told.file)
    changed = {path: form for path, (text, form) in forms.items() if text != form}
    for path, form in changed.items():
        if told.check:
            print(f"{name_of(path)}: would be rewritten", file=sys.stderr)
        elif path != STDIN:
            _write(path, form)
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


def _write(path: str, text: str) -> None:
    """Replace a file as one step: whoever reads it meanwhile reads the old or the new one, whole."""
    place = Path(os.path.realpath(path))
    beside = None
    try:
        handle, beside = mkstemp(dir=place.parent, prefix=f".{place.name}.")
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        shutil.copymode(place, beside)
        os.replace(beside, place)
    except OSError as why:
        if beside:
            with suppress(OSError):
                os.unlink(beside)
        raise WrongQuestion(f"{path}: {why.strerror}") from None
