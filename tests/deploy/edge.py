"""Envoy as deploy/envoy sets it up, before real replicas: gRPC, streams, JSON, browsers, limits, and what it logs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import grpc
import pytest

from charleston import RefereeClient, RefereeError
from charleston.referee.v1 import service_pb2
from tests.deploy.browser import Browser, pages
from tests.deploy.loss.fronts import Envoy, bare
from tests.deploy.loss.hands import hands
from tests.deploy.loss.load import SOON
from tests.deploy.loss.replicas import Replica, until

ROOT = Path(__file__).parents[2]
JUDGE = "/charleston.referee.v1.RefereeService/Judge"
REQUEST = ROOT / "clients" / "examples" / "request.json"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Serve a page with the TypeScript client on a port of this machine."""
    with pages() as served:
        yield served


@pytest.fixture(scope="module")
def envoy(replicas: list[Replica], browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Envoy]:
    """Run Envoy before the replicas; only the pages of `localhost` may ask."""
    allowed = {"exact: http://localhost:3000": f"exact: http://localhost:{browser.port}"}
    up = Envoy(tmp_path_factory.mktemp("envoy"), [replica.address for replica in replicas], changes=allowed)
    try:
        yield up
    finally:
        up.end()


def post(address: str, body: bytes, query: str = "") -> tuple[int, Any]:
    """Ask for a ruling in JSON; return the HTTP status and what came back."""
    question = Request(f"http://{address}{JUDGE}{query}", body, {"content-type": "application/json"})
    try:
        with urlopen(question, timeout=SOON) as answer:
            return answer.status, json.load(answer)
    except HTTPError as no:
        return no.code, json.load(no)


def code(ask: Callable[[], object]) -> grpc.StatusCode:
    """Ask, and return the status."""
    try:
        ask()
    except RefereeError as error:
        return error.code
    return grpc.StatusCode.OK


def test_every_replica_is_asked_and_every_answer_is_the_cores(envoy: Envoy, replicas: list[Replica]) -> None:
    """Hands through Envoy are judged as in this process, and each replica has judged some of them."""
    before = [replica.judged() for replica in replicas]

    def all_asked() -> bool:
        for turn in hands()[0]:
            assert turn.answer == referee.judge(turn.question)
        return all(replica.judged() > begun for replica, begun in zip(replicas, before, strict=True))

    with RefereeClient(envoy.address) as referee:
        # Envoy tells its threads within a second who has become well, and an answer is counted a little after it.
        until(all_asked, "each replica has judged some")


def test_a_stream_goes_through(envoy: Envoy) -> None:
    """JudgeStream through Envoy answers each question, in order."""
    turns = hands()[0]
    asked = (
        service_pb2.Question(question_id=str(n), table=t.question.table, act=t.question.act)
        for n, t in enumerate(turns)
    )
    with RefereeClient(envoy.address) as referee:
        answers = list(referee.judge_stream(asked))

    assert [str(n) for n in range(len(turns))] == [answer.question_id for answer in answers]
    assert [turn.answer for turn in turns] == [answer.judged for answer in answers]


def test_curl_gets_json(envoy: Envoy) -> None:
    """A question posted as JSON has its ruling in JSON, in the names of the proto files."""
    status, answer = post(envoy.address, REQUEST.read_bytes())

    assert 200 == status
    assert "VERDICT_JOKER_RETURN" == answer["ruling"]["verdict"]
    assert "joker_return" in answer["ruling"]


def test_curl_gets_the_fields_at_fault(envoy: Envoy) -> None:
    """A question without an act is answered 400, and the JSON names the field."""
    status, answer = post(envoy.address, b"{}")

    assert 400 == status
    assert ["act"] == [field["field"] for detail in answer["details"] for field in detail["field_violations"]]


def test_a_browser_is_answered_where_its_page_is_allowed(envoy: Envoy, browser: Browser, tmp_path: Path) -> None:
    """The TypeScript client in Chromium asks over gRPC-Web, asks two on a stream, and reads the fields of an error."""
    told = browser.open(f"http://localhost:{browser.port}", envoy.address, tmp_path)

    assert "VERDICT_JOKER_RETURN, 2 on a stream, INVALID_ARGUMENT at act" == told


def test_a_browser_is_refused_where_its_page_is_not(envoy: Envoy, browser: Browser, tmp_path: Path) -> None:
    """The same page under another name may not ask: the browser itself holds the answer back."""
    told = browser.open(f"http://127.0.0.1:{browser.port}", envoy.address, tmp_path)

    assert told.startswith("UNAVAILABLE")


def test_the_access_log_has_no_body_and_no_query(envoy: Envoy) -> None:
    """A line says what was called and how it ended; of a question in the body or in the query nothing stands there."""
    written = len(envoy.log.read_bytes())
    post(envoy.address, REQUEST.read_bytes(), "?act.seat=SEAT_NORTH")
    until(lambda: JUDGE.encode() in envoy.log.read_bytes()[written:], "Envoy writes its log")
    line = json.loads(envoy.log.read_bytes()[written:].splitlines()[-1])

    assert JUDGE == line["path"]
    assert b"TILE_" not in envoy.log.read_bytes()
    assert b"SEAT_" not in envoy.log.read_bytes()


def test_who_asks_too_much_is_told_so(replicas: list[Replica], tmp_path: Path) -> None:
    """Beyond its bucket a connection gets RESOURCE_EXHAUSTED, while another goes on."""
    small = {
        "tokens: 2000, tokens_per_fill: 1000, fill_interval: 1s": "tokens: 3, tokens_per_fill: 1, fill_interval: 60s"
    }
    envoy = Envoy(tmp_path, [replica.address for replica in replicas], changes=small)
    question = hands()[0][0].question
    try:
        with RefereeClient(envoy.address) as busy:
            codes = [code(lambda: busy.judge(question)) for _ in range(4)]
        codes.append(code(lambda: bare(envoy.address)(question)))
    finally:
        envoy.end()

    assert ["OK", "OK", "OK", "RESOURCE_EXHAUSTED", "OK"] == [each.name for each in codes]
