"""Which files are checked: those named, those of folders, and those that a pattern fits, in an order of their own."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator

from charleston.commands.source import STDIN, WrongQuestion

SUFFIXES = (".charleston", ".json", ".jsonl", ".ndjson")


def files(paths: Iterable[str]) -> list[str]:
    """Return the files that paths stand for, each once: in the order of the paths, and sorted within each."""
    found: dict[str, None] = {}
    for path in paths:
        named = list(_named(path))
        if not named:
            raise WrongQuestion(f"{path}: there is nothing to check here")
        found.update(dict.fromkeys(named))
    return list(found)


def plain(name: str) -> str:
    """Return a file's name without what says that it is packed."""
    return name.removesuffix(".gz")


def _named(path: str) -> Iterator[str]:
    if path == STDIN or os.path.isfile(path):
        yield path
    elif os.path.isdir(path):
        yield from _folder(path)
    elif glob.has_magic(path):
        for each in sorted(glob.glob(path, recursive=True)):
            yield from _folder(each) if os.path.isdir(each) and not path.endswith("**") else _file(each)
    else:
        yield path  # a pipe, or nothing, which is told when it is read


def _file(path: str) -> Iterator[str]:
    if os.path.isfile(path):
        yield os.path.normpath(path)


def _folder(path: str) -> Iterator[str]:
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if plain(name).endswith(SUFFIXES) and not name.startswith("."):
                yield os.path.normpath(os.path.join(folder, name))
