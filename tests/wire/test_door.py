"""Who may call: TLS, certificates, tokens, and limits that one caller reaches and another does not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import Queue
from threading import Event
from time import monotonic
from typing import Any

import grpc
import pytest
import trustme
from google.rpc import error_details_pb2, status_pb2

from referee import log as log_module
from referee.ports import CannotServe
from referee.server import running
from referee.settings import Settings
from tests.wire.asking import (
    CHECK,
    LEGAL,
    REFLECTION,
    SERVING,
    SOON,
    Error,
    Lines,
    Opened,
    Sending,
    ask,
    channel,
    counts,
    over_tls,
    path,
)
from tests.wire.certificates import authority_file, caller, server_files, trusting
from tests.wire.test_log import Stuck

QUESTION = LEGAL.SerializeToString()
HERE = Settings(listen="127.0.0.1:0", metrics="", patience=600.0)
ALICE, BOB = "alice-s-secret-token", "bob-s-secret-token-to-be-hashed"
CODES = grpc.StatusCode
pytestmark = pytest.mark.usefixtures("way")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """An authority that signs what it is asked to."""
    return trustme.CA()


@pytest.fixture
def secure(authority: trustme.CA, tmp_path: Path) -> Settings:
    """Settings of a server with a certificate, which asks its callers for theirs."""
    cert, key = server_files(authority, tmp_path)
    return replace(HERE, tls_cert=cert, tls_key=key, tls_client_ca=authority_file(authority, tmp_path))


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """A file with Alice's token as it is, and Bob's hashed."""
    file = tmp_path / "tokens"
    file.write_text(f"# who may ask\n\nalice:{ALICE}\nbob:sha256:{hashlib.sha256(BOB.encode()).hexdigest()}\n")
    return file


def code(opened: Opened, token: str = "", method: str = path("Judge")) -> grpc.StatusCode:
    """Ask and return the status."""
    return error(opened, token, method).code() or CODES.OK


def error(opened: Opened, token: str = "", method: str = path("Judge")) -> Error:
    """Ask, with a token if there is one, and return how the call ended."""
    metadata = [("authorization", f"Bearer {token}")] if token else []
    call = opened.unary_unary(method).future(QUESTION if method == path("Judge") else b"", SOON, metadata)
    call.exception()
    return call


def talking(opened: Opened, token: str, over: Event) -> Any:
    """Open a stream with a token, and return it once a question on it is answered; it stays open until it is over."""

    def messages() -> Iterator[bytes]:
        yield b""
        over.wait(SOON)

    stream = opened.stream_stream(path("JudgeStream"))(messages(), SOON, [("authorization", f"Bearer {token}")])
    next(stream)
    return stream


def until(holds: Callable[[], bool]) -> bool:
    """Wait until something holds, with a deadline."""
    last = monotonic() + SOON
    while not (held := holds()) and monotonic() < last:
        pass
    return held


def test_tls(authority: trustme.CA, secure: Settings) -> None:
    """Who trusts the server's authority is answered; who trusts another, or speaks no TLS, gets no connection."""
    with running(replace(secure, tls_client_ca=""), out=Lines()) as server:
        with over_tls(server.address, trusting(authority)) as opened:
            answered = code(opened)
        with over_tls(server.address, trusting(trustme.CA())) as opened:
            mistrusted = code(opened)
        with channel(server.address) as opened:
            plain = code(opened)

    assert (CODES.OK, CODES.UNAVAILABLE, CODES.UNAVAILABLE) == (answered, mistrusted, plain)


@pytest.mark.parametrize(
    ("shown", "named"),
    [
        ({"spiffe": "spiffe://game.test/backend", "name": "backend"}, "spiffe://game.test/backend"),
        ({"spiffe": "spiffe://game.test/backend"}, "spiffe://game.test/backend"),
        ({"name": "backend"}, "backend"),
    ],
    ids=["SPIFFE id and name", "SPIFFE id", "name"],
)
def test_callers_are_known_by_their_certificates(
    authority: trustme.CA, secure: Settings, shown: dict[str, str], named: str
) -> None:
    """A caller's name in the log is the SPIFFE id of its certificate, or else the common name."""
    log = Lines()
    credentials = trusting(authority, caller(authority, **shown))  # type: ignore[arg-type]  # names only
    with running(secure, out=log) as server, over_tls(server.address, credentials) as opened:
        answered = code(opened)
    line = log.next()

    assert (CODES.OK, named) == (answered, line["caller"])


