"""What goes with a call: TLS, tokens, traces and languages, and what never does."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
import trustme

from charleston import RefereeClient, RefereeError, Tls
from charleston.referee.v1.service_pb2 import WhatNextRequest
from tests.clients.faces import Face
from tests.clients.strangers import Remembering, serving

TRACE = {
    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "tracestate": "game=1",
    "baggage": "player=anna",
}
NAME = "referee.test"


class Authority:
    """Who signs certificates in these tests."""

    def __init__(self) -> None:
        self._authority = trustme.CA()
        self.roots = self._authority.cert_pem.bytes()

    def certificate(self, name: str) -> tuple[bytes, bytes]:
        """Return a certificate for a name, and its key."""
        made = self._authority.issue_cert(name)
        return b"".join(each.bytes() for each in made.cert_chain_pems), made.private_key_pem.bytes()

    def server(self, *, mutual: bool) -> grpc.ServerCredentials:
        """Return what a server needs, one that asks its callers for a certificate or does not."""
        certificate, key = self.certificate(NAME)
        return grpc.ssl_server_credentials([(key, certificate)], self.roots if mutual else None, mutual)


@pytest.fixture(scope="module")
def authority() -> Authority:
    """Make an authority once."""
    return Authority()


@pytest.fixture
def plain() -> Iterator[Remembering]:
    """Serve in plain."""
    with serving() as server:
        yield server


def test_a_call_carries_language_token_and_trace(remote: Face, plain: Remembering) -> None:
    """The language, the bearer token and the trace context go with every call, and nothing else of the carrier."""
    with remote(plain.address, language="fr", token="s3cret", trace=lambda: TRACE) as client:
        answer = client.what_next(WhatNextRequest())
    (call,) = plain.calls

    assert "fr" == answer.language
    assert ("fr", "Bearer s3cret") == (call["accept-language"], call["authorization"])
    assert (TRACE["traceparent"], TRACE["tracestate"]) == (call["traceparent"], call["tracestate"])
    assert "baggage" not in call


def test_a_call_without_any_of_them_carries_none(remote: Face, plain: Remembering) -> None:
    """Who says nothing sends nothing."""
    with remote(plain.address) as client:
        client.what_next(WhatNextRequest())
    (call,) = plain.calls

    assert set() == {"accept-language", "authorization", "traceparent", "tracestate"} & call.keys()


def test_a_call_may_name_its_own_trace(remote: Face, plain: Remembering) -> None:
    """The trace of a call goes before the client's."""
    own = TRACE["traceparent"].replace("4bf9", "0000")
    with remote(plain.address, trace=lambda: TRACE) as client:
        client.what_next(WhatNextRequest(), trace={"traceparent": own})
        client.what_next(WhatNextRequest(), trace={})
    first, second = plain.calls

    assert own == first["traceparent"]
    assert "tracestate" not in first
    assert "traceparent" not in second


@pytest.mark.parametrize("parent", ["", "none", TRACE["traceparent"].upper(), TRACE["traceparent"] + "\r\nx: y", "é"])
def test_a_trace_that_is_none_stops_no_ruling(remote: Face, plain: Remembering, parent: str) -> None:
    """A trace context that is not well-formed is left out, and the question is asked all the same."""
    with remote(plain.address, trace=lambda: {**TRACE, "traceparent": parent}) as client:
        client.what_next(WhatNextRequest())
    (call,) = plain.calls

    assert set() == {"traceparent", "tracestate"} & call.keys()


def test_a_token_may_change_from_call_to_call(remote: Face, plain: Remembering) -> None:
    """A token that is given by a function is asked for before each call."""
    tokens = iter(["one", "two"])
    with remote(plain.address, token=lambda: next(tokens)) as client:
        for _ in range(2):
            client.what_next(WhatNextRequest())

    assert ["Bearer one", "Bearer two"] == [call["authorization"] for call in plain.calls]


@pytest.mark.parametrize("address", ["192.0.2.1:1", "127.0.0.1:1,192.0.2.1:1", "dns:///referee.invalid:1"])
def test_a_token_is_not_sent_in_plain_to_another_machine(remote: Face, address: str) -> None:
    """A token for another machine without TLS is refused before anything is sent, and not named."""
    with pytest.raises(ValueError, match="without TLS") as refused, remote(address, token="s3cret"):
        pass

    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "é"])
def test_a_token_that_is_none_is_refused(remote: Face, token: str) -> None:
    """What cannot be a bearer token is refused without being named."""
    with pytest.raises(ValueError, match="visible ASCII") as refused, remote("127.0.0.1:1", token=token):
        pass

    assert not token or token not in str(refused.value)


def test_tls_trusts_only_the_roots_it_is_given(remote: Face, authority: Authority) -> None:
    """A server is trusted by the roots given and by its name, and any other is UNAVAILABLE."""
    with serving(authority.server(mutual=False)) as server:
        with remote(server.address, tls=Tls(authority.roots), authority=NAME, token="s3cret") as client:
            client.what_next(WhatNextRequest())
        for roots, name in ((Authority().roots, NAME), (authority.roots, "other.test"), (authority.roots, "")):
            with remote(server.address, tls=Tls(roots), authority=name) as client, pytest.raises(RefereeError) as no:
                client.what_next(WhatNextRequest())

            assert grpc.StatusCode.UNAVAILABLE is no.value.code

    assert ["Bearer s3cret"] == [call["authorization"] for call in server.calls]


def test_mutual_tls_shows_a_certificate(remote: Face, authority: Authority) -> None:
    """A server that asks for a certificate answers who has one, and nobody else."""
    mutual = Tls(authority.roots, *authority.certificate("backend@game.test"))
    with serving(authority.server(mutual=True)) as server:
        with remote(server.address, tls=mutual, authority=NAME) as client:
            answer = client.what_next(WhatNextRequest())
        unknown = Tls(authority.roots)
        with remote(server.address, tls=unknown, authority=NAME) as client, pytest.raises(RefereeError) as refused:
            client.what_next(WhatNextRequest())

    assert answer.HasField("standing")
    assert grpc.StatusCode.UNAVAILABLE is refused.value.code
    assert 1 == len(server.calls)


def test_several_servers_prove_one_name(authority: Authority) -> None:
    """Several addresses over TLS are asked in turn, and need the one name that all certificates have."""
    tls = Tls(authority.roots)
    with (
        serving(authority.server(mutual=False)) as one,
        serving(authority.server(mutual=False)) as two,
        RefereeClient(f"{one.address},{two.address}", tls=tls, authority=NAME) as client,
    ):
        for _ in range(20):
            client.what_next(WhatNextRequest())
    with pytest.raises(ValueError, match="authority"):
        RefereeClient("127.0.0.1:1,127.0.0.2:1", tls=tls)

    assert 20 == len(one.calls) + len(two.calls)


def test_a_certificate_needs_its_key() -> None:
    """A certificate without a key, or a key without a certificate, is refused; and neither is ever printed."""
    for half in ({"certificate": b"PEM"}, {"key": b"PEM"}):
        with pytest.raises(ValueError, match="and its key"):
            Tls(**half)

    assert "PEM" not in repr(Tls(b"PEM", b"PEM", b"PEM"))
