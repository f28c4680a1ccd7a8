"""Addresses: one or several, as gRPC takes them; and which of them stay on this machine."""

from __future__ import annotations

import pytest

from charleston.addresses import hosts, stays_here, target
from charleston.calling import Calling


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1:50051", "127.0.0.1:50051"),
        ("referee.internal:50051", "referee.internal:50051"),
        ("dns:///referee.internal:50051", "dns:///referee.internal:50051"),
        ("ipv4:127.0.0.1:1,127.0.0.2:2", "ipv4:127.0.0.1:1,127.0.0.2:2"),
        ("unix:/run/referee.sock", "unix:/run/referee.sock"),
        ("127.0.0.1:1, 127.0.0.2:2", "ipv4:127.0.0.1:1,127.0.0.2:2"),
        ("[::1]:1,[::1]:2", "ipv6:[::1]:1,[::1]:2"),
    ],
)
def test_several_addresses_are_one_target(address: str, expected: str) -> None:
    """One address or a target is left as it is, and several are a target of numbers."""
    assert expected == target(address)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1:1,[::1]:2", "all of one kind"),
        ("127.0.0.1:1,", "expected host:port"),
        ("127.0.0.1:1,127.0.0.2", "expected host:port"),
        ("127.0.0.1:1,nobody.invalid:2", "nobody.invalid cannot be looked up"),
    ],
)
def test_several_addresses_that_are_no_target_are_refused(address: str, why: str) -> None:
    """Addresses of two kinds, without a port or without a number are refused with a sentence."""
    with pytest.raises(ValueError, match=why):
        target(address)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1:1", True),
        ("127.0.0.2:1,127.0.0.1:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("ipv6:[::1]:1", True),
        ("unix:/run/referee.sock", True),
        ("dns:///localhost:1", True),
        ("127.0.0.1:1,192.0.2.1:1", False),
        ("dns:///referee.internal:1", False),
        ("dns://127.0.0.1/referee.internal:1", False),
        ("xds:///referee", False),
        ("127.0.0.1.example:1", False),
        ("127.0.0.1@referee.internal:1", False),
    ],
)
def test_what_stays_on_this_machine(address: str, expected: bool) -> None:
    """Only loopback and Unix sockets stay on this machine, and of several addresses all must."""
    assert expected is stays_here(address)


def test_the_hosts_of_an_address() -> None:
    """Hosts are named without ports and brackets."""
    assert ["a", "::1"] == hosts("a:1, [::1]:2")
    assert ["referee.internal"] == hosts("dns:///referee.internal:50051")
    assert [] == hosts("xds:///referee")


def test_several_addresses_go_by_the_name_of_the_first(address: str) -> None:
    """Servers behind several addresses are called by the first one's host, and not by all of them in one word."""
    options = dict(Calling("127.0.0.1:1,127.0.0.2:1", 1, None, "", None, "", None).options)

    assert "127.0.0.1" == options["grpc.default_authority"]
    assert "grpc.default_authority" not in dict(Calling(address, 1, None, "", None, "", None).options)
