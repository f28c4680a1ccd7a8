"""Ports of this machine."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

# Below what Linux gives to those who connect: no connection of a test may take the port of a replica that is down.
PORTS = range(10_000, 32_000)


def free_port() -> int:
    """Return a port of loopback that nobody has."""
    return free_ports(1)


def free_ports(number: int) -> int:
    """Return the first of so many ports of loopback in a row that nobody has."""
    while True:
        with ExitStack() as stack:
            first = random.choice(PORTS)
            try:
                for port in range(first, first + number):
                    stack.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first
