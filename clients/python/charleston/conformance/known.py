"""The list of cases that a referee is known to fail: TOML, with a reason for each."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path

from charleston.conformance.cases import WrongCase


def read_known(path: Path, names: Collection[str]) -> dict[str, str]:
    """Return the reason by the name of the case; raise WrongCase for a list that cannot be read or is out of date."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("failing", [])
    except OSError as error:
        raise WrongCase(f"{path}: {error.strerror}") from None
    except ValueError as error:  # of TOML and of UTF-8
        raise WrongCase(f"{path}: this is no TOML: {error}") from None
    known: dict[str, str] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        if not isinstance(entry, dict) or set(entry) != {"case", "why"}:
            raise WrongCase(f"{path}: each [[failing]] has a case and a why, and nothing else")
        case, why = str(entry["case"]), str(entry["why"]).strip()
        if case not in names:
            raise WrongCase(f"{path}: there is no case {case} in the corpus")
        if case in known:
            raise WrongCase(f"{path}: {case} is listed twice")
        if not why:
            raise WrongCase(f"{path}: {case} is listed without a reason")
        known[case] = why
    return known
