"""Ports of this machine."""

from __future__ import annotations

import socket
from contextlib import ExitStack


def free_port() -> int:
    """Return a port of loopback that nobody has."""
    return free_ports(1)


def free_ports(number: int) -> int:
    """Return the first of so many ports of loopback in a row that nobody has."""
    while True:
        with ExitStack() as stack:
            first = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
            try:
                for port in range(first + 1, first + number):
                    stack.enter_context(socket.create_server(("127.0.0.1", port)))
            except (OSError, OverflowError):
                continue
            return int(first)
