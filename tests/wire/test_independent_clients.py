"""Clients that share no code with our server ask it the same questions and understand the answers."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson
from google.rpc.error_details_pb2 import BadRequest
from grpclib.client import Channel, UnaryUnaryMethod
from grpclib.const import Status
from grpclib.exceptions import GRPCError

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.readers import split
from referee.server import Running
from tests.wire.asking import ILLEGAL, LEGAL, MALFORMED, SERVICE, SOON, path
from tests.wire.many import question

TOOLS = Path(sys.executable).parent
ILL_FIELD = "act.tile_pass.tiles[1]"


def run(*command: str) -> tuple[int, str, str]:
    """Run a tool that came with our packages; return its exit status, output and complaints."""
    done = subprocess.run([TOOLS / command[0], *command[1:]], capture_output=True, text=True, timeout=SOON)
    return done.returncode, done.stdout, done.stderr


def grpcurl(address: str, question: service_pb2.JudgeRequest) -> tuple[int, str, str]:
    """Ask Judge with grpcurl, which learns the messages by reflection."""
    return run("grpcurl", "-plaintext", "-d", MessageToJson(question), address, f"{SERVICE}/Judge")


def buf_curl(address: str, question: service_pb2.JudgeRequest) -> tuple[int, str, str]:
    """Ask Judge with buf curl, which learns the messages by reflection."""
    url = f"http://{address}{path('Judge')}"
    return run("buf", "curl", "--protocol", "grpc", "--http2-prior-knowledge", "-d", MessageToJson(question), url)


@pytest.mark.parametrize("client", [grpcurl, buf_curl])
def test_go_clients(server: Running, client: Any) -> None:
    """Both get the verdicts of a legal and an illegal act, and show the field of a malformed one."""
    legal, illegal, malformed = (client(server.address, question) for question in (LEGAL, ILLEGAL, MALFORMED))

    assert (0, "VERDICT_LEGAL") == (legal[0], json.loads(legal[1])["ruling"]["verdict"])
    assert "VERDICT_ILLEGAL" == json.loads(illegal[1])["ruling"]["verdict"]
    assert ["pass.three"] == [finding["rule"] for finding in json.loads(illegal[1])["ruling"]["broken"]]
    assert 0 != malformed[0]
    assert ILL_FIELD in malformed[2]
    assert "invalid" in malformed[2].lower()


def test_what_is_listed(server: Running) -> None:
    """Reflection lists our service and health, and describes our messages."""
    listed = run("grpcurl", "-plaintext", server.address, "list")
    described = run("grpcurl", "-plaintext", server.address, "describe", "charleston.referee.v1.Pass")

    assert {SERVICE, "grpc.health.v1.Health"} <= set(listed[1].split())
    assert "message Pass {" in described[1]


def test_grpclib(server: Running) -> None:
    """A client in pure Python gets the same verdicts, and the details of what is malformed."""

    async def ask() -> tuple[list[int], GRPCError]:
        host, port = split(server.address)
        async with Channel(host, port) as channel:
            judge = UnaryUnaryMethod(channel, path("Judge"), service_pb2.JudgeRequest, service_pb2.JudgeResponse)
            answers = [await judge(question, timeout=SOON) for question in (LEGAL, ILLEGAL)]
            with pytest.raises(GRPCError) as error:
                await judge(MALFORMED, timeout=SOON)
        return [answer.ruling.verdict for answer in answers], error.value

    verdicts, error = asyncio.run(ask())
    assert isinstance(error.details, list)
    (details,) = error.details

    assert [ruling_pb2.VERDICT_LEGAL, ruling_pb2.VERDICT_ILLEGAL] == verdicts
    assert Status.INVALID_ARGUMENT is error.status
    assert isinstance(details, BadRequest)
    assert [ILL_FIELD] == [violation.field for violation in details.field_violations]


def test_buf_curl_with_many_questions(server: Running) -> None:
    """A Go client gets the answers of a batch and of a stream, the error of a bad question among them."""
    questions = [question("a", LEGAL), question("b", MALFORMED), question("c", ILLEGAL)]
    batch = MessageToJson(service_pb2.JudgeBatchRequest(questions=questions))
    stream = "".join(MessageToJson(service_pb2.JudgeStreamRequest(question=each)) for each in questions)
    flags = ("curl", "--protocol", "grpc", "--http2-prior-knowledge")
    asked = run("buf", *flags, "-d", batch, f"http://{server.address}{path('JudgeBatch')}")
    talked = run("buf", *flags, "-d", stream, f"http://{server.address}{path('JudgeStream')}")
    together = json.loads(asked[1])["answers"]
    answers = [each["answer"] for each in documents(talked[1])]

    assert (0, 0) == (asked[0], talked[0])
    assert together == answers
    assert ["a", "b", "c"] == [answer["questionId"] for answer in answers]
    assert ILL_FIELD in answers[1]["error"]["message"]


def documents(text: str) -> Iterator[Any]:
    """Read JSON documents that follow one another."""
    decoder, text = json.JSONDecoder(), text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:].strip()
