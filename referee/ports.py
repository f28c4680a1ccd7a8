"""The port of gRPC: why it cannot be had, and how several processes share it with nobody else."""

import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from referee.readers import split


class CannotServe(Exception):
    """A server that could not do what it was started for; its text is a sentence for the operator."""


class CannotListen(CannotServe):
    """An address that could not be opened; its text names it."""


def cannot_listen(address: str, why: str = "") -> CannotListen:
    """Return the error of an address; without a reason the system is asked for one, as gRPC's core keeps it."""
    return CannotListen(f"Cannot listen on {address}: {why or _why_not(address)}.")


@contextmanager
def held(address: str) -> Iterator[str]:
    """Hold a port for the worker processes of this one while the block lasts, and yield its address.

    What is held takes no connection. Processes of this user can then share the port with SO_REUSEPORT, while whoever
    asks for it alone, as another referee does, is refused. Port 0 becomes a free one. Raise CannotListen if somebody
    else has the port.
    """
    host, port = split(address)
    with ExitStack() as sockets:
        try:
            found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
            complaint, any_held = OSError(errno.EADDRNOTAVAIL, "There is no such address"), False
            for family, kind, protocol, _, (name, _, *more) in found:
                one = sockets.enter_context(socket.socket(family, kind, protocol))
                try:
                    _hold(one, (name, port, *more))
                except OSError as why:
                    if why.errno != errno.EADDRNOTAVAIL:  # such as ::1 of localhost, where there is no IPv6
                        raise
                    complaint = why
                else:
                    any_held, port = True, port or one.getsockname()[1]
            if not any_held:
                raise complaint
        except OSError as why:
            raise cannot_listen(address, str(why.strerror)) from None
        yield f"{host}:{port}"


def _hold(one: socket.socket, where: tuple[str | int, ...]) -> None:
    if where[1]:
        # Else connections that ended lately would keep the port; but then only what listens is refused a second time.
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(where)
        one.listen()
        one.shutdown(socket.SHUT_RDWR)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    else:
        one.bind(where)
    # Only now that it is ours alone may our own share it.
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


def _why_not(address: str) -> str:
    host, port = split(address)
    try:
        for family, kind, protocol, _, where in socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM):
            with socket.socket(family, kind, protocol) as probe:
                probe.bind(where)
    except OSError as why:
        return str(why.strerror)
    return "it could not be opened"
