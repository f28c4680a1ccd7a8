"""What a report is: it is told each item in order, and at the end the summary."""

from __future__ import annotations

import os
from typing import Protocol
from urllib.parse import quote

from charleston.commands.checking.results import Checked, Summary
from charleston.commands.source import name_of


class Report(Protocol):
    """Something that is told what was found."""

    def tell(self, checked: Checked) -> None:
        """Tell one item."""

    def end(self, summary: Summary) -> None:
        """Tell that there are no more."""


def from_root(file: str) -> str:
    """Return a file's path as a build knows it: from the root of the repository if that is known, else as it is."""
    root = os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR")
    path = os.path.abspath(file)
    if file == "-":
        return name_of(file)
    if root and os.path.commonpath([path, os.path.abspath(root)]) == os.path.abspath(root):
        file = os.path.relpath(path, root)
    return os.path.normpath(file).replace(os.sep, "/")


def uri(file: str) -> str:
    """Return a path as a URI reference."""
    path = from_root(file)
    return f"file://{quote(os.fsencode(path))}" if path.startswith("/") else quote(os.fsencode(path))
