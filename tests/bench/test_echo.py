"""The raw echoes that the referee is compared with: what each of them answers."""

from __future__ import annotations

import grpc
import pytest

from tests.bench import serving
from tests.bench.echo import SERVICE
from tests.bench.questions import FULL, unary


@pytest.mark.parametrize("shape", ["sync", "own", "asyncio"])
def test_an_echo_answers_as_many_bytes_as_the_referee(shape: str) -> None:
    """Whatever threads it has, an echo answers each question of the mix with as many bytes as the referee."""
    with serving.echo(shape) as server, grpc.insecure_channel(server.address) as channel:
        judge: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/Judge")
        sizes = [len(judge(asked.messages[0], timeout=serving.SOON)) for asked in unary(FULL)]

    assert [len(asked.answers[0]) for asked in unary(FULL)] == sizes


def test_the_image_says_what_is_set() -> None:
    """What the image tells glibc is found in its Dockerfile, so that it is measured."""
    assert {"GLIBC_TUNABLES"} == serving.SHIPPED.keys()
