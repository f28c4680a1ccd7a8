"""Ports of this machine."""

from __future__ import annotations

import os
import random
import socket
from contextlib import ExitStack

# Below what Linux gives to those who connect: no connection of a test may take the port of a server that is down.
# Tests that run side by side have each a part of their own, and no port is given twice: it may be for later.
EACH = 2_000
FIRST = 10_000 + EACH * (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 11)
_given: set[int] = set()


def free_port() -> int:
    """Return a port of loopback that nobody has."""
    return free_ports(1)


def free_ports(number: int) -> int:
    """Return the first of so many ports of loopback in a row that nobody has."""
    while True:
        with ExitStack() as stack:
            first = FIRST + random.randrange(EACH - number)
            wanted = range(first, first + number)
            if not _given.isdisjoint(wanted):
                continue
            try:
                for port in wanted:
                    stack.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            _given.update(wanted)
            return first
