"""Referees that die, come back, are not there or never answer: the act is held and asked again, and nothing is lost."""

from __future__ import annotations

import json
import math
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import grpc
import pytest

from charleston import Referee, RefereeError
from charleston.calling import SHARES
from charleston.embedded import EmbeddedReferee
from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import write_act
from referee.notation import parse_game
from referee.service import SERVICE
from tests.clients.faces import Face, Walked, hand
from tests.wire.asking import referee as process

HAND = Path(__file__).parents[2] / "clients" / "examples" / "hand.charleston"
ACTS = [write_act(act) for act in parse_game(HAND.read_text()).acts]
SOON = 30.0


def again(walked: Walked, act: table_pb2.Act) -> service_pb2.JudgeResponse:
    """Hold an act until a referee can be reached, and have it judged."""
    patience = time.monotonic() + SOON
    while True:
        try:
            return walked.act(act)
        except RefereeError as error:
            if error.code is not grpc.StatusCode.UNAVAILABLE or time.monotonic() > patience:
                raise


def test_a_referee_killed_and_restarted_in_the_middle_of_a_hand_costs_nothing(remote: Face) -> None:
    """What the hand held while nobody could be reached gets, from the new server, the answer it would have had."""
    with process() as first, remote(first.address, timeout=5.0) as client:
        walked = hand(client)
        answers = [walked.act(act) for act in ACTS[:5]]
        first.signal(signal.SIGKILL)
        first.ended()
        with pytest.raises(RefereeError) as gone:
            walked.act(ACTS[5])
        kept = walked.table
        with process("--listen", first.address):
            answers += [again(walked, act) for act in ACTS[5:]]
    expected = hand(EmbeddedReferee())

    assert grpc.StatusCode.UNAVAILABLE is gone.value.code
    assert answers[4].standing.table == kept
    assert [expected.act(act) for act in ACTS] == answers


def test_a_referee_that_is_back_before_the_deadline_costs_no_error(remote: Face) -> None:
    """Who was answered once waits for a referee to be there again, and is answered."""
    with process() as first, remote(first.address, timeout=SOON) as client, ThreadPoolExecutor(1) as pool:
        ask(client, 1)
        first.signal(signal.SIGKILL)
        first.ended()
        asked = pool.submit(ask, client, 1)
        with process("--listen", first.address):
            languages = asked.result(SOON)

    assert ["en"] == languages


def test_of_two_addresses_one_may_be_dead(remote: Face, address: str) -> None:
    """With nobody at one of two addresses, every question is answered by the other."""
    with socket.socket() as dead:
        dead.bind(("127.0.0.1", 0))
        with remote(f"127.0.0.1:{dead.getsockname()[1]},{address}") as client:
            assert ask(client, 20) == ["en"] * 20


def test_of_two_addresses_one_may_never_answer(remote: Face, address: str) -> None:
    """A referee that stands still holds up a question for a part of its deadline only, and the other answers."""
    with process() as still, remote(f"{still.address},{address}", timeout=7.0) as client:
        ask(client, 10)
        still.signal(signal.SIGSTOP)
        try:
            begun = time.monotonic()
            answers = ask(client, 4)
            took = time.monotonic() - begun
        finally:
            still.signal(signal.SIGCONT)

    assert ["en"] * 4 == answers
    assert took < 4 * 7.0


def test_a_referee_that_is_told_to_stop_is_asked_no_more(remote: Face, address: str) -> None:
    """When one of two referees is drained and gone, nobody who asks notices."""
    with process("--drain-pause", "1") as leaving, remote(f"{leaving.address},{address}") as client:
        answers = ask(client, 10)
        leaving.signal(signal.SIGTERM)
        answers += ask(client, 500)
        status, _, _ = leaving.ended()
        answers += ask(client, 10)

    assert 0 == status
    assert ["en"] * 520 == answers


def test_a_retry_is_for_what_can_pass(remote: Face, address: str) -> None:
    """A question that is refused is asked once: no time brings it another answer."""
    with remote(address, timeout=SOON) as client:
        begun = time.monotonic()
        with pytest.raises(RefereeError) as refused:
            client.get_rulebook(service_pb2.GetRulebookRequest(rulebook=99))
        took = time.monotonic() - begun

    assert grpc.StatusCode.FAILED_PRECONDITION is refused.value.code
    assert took < SOON * SHARES[0]


def test_a_call_that_came_in_the_moment_of_a_stop_is_asked_again(remote: Face) -> None:
    """What a server ends CANCELLED nobody has judged: the client asks again, and has its answer."""
    asked: list[bytes] = []

    def answer(question: bytes, context: grpc.ServicerContext) -> bytes:
        asked.append(question)
        if len(asked) == 1:
            context.abort(grpc.StatusCode.CANCELLED, "The server is stopping.")
        return service_pb2.WhatNextResponse(language="fr").SerializeToString()

    server = grpc.server(ThreadPoolExecutor(1))
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {"WhatNext": grpc.unary_unary_rpc_method_handler(answer)}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, methods)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with remote(f"127.0.0.1:{port}") as client:
            languages = ask(client, 1)
    finally:
        server.stop(None).wait()

    assert ["fr"] == languages
    assert 2 == len(asked)


def test_the_service_config_is_for_our_service() -> None:
    """The file that any client may read names the service, retries what nobody has answered, asks for its health, and
    leaves a referee out that does not answer; a gRPC that cannot do that takes the plain turn."""
    config = json.loads(resources.files("charleston").joinpath("service_config.json").read_text())
    (method,) = config["methodConfig"]
    best, plain = config["loadBalancingConfig"]

    assert [{"service": SERVICE}] == method["name"]
    assert ["UNAVAILABLE", "CANCELLED"] == method["retryPolicy"]["retryableStatusCodes"]
    assert SERVICE == config["healthCheckConfig"]["serviceName"]
    assert [{"round_robin": {}}] == best["outlier_detection_experimental"]["childPolicy"]
    assert {"round_robin": {}} == plain


def test_who_is_left_out_is_found_at_once_and_back_in_time() -> None:
    """One call in vain is enough, for who waits for a referee that hangs asks little; and who was left out just before
    all others went is asked again while the last attempt goes on."""
    config = json.loads(resources.files("charleston").joinpath("service_config.json").read_text())
    leaving = config["loadBalancingConfig"][0]["outlier_detection_experimental"]
    interval, longest = (float(leaving[name].removesuffix("s")) for name in ("interval", "maxEjectionTime"))
    last = 5.0 * math.prod(1 - share for share in SHARES[:-1])

    assert 1 == leaving["failurePercentageEjection"]["requestVolume"]
    assert math.ceil(longest / interval) * interval < last


def ask(client: Referee, times: int) -> list[str]:
    """Ask a number of times; return the languages of the answers."""
    return [client.what_next(service_pb2.WhatNextRequest()).language for _ in range(times)]