def test_callers_without_a_good_certificate(authority: trustme.CA, secure: Settings) -> None:
    """Where callers need a certificate, none, one of another authority and one that has expired get no connection."""
    bad = {
        "none": None,
        "another authority": caller(trustme.CA(), name="backend"),
        "expired": caller(authority, name="backend", days=-1),
    }
    with running(secure, out=Lines()) as server:
        codes = {}
        for why, shown in bad.items():
            with over_tls(server.address, trusting(authority, shown)) as opened:
                codes[why] = code(opened)

    assert dict.fromkeys(bad, CODES.UNAVAILABLE) == codes


def test_a_certificate_that_is_replaced(authority: trustme.CA, secure: Settings, tmp_path: Path) -> None:
    """When the files are replaced new connections see the new certificate, without a restart."""
    log, other = Lines(), trustme.CA()
    with running(replace(secure, tls_client_ca=""), out=log) as server:
        with over_tls(server.address, trusting(other)) as opened:
            before = code(opened)
        server_files(other, tmp_path)

        def trusted() -> bool:
            with over_tls(server.address, trusting(other)) as opened:
                return code(opened) is CODES.OK

        after = until(trusted)

    assert CODES.UNAVAILABLE is before
    assert after
    assert "reloaded" == log.next()["event"]


