"""Where questions go: to the referee at an address, or to one inside the command; the messages are the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from charleston.asking import Referee
from charleston.client import RefereeClient
from charleston.embedded import EmbeddedReferee


@contextmanager
def door(address: str | None, timeout: float, language: str) -> Iterator[Referee]:
    """Open the door to the referee at an address, or without one to the embedded referee."""
    if address is None:
        yield EmbeddedReferee(language=language)
    else:
        with RefereeClient(address, timeout=timeout, language=language) as client:
            yield client
