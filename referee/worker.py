"""One of several worker processes: what `referee.processes` starts, told what to do over a socket to its parent.

A worker does not outlive its parent: when the socket closes, it finishes what it has taken and ends.
"""

import json
import os
import socket
import sys
from threading import Thread
from typing import BinaryIO

from referee.cpus import keep_to
from referee.signals import Told


def main() -> int:
    """Serve as the parent at the other end of the socket says, until it says stop or is gone; return the status."""
    parent = socket.socket(fileno=int(sys.argv[1]))
    orders = parent.makefile("rb")
    order = json.loads(orders.readline() or "null")
    if order is None:
        return 1
    for cpu in order["cpus"]:
        keep_to(cpu)  # before gRPC is loaded and starts threads
    from referee.heap import settle
    from referee.ports import CannotServe
    from referee.server import end, running
    from referee.settings import Settings

    told = Told()
    Thread(target=_listen, args=(orders, told), name="parent", daemon=True).start()
    try:
        with running(Settings(**order["settings"]), shared=True, replaced=order["replaced"]) as server:
            settle()
            _tell(parent, {"metrics": server.metrics_address})
            told.wait()
    except CannotServe as why:
        _tell(parent, {"cannot": str(why)})
        return 1
    end()
    return 0


def _tell(parent: socket.socket, told: dict[str, str]) -> None:
    parent.sendall(json.dumps(told).encode() + b"\n")


def _listen(orders: BinaryIO, told: Told) -> None:
    if orders.readline():
        told.stop("parent")
        orders.readline()
        # Told to stop, and now the parent is gone: somebody is in a hurry.
        os._exit(1)
    told.stop("parent")


if __name__ == "__main__":
    sys.exit(main())
