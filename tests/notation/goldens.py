"""What the notation reads and prints, as data: every implementation of it is held to the files beside this one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def goldens(kind: str) -> list[dict[str, Any]]:
    """Return the entries of one kind, from whichever file has them."""
    files = (tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml")))
    found = [entry for file in files for entry in file.get(kind, [])]

    assert found, kind
    return found
