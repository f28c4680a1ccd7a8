"""A referee serves only if it can judge, and `referee health` tells a probe whether it does."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import grpc
import pytest
import trustme

from referee.rulebook import RULEBOOK
from referee.service import Note, Reply, referee
from referee.service.known import Misjudged, answer_the_known
from tests.wire.asking import SERVICE, SOON, WATCH, ask, channel, over_tls, path
from tests.wire.asking import referee as referee_process
from tests.wire.certificates import authority_file, caller, server_files, trusting
from tests.wire.test_settings import run


def test_a_referee_knows_the_known() -> None:
    """What serves answers the known question as the rulebook does."""
    answer_the_known(referee())


def test_who_judges_wrongly_does_not_serve() -> None:
    """An article that is missing and an answer that is none are noticed before a server is opened."""
    with pytest.raises(Misjudged, match="the known question got LEGAL, with nothing broken"):
        answer_the_known(referee(rulebook=RULEBOOK.without("joker.passed")))
    with pytest.raises(Misjudged):
        answer_the_known({"Judge": lambda message, language: Reply(b"", Note())})


def test_a_probe_of_what_serves() -> None:
    """Exit status 0 and a line, for the whole server and for the service; 1 for a service that it does not have."""
    with referee_process() as running:
        whole = run("-m", "referee", "health", "--address", running.address)
        ours = run("-m", "referee", "health", "--service", SERVICE, environ={"REFEREE_LISTEN": running.address})
        other = run("-m", "referee", "health", "--address", running.address, "--service", "other")

    assert (0, f"{running.address} is SERVING.\n", "") == whole
    assert (0, f"{SERVICE} at {running.address} is SERVING.\n", "") == ours
    assert (1, "") == other[:2]
    assert other[2].startswith(f"referee: other at {running.address} gave no answer: NOT_FOUND")


def test_a_probe_of_what_drains() -> None:
    """A referee that is about to stop is not healthy."""
    with referee_process("--drain-pause", "600") as running, channel(running.address) as opened:
        watch = opened.unary_stream(WATCH)(b"", timeout=SOON)
        next(watch)
        running.signal(signal.SIGTERM)
        next(watch)
        told = run("-m", "referee", "health", "--address", running.address)

    assert (1, "", f"referee: {running.address} is NOT_SERVING.\n") == told


def test_a_probe_of_nobody() -> None:
    """Where nobody listens, or nobody answers, it is one sentence and exit status 1."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        mute = run("-m", "referee", "health", "--address", f"127.0.0.1:{port}", "--timeout", "0.5")
    gone = run("-m", "referee", "health", "--address", f"127.0.0.1:{port}")

    assert [(1, "", 1)] * 2 == [(status, out, complaint.count("\n")) for status, out, complaint in (mute, gone)]
    assert "DEADLINE_EXCEEDED" in mute[2]
    assert "UNAVAILABLE" in gone[2]


@pytest.mark.parametrize(
    "flags",
    [
        ("--address", "50051"),
        ("--timeout", "soon"),
        ("--tls-ca", "/nowhere/at/all"),
        ("--tls-cert", "/nowhere/at/all"),
        ("--tls-cert", "/nowhere", "--tls-key", "/nowhere"),
    ],
    ids=" ".join,
)
def test_a_probe_told_something_unusable(flags: tuple[str, ...]) -> None:
    """A flag that cannot be used is one sentence and exit status 2."""
    status, output, complaint = run("-m", "referee", "health", *flags)

    assert (2, "", 1) == (status, output, complaint.count("\n"))
    assert flags[0] in complaint or flags[1] in complaint


def test_several_workers_behind_a_door(tmp_path: Path) -> None:
    """Two workers that ask for certificates and tokens: a probe needs the certificate only, a question both."""
    authority = trustme.CA()
    cert, key = server_files(authority, tmp_path)
    ca, tokens = authority_file(authority, tmp_path), tmp_path / "tokens"
    tokens.write_text("alice:alice-s-secret-token\n")
    shown = caller(authority, name="probe")
    (tmp_path / "probe.key").write_bytes(shown[0])
    (tmp_path / "probe.pem").write_bytes(shown[1])
    flags = "--tls-cert", cert, "--tls-key", key, "--tls-client-ca", ca, "--tokens-file", str(tokens)
    probe = "--tls-cert", str(tmp_path / "probe.pem"), "--tls-key", str(tmp_path / "probe.key")
    with referee_process("--workers", "2", *flags) as running:
        asked = "-m", "referee", "health", "--address", running.address, "--tls-ca", ca
        with_certificate, without = run(*asked, *probe), run(*asked)
        with (
            over_tls(running.address, trusting(authority, shown)) as opened,
            pytest.raises(grpc.RpcError) as unknown,
        ):
            ask(opened, path("Judge"))

    assert (0, f"{running.address} is SERVING.\n", "") == with_certificate
    assert (1, "") == without[:2]
    assert grpc.StatusCode.UNAUTHENTICATED is unknown.value.code()