def test_a_certificate_taken_anew_waits_for_no_log(
    authority: trustme.CA, secure: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate that is replaced is shown although nobody reads the log, and no connection waits for that."""
    monkeypatch.setattr(log_module, "_WAIT", 2 * SOON)
    log, other = Stuck(), trustme.CA()
    with running(replace(secure, tls_client_ca=""), out=log) as server:
        server_files(other, tmp_path)

        def trusted() -> bool:
            with over_tls(server.address, trusting(other)) as opened:
                return code(opened) is CODES.OK

        shown = until(trusted)
        log.go.set()

    assert shown
    assert b"reloaded" in log.getvalue()


def test_a_certificate_that_is_spoilt(authority: trustme.CA, secure: Settings, tmp_path: Path) -> None:
    """While the files hold no certificate with its key the one of before is shown, and a line says so."""
    log = Lines()
    with running(replace(secure, tls_client_ca=""), out=log) as server:
        Path(secure.tls_cert).write_text("half of it")

        def complained() -> bool:
            with over_tls(server.address, trusting(authority)) as opened:
                assert code(opened) is CODES.OK
            return "unusable" in [log.next()["event"] for _ in range(log.left())]

        assert until(complained)


@pytest.mark.parametrize("spoilt", ["tls_cert", "tls_key", "tls_client_ca"])
def test_tls_files_that_are_none(secure: Settings, spoilt: str) -> None:
    """Files that are no certificate, no key or no authority stop the start with a sentence that shows none of them."""
    file = Path(getattr(secure, spoilt))
    file.write_text("-----BEGIN NOTHING-----\nsecret\n")

    with pytest.raises(CannotServe) as told, running(secure, out=Lines()):
        pass
    assert str(file) in str(told.value)
    assert "secret" not in str(told.value)


def test_tokens(tokens: Path) -> None:
    """A token of the file is answered, and its owner's name logged; none and a wrong one are UNAUTHENTICATED."""
    log = Lines()
    with running(replace(HERE, tokens_file=str(tokens)), out=log) as server, channel(server.address) as opened:
        codes = [code(opened, token) for token in (ALICE, BOB, "", "bob", ALICE[:-1], f"{ALICE}x")]
        lines = [log.next() for _ in codes]

    assert [CODES.OK] * 2 + [CODES.UNAUTHENTICATED] * 4 == codes
    assert ["alice", "bob"] == [line["caller"] for line in lines[:2]]
    assert ["no_token", *["wrong_token"] * 3] == [line["reason"] for line in lines[2:]]
    assert ALICE[:-1] not in str(lines)


def test_other_ways_to_show_who_one_is(tokens: Path) -> None:
    """A scheme other than Bearer is no token; the name of the scheme may be written as one likes."""
    with (
        running(replace(HERE, tokens_file=str(tokens)), out=Lines()) as server,
        channel(server.address) as opened,
    ):
        judge = opened.unary_unary(path("Judge"))
        calls = [
            judge.future(QUESTION, SOON, [("authorization", shown)])
            for shown in (f"Basic {ALICE}", ALICE, f"bearer {ALICE}")
        ]
        codes = [call.exception() and call.code() for call in calls]

    assert [CODES.UNAUTHENTICATED, CODES.UNAUTHENTICATED, None] == codes


def test_health_needs_no_token_and_reflection_does(tokens: Path) -> None:
    """Probes have no token; whoever asks what can be asked needs one."""
    with (
        running(replace(HERE, tokens_file=str(tokens)), out=Lines()) as server,
        channel(server.address) as opened,
    ):
        health = ask(opened, CHECK)
        talk = opened.stream_stream(REFLECTION)
        with pytest.raises(grpc.RpcError) as refused:
            next(talk(iter([b"\x3a\x00"]), SOON))
        told = next(talk(iter([b"\x3a\x00"]), SOON, [("authorization", f"Bearer {ALICE}")]))

    assert SERVING == health
    assert CODES.UNAUTHENTICATED is refused.value.code()
    assert b"charleston.referee.v1.RefereeService" in told


def test_tokens_taken_anew_wait_for_no_log(tokens: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of tokens that has changed is taken anew although nobody reads the log, and no call waits for that."""
    monkeypatch.setattr(log_module, "_WAIT", 2 * SOON)
    log = Stuck()
    with running(replace(HERE, tokens_file=str(tokens)), out=log) as server, channel(server.address) as opened:
        tokens.write_text(f"bob:{BOB}\n")
        revoked = until(lambda: code(opened, ALICE) is CODES.UNAUTHENTICATED)
        log.go.set()

    assert revoked
    assert b"reloaded" in log.getvalue()


def test_a_token_that_is_revoked(tokens: Path) -> None:
    """A token that is gone from the file is refused, and a new one taken, without a restart."""
    log = Lines()
    with running(replace(HERE, tokens_file=str(tokens)), out=log) as server, channel(server.address) as opened:
        before = code(opened, ALICE)
        tokens.write_text(f"alice:{ALICE[::-1]}\n")
        revoked = until(lambda: code(opened, ALICE) is CODES.UNAUTHENTICATED)
        after = code(opened, ALICE[::-1])

    assert (CODES.OK, True, CODES.OK) == (before, revoked, after)


@pytest.mark.parametrize("spoilt", ["alice\n" + ALICE, "# nobody\n", ""])
def test_a_file_of_tokens_that_is_spoilt(tokens: Path, spoilt: str) -> None:
    """While the file is no file of tokens, or has none, those of before hold; a line says so without any of them."""
    log = Lines()
    settings = replace(HERE, tokens_file=str(tokens), log=False)
    with running(settings, out=log) as server, channel(server.address) as opened:
        tokens.write_text(spoilt)
        complained = until(lambda: code(opened, ALICE) is CODES.OK and log.left() > 0)
        line = log.next()

    assert complained
    assert ("error", "unusable") == (line["level"], line["event"])
    assert ALICE not in str(line)


@pytest.mark.parametrize(
    "line", ["alice", "alice:", ":only-a-token-of-ours", "alice:two words and more", "alice:short"]
)
def test_lines_that_are_no_token(tokens: Path, line: str) -> None:
    """A line that cannot be read stops the start with a sentence that has its number and nothing of it."""
    tokens.write_text(f"bob:{BOB}\n{line}\n")

    with pytest.raises(CannotServe) as told, running(replace(HERE, tokens_file=str(tokens)), out=Lines()):
        pass
    assert str(told.value).startswith(f"{tokens}, line 2: must ")
    assert line not in str(told.value)


def test_a_caller_with_too_much_open(tokens: Path) -> None:
    """A caller with as many calls open as it may have is refused beside one that is served; later it is served too."""
    log = Lines()
    settings = replace(HERE, tokens_file=str(tokens), max_concurrent_per_caller=2)
    with running(settings, out=log) as server, channel(server.address) as opened:
        over = Event()
        streams = [talking(opened, ALICE, over) for _ in range(2)]
        refused = code(opened, ALICE)
        beside = code(opened, BOB)
        over.set()
        assert {CODES.OK} == {one.code() for one in streams}
        later = until(lambda: code(opened, ALICE) is CODES.OK)
    reasons = {log.next().get("reason") for _ in range(log.left())}

    assert (CODES.RESOURCE_EXHAUSTED, CODES.OK, True) == (refused, beside, later)
    assert "concurrency" in reasons


def test_a_caller_that_asks_too_often(tokens: Path) -> None:
    """A caller over its rate is refused, and told when to come again, beside one that is served."""
    log = Lines()
    settings = replace(HERE, tokens_file=str(tokens), rate_per_caller=1)
    with running(settings, out=log) as server, channel(server.address) as opened:
        first = code(opened, ALICE)
        asked: list[Error] = []

        def too_often() -> bool:
            asked.append(error(opened, ALICE))
            return asked[-1].code() is CODES.RESOURCE_EXHAUSTED

        assert until(too_often)
        beside = code(opened, BOB)
        later = until(lambda: code(opened, ALICE) is CODES.OK)
    details = status_pb2.Status.FromString(dict(asked[-1].trailing_metadata())["grpc-status-details-bin"]).details
    again = error_details_pb2.RetryInfo()
    details[0].Unpack(again)

    assert (CODES.OK, CODES.OK, True) == (first, beside, later)
    assert 0 < again.retry_delay.ToNanoseconds() <= 1_000_000_000
    assert "rate" in {log.next().get("reason") for _ in range(log.left())}


def test_callers_without_a_name_are_their_hosts() -> None:
    """Without certificates and tokens a host is one caller, over however many connections."""
    settings = replace(HERE, max_concurrent_per_caller=1)
    with (
        running(settings, out=Lines()) as server,
        channel(server.address) as one,
        channel(server.address) as other,
    ):
        over = Event()
        stream = talking(one, "none", over)
        refused = code(other)
        over.set()
        assert stream.code() is CODES.OK
        later = until(lambda: code(other) is CODES.OK)

    assert (CODES.RESOURCE_EXHAUSTED, True) == (refused, later)


def test_more_calls_than_are_taken() -> None:
    """With as many calls in hand as may be, the next is told to ask another, and health is still answered."""
    log = Lines()
    with running(replace(HERE, max_calls=1), out=log) as server, channel(server.address) as opened:
        sending = Sending(opened, "Judge", QUESTION)
        refused = code(opened)
        health = ask(opened, CHECK)
        sending.send()
        later = until(lambda: code(opened) is CODES.OK)

    assert (CODES.UNAVAILABLE, SERVING, True) == (refused, health, later)
    assert ("Judge", "overload") == ((line := log.next())["method"], line["reason"])


@pytest.mark.parametrize("setting", ["max_connection_idle", "max_connection_age"])
def test_connections_have_an_end(setting: str) -> None:
    """A connection that idles, or is old, is closed; its client connects anew and is answered."""
    settings = replace(HERE, **{setting: 0.2})  # type: ignore[arg-type]  # both are seconds
    with running(settings, out=Lines()) as server, channel(server.address) as opened:
        before = code(opened)
        states: Queue[grpc.ChannelConnectivity] = Queue()
        opened.subscribe(states.put)
        while states.get(timeout=SOON) is not grpc.ChannelConnectivity.IDLE:
            pass
        opened.unsubscribe(states.put)  # else gRPC's thread may look at the channel once more when it is closed
        after = code(opened)

    assert (CODES.OK, CODES.OK) == (before, after)


def test_who_is_refused_is_counted(tokens: Path) -> None:
    """Callers that are refused are counted by why, and a caller that a limit refused is named in its line."""
    log = Lines()
    settings = replace(HERE, metrics="127.0.0.1:0", tokens_file=str(tokens), max_concurrent_per_caller=1)
    with running(settings, out=log) as server, channel(server.address) as opened:
        over = Event()
        stream = talking(opened, ALICE, over)
        code(opened, ALICE), code(opened), code(opened, "wrong")
        counted = counts(server.metrics_address)
        over.set()
        assert stream.code() is CODES.OK
    named = [line["caller"] for line in (log.next() for _ in range(log.left())) if line.get("reason") == "concurrency"]
    reasons = {labels[1] for labels in counted if labels[0] == "referee_callers_refused_total"}

    assert {"concurrency", "no_token", "wrong_token"} == reasons
    assert ["alice"] == named
