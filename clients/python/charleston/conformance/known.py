"""The list of cases that a referee is known to fail: TOML, with a reason for each; read, and brought up to date."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterable
from pathlib import Path

from charleston.conformance.cases import WrongCase

NOT_TOLD = "not told yet"
"""The reason of a case that is put on the list by itself."""
_HEADER = re.compile(r"\s*\[\[\s*failing\s*\]\]\s*(#.*)?")


def read_known(path: Path, names: Collection[str]) -> dict[str, str]:
    """Return the reason by the name of the case; raise WrongCase for a list that cannot be read or is out of date."""
    return _known(path, _text(path), names)


def fix_known(path: Path, gone: Collection[str], new: Collection[str]) -> None:
    """Take cases off the list, with the comments right above them, and put others at its end; all else stays."""
    text = _text(path)
    listed = _known(path, text, None)
    blocks: list[list[str]] = [[]]
    for line in text.splitlines(keepends=True):
        if _HEADER.fullmatch(line.rstrip("\r\n")):
            above = len(blocks[-1])
            while above and blocks[-1][above - 1].startswith("#"):
                above -= 1
            blocks.append([*blocks[-1][above:], line])
            del blocks[-2][above:]
        else:
            blocks[-1].append(line)
    kept = [_after(block) if case in gone else block for block, case in zip(blocks[1:], listed, strict=False)]
    entries = [f"[[failing]]\ncase = {json.dumps(case)}\nwhy = {json.dumps(NOT_TOLD)}\n" for case in new]
    fixed = _joined(["".join(blocks[0]), *map("".join, kept), *entries])
    wanted = {case: why for case, why in listed.items() if case not in gone} | dict.fromkeys(new, NOT_TOLD)
    if len(blocks) != len(listed) + 1 or _known(path, fixed, None) != wanted:
        raise WrongCase(f"{path}: it is not written in a way that --fix can follow; edit it by hand")
    try:
        path.write_text(fixed, encoding="utf-8")
    except OSError as error:
        raise WrongCase(f"{path}: {error.strerror}") from None


def _after(block: list[str]) -> list[str]:
    """Return what stands below an entry, after an empty line."""
    ends = (index for index, line in enumerate(block) if not line.strip())
    return block[next(ends, len(block)) :]


def _joined(parts: Iterable[str]) -> str:
    """Join parts with an empty line between them."""
    return "\n".join(f"{stripped}\n" for part in parts if (stripped := part.strip("\r\n")))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise WrongCase(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise WrongCase(f"{path}: this is no TOML: it is not UTF-8") from None


def _known(path: Path, text: str, names: Collection[str] | None) -> dict[str, str]:
    try:
        entries = tomllib.loads(text).get("failing", [])
    except tomllib.TOMLDecodeError as error:
        raise WrongCase(f"{path}: this is no TOML: {error}") from None
    known: dict[str, str] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        if not isinstance(entry, dict) or set(entry) != {"case", "why"}:
            raise WrongCase(f"{path}: each [[failing]] has a case and a why, and nothing else")
        case, why = str(entry["case"]), str(entry["why"]).strip()
        if names is not None and case not in names:
            raise WrongCase(f"{path}: there is no case {case} in the corpus")
        if case in known:
            raise WrongCase(f"{path}: {case} is listed twice")
        if not why:
            raise WrongCase(f"{path}: {case} is listed without a reason")
        known[case] = why
    return known
