"""Whatever is sent to the server, it says what is wrong and goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from charleston.referee.v1.service_pb2 import JudgeRequest, JudgeResponse
from referee.server import Running, running
from referee.settings import Settings
from tests.wire.asking import (
    CHECK,
    ILLEGAL,
    LEGAL,
    MALFORMED,
    METHODS,
    REFLECTION,
    SERVICE,
    SERVING,
    SOON,
    WATCH,
    Lines,
    ask,
    bad_request,
    channel,
    faces,
    judged,
    path,
    refused,
)

# No message of ours: a tag that does not exist, a length past the end, a group that never closes, text.
GARBAGE = [b"\xff\xff\xff\xff", b"\x0a\x7f", b"\x0b", b"EAST passes 1b 2b 3b"]
SMALL = Settings(listen="127.0.0.1:0", metrics="", max_bytes=1000)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("garbage", GARBAGE, ids=repr)
def test_garbage(server: Running, method: str, garbage: bytes) -> None:
    """Bytes that are no message are INVALID_ARGUMENT, and the next question on the connection is answered."""
    with channel(server.address) as opened:
        error = refused(opened, path(method), garbage)
        verdict = judged(opened)

    assert grpc.StatusCode.INVALID_ARGUMENT is error.code()
    assert "These bytes are no" in error.details()
    assert 1 == len(bad_request(error).field_violations)
    assert "VERDICT_LEGAL" == verdict


@pytest.mark.parametrize("garbage", GARBAGE, ids=repr)
def test_garbage_for_health_and_reflection(server: Running, garbage: bytes) -> None:
    """Health and reflection answer garbage with INVALID_ARGUMENT too, and go on."""
    with channel(server.address) as opened:
        check = refused(opened, CHECK, garbage)
        watch = opened.unary_stream(WATCH)(garbage, timeout=SOON)
        talk = opened.stream_stream(REFLECTION)(iter((garbage,)), timeout=SOON)
        codes = {check.code(), watch.code(), talk.code()}
        health = ask(opened, CHECK)

    assert {grpc.StatusCode.INVALID_ARGUMENT} == codes
    assert SERVING == health


def test_health_of_services(server: Running) -> None:
    """The referee and the whole server are SERVING; a service that is not ours is NOT_FOUND."""
    with channel(server.address) as opened:
        ours = ask(opened, CHECK, b"\x0a" + bytes([len(SERVICE)]) + SERVICE.encode())
        all = ask(opened, CHECK)
        error = refused(opened, CHECK, b"\x0a\x05other")

    assert (SERVING, SERVING) == (ours, all)
    assert grpc.StatusCode.NOT_FOUND is error.code()


def test_no_is_an_answer(server: Running) -> None:
    """An illegal act is answered with status OK; a malformed one is an error that names the field and no tile."""
    with channel(server.address) as opened:
        verdicts = judged(opened, LEGAL), judged(opened, ILLEGAL)
        error = refused(opened, path("Judge"), MALFORMED.SerializeToString())

    assert ("VERDICT_LEGAL", "VERDICT_ILLEGAL") == verdicts
    assert grpc.StatusCode.INVALID_ARGUMENT is error.code()
    assert ["act.tile_pass.tiles[1]"] == [violation.field for violation in bad_request(error).field_violations]
    assert [] == faces(f"{error.details()} {bad_request(error)}")


@pytest.mark.parametrize(
    ("number", "told"),
    [(1, "Field 127 of this message is not known here."), (2000, "6000 bytes of this message are in fields that are")],
)
def test_fields_that_are_not_known(server: Running, number: int, told: str) -> None:
    """An unknown field in a part of an act is refused, and named; of very many only their size is told."""
    asked = JudgeRequest()
    asked.CopyFrom(LEGAL)
    asked.act.tile_pass.MergeFromString(b"\xf8\x07\x01" * number)
    with channel(server.address) as opened:
        violations = bad_request(refused(opened, path("Judge"), asked.SerializeToString())).field_violations

    assert [("act.tile_pass", "UNKNOWN_FIELD")] == [(violation.field, violation.reason) for violation in violations]
    assert violations[0].description.startswith(told)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("size", [1001, 2000, 2001, 1_000_000])
def test_a_message_over_the_limit(size: int) -> None:
    """A message over the limit is RESOURCE_EXHAUSTED, and the server goes on."""
    with running(replace(SMALL, reflection="off"), out=Lines()) as small, channel(small.address) as opened:
        errors = [refused(opened, method, bytes(size)) for method in (path("Judge"), CHECK)]
        verdict = judged(opened)

    assert [grpc.StatusCode.RESOURCE_EXHAUSTED] * 2 == [error.code() for error in errors]
    assert "VERDICT_LEGAL" == verdict


def test_too_many_acts() -> None:
    """The most acts in one Replay are what the settings say."""
    with running(replace(SMALL, max_acts=2), out=Lines()) as few, channel(few.address) as opened:
        error = refused(opened, path("Replay"), b"\x12\x00" * 3)  # three acts with nothing in them

    assert grpc.StatusCode.RESOURCE_EXHAUSTED is error.code()


@pytest.mark.parametrize("method", [f"/{SERVICE}/Nope", "/other.Service/Judge", f"/{SERVICE}/judge", "/", "/x"])
def test_an_unknown_method(server: Running, method: str) -> None:
    """A method that this server does not have is UNIMPLEMENTED."""
    with channel(server.address) as opened:
        error = refused(opened, method, LEGAL.SerializeToString())

    assert grpc.StatusCode.UNIMPLEMENTED is error.code()


@pytest.mark.usefixtures("way")
def test_a_call_without_a_message() -> None:
    """A caller that closes without a question gets a status, not a silence; its line has it too."""
    log = Lines()
    with running(SMALL, out=log) as up, channel(up.address) as opened:
        call = opened.stream_unary(path("Judge")).future(iter(()), SOON, [("x-request-id", "hand-42")])
        code = call.exception().code()
        line = log.next()

    assert grpc.StatusCode.UNIMPLEMENTED is code
    assert ("Judge", "UNIMPLEMENTED", "hand-42") == (line["method"], line["code"], line["request"])
    assert "hand-42" == dict(call.trailing_metadata())["x-request-id"]


def test_the_empty_message(server: Running) -> None:
    """No bytes at all are a message: a Judge without its act, refused at the act, and a GetRulebook."""
    with channel(server.address) as opened:
        error = refused(opened, path("Judge"), b"")
        rulebook = ask(opened, path("GetRulebook"), b"")

    assert ["act"] == [violation.field for violation in bad_request(error).field_violations]
    assert rulebook


def test_the_language_of_the_call(server: Running) -> None:
    """The sentences come in the language that the call's metadata ask for."""
    question = LEGAL.SerializeToString()
    with channel(server.address) as opened:
        plain, french, dutch = (
            ask(opened, path("Judge"), question, metadata)
            for metadata in ((), (("accept-language", "fr"),), (("accept-language", "xx;q=0.9, nl;q=0.5"),))
        )

    assert 3 == len({plain, french, dutch})


def test_the_key_file(server: Running, tmp_path: Path) -> None:
    """With a key file a ruling has an id, which the log line names too; without one it has none."""
    file, log = tmp_path / "key", Lines()
    file.write_text("sixteen bytes or more\n")
    with running(replace(SMALL, id_key_file=str(file)), out=log) as keyed, channel(keyed.address) as opened:
        ruling = JudgeResponse.FromString(ask(opened, path("Judge"), LEGAL.SerializeToString())).ruling
    with channel(server.address) as opened:
        unkeyed = JudgeResponse.FromString(ask(opened, path("Judge"), LEGAL.SerializeToString())).ruling

    assert 26 == len(ruling.id)
    assert ruling.id == log.next()["ruling"]
    assert "" == unkeyed.id
