"""What tests of every room share."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from _pytest.terminal import TerminalReporter
from hypothesis import settings

from referee.server import Running, running
from referee.settings import Settings
from referee.shape import Kept

# An example may take as long as a busy machine makes it take; pytest ends a test that hangs.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """Serve the referee on free ports of this machine for as long as the tests run."""
    with running(Settings(listen="127.0.0.1:0", metrics="127.0.0.1:0", log=False)) as up:
        yield up


def pytest_sessionstart() -> None:
    """Forget what the core has kept: `make mutants` changes it between two runs in one process."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("referee."):
            for value in tuple(vars(module).values()):
                if isinstance(value, Kept):
                    value.clear()
                elif hasattr(value, "cache_clear"):
                    value.cache_clear()


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say what passed tests have told: numbers that a reader wants to see."""
    for report in terminalreporter.stats.get("passed", []):
        for name, told in report.user_properties:
            if name == "told":
                terminalreporter.write_line(str(told))
