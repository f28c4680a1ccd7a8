"""Hosts of their own, as network namespaces on one switch: a link can be cut there, and another made slow.

It needs root, and Linux. Nothing of it reaches any other network.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

NETWORK = "192.0.2"  # set aside for documentation: nobody has it


class Host(NamedTuple):
    """One host: its namespace and its address."""

    name: str
    address: str

    @property
    def prefix(self) -> tuple[str, ...]:
        """What comes before a command that is to run there."""
        return "ip", "netns", "exec", self.name


class Hosts(NamedTuple):
    """Hosts on one switch: from the first one questions are asked, on the others are the replicas."""

    switch: str
    hosts: tuple[Host, ...]

    @classmethod
    def named(cls, switch: str, replicas: int) -> Hosts:
        """Return the hosts on a switch of that name."""
        name = switch.removesuffix("switch")
        return cls(switch, tuple(Host(f"{name}{n}", f"{NETWORK}.{n + 1}") for n in range(replicas + 1)))

    def cut(self, number: int) -> None:
        """Cut the link of a host: nothing goes through, and nobody is told."""
        _ip("-n", self.switch, "link", "set", f"port{number}", "down")

    def mend(self, number: int) -> None:
        """Join it again."""
        _ip("-n", self.switch, "link", "set", f"port{number}", "up")

    def slow(self, number: int, kilobits: int) -> None:
        """Let no more than so many kilobits a second through, out of a host."""
        rate = ("rate", f"{kilobits}kbit", "burst", "4kb", "latency", "400ms")
        _run("tc", "-n", self.hosts[number].name, "qdisc", "add", "dev", "eth0", "root", "tbf", *rate)

    def fast(self, number: int) -> None:
        """Take the limit away."""
        _run("tc", "-n", self.hosts[number].name, "qdisc", "del", "dev", "eth0", "root")


@contextmanager
def hosts(replicas: int) -> Iterator[Hosts]:
    """Make a switch, a host to ask from and hosts for so many replicas; remove them afterwards."""
    network = Hosts.named(f"referee-{os.getpid()}-switch", replicas)
    names = [network.switch, *(host.name for host in network.hosts)]
    try:
        for name in names:
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        _ip("-n", network.switch, "link", "add", "bridge", "type", "bridge")
        _ip("-n", network.switch, "link", "set", "bridge", "up")
        for number, host in enumerate(network.hosts):
            port = ("peer", "name", f"port{number}", "netns", network.switch)
            _ip("link", "add", "eth0", "netns", host.name, "type", "veth", *port)
            _ip("-n", network.switch, "link", "set", f"port{number}", "master", "bridge", "up")
            _ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", "eth0")
            _ip("-n", host.name, "link", "set", "eth0", "up")
        yield network
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], stderr=subprocess.DEVNULL)


def _ip(*arguments: str) -> None:
    _run("ip", *arguments)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
