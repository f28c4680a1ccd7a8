"""No tile gets out by a side door: the corpus is asked by every method, and what is told beside the answers is read.

Log lines, labels and spans may hold numbers and words of closed sets, and nothing else. Statuses are sentences: they
are searched for tiles in every form in which one could be written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from charleston import RefereeClient, RefereeError
from charleston.conformance.asking import laid
from charleston.conformance.cases import Case, load
from charleston.referee.v1 import service_pb2
from referee import spans
from referee.codec import write_act
from referee.meters import REFUSALS
from referee.observe import OTHER
from referee.rulebook import RULEBOOK
from referee.ruling import Verdict
from referee.server import running
from referee.service import REASONS, SERVICE, Refused, referee
from referee.settings import Settings
from referee.stages import Moment, Stage
from tests.wire.asking import SOON

# Some four thousand calls, with time to spare on a busy machine.
pytestmark = pytest.mark.timeout(400)
SHOWN = service_pb2.AnswerOptions(views=True, trace=True)
# Every word that may be in a line, a label or a span; and what else may be, by its form.
WORDS = {
    *referee(), OTHER, *Stage.__members__, *Verdict.__members__, *Moment.__members__, *REASONS, *REFUSALS,
    *(rule.id for rule in RULEBOOK.articles), *(code.name for code in grpc.StatusCode), "call", "info", "warning",
    "grpc", SERVICE,
}  # fmt: skip
FORMS = re.compile(
    r"ipv4:127\.0\.0\.1:\d+|[A-Z2-7]{26}|\d+(\.\d+)*(e[-+]\d+)?|\+Inf"  # a peer, a ruling, a number or version, a bound
)
# The words of the notation and of the protocol, spelled out in three languages, and lists of tiles by their numbers.
FACES = re.compile(
    r"TILE_\w+"
    r"|(?i:\b[1-9] ?-?(?:bams?|craks?|dots?|bambous?|bamboe|caract\w*|cercles?|karakters?)\b)"
    r"|\b[1-9][bcdBCD]\b|\b[ESWNRGOFJ]\b"
    r"|(?i:\b(?:bams?|craks?|dots?|flowers?|soaps?|dragons?|fleurs?|bloem\w*|zeep)\b)"
    r"|(?<!\w)\[\s*\d+(?:\s*,\s*\d+)*\s*\]|\b\d+(?:\s*,\s*\d+){2,}|\b(?:\d+ ){2,}\d+"
)


class Told(NamedTuple):
    """What was told beside the answers."""

    lines: list[dict[str, Any]]
    text: str
    pages: list[str]
    statuses: list[str]
    spans: list[dict[str, Any]]


def asked(case: Case) -> Iterator[tuple[str, Message]]:
    """Yield a case as questions of every method, the acts one after the other on the table that they lead to."""
    if case.question:
        yield "Judge", json_format.Parse(case.question, service_pb2.JudgeRequest())
        return
    table, acts = laid(case), [write_act(act) for act in case.parsed]
    yield "WhatNext", service_pb2.WhatNextRequest(table=table)
    yield "Replay", service_pb2.ReplayRequest(table=table, acts=acts, skip_illegal=True)
    questions = [service_pb2.Question(question_id="q", table=table, act=act) for act in acts]
    yield "JudgeBatch", service_pb2.JudgeBatchRequest(questions=questions)
    judge = referee()["Judge"]
    after = table
    for act in acts:
        yield "Judge", service_pb2.JudgeRequest(table=after, act=act, options=SHOWN)
        question = service_pb2.JudgeRequest(table=after, act=act)
        try:
            answer = service_pb2.JudgeResponse.FromString(judge(question.SerializeToString(), "").body)
        except Refused:
            return
        after = answer.standing.table
    yield "JudgeTransition", service_pb2.JudgeTransitionRequest(before=table, after=after)


def refusals(client: RefereeClient, cases: Iterable[Case]) -> Iterator[str]:
    """Ask these cases, and yield each status that was no answer, with its violations."""
    ask: dict[str, Callable[[Any], object]] = {
        "Judge": client.judge,
        "WhatNext": client.what_next,
        "Replay": client.replay,
        "JudgeBatch": client.judge_batch,
        "JudgeTransition": client.judge_transition,
    }
    for case in cases:
        for method, question in asked(case):
            try:
                ask[method](question)
            except RefereeError as error:
                yield f"{error.code} {error.message} {error.violations}"
            if isinstance(question, service_pb2.JudgeBatchRequest):
                for answer in client.judge_stream(question.questions):
                    yield f"{answer.error}"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Ask the corpus of a referee whose log is JSON, and some of it of one whose log is text."""
    key = tmp_path_factory.mktemp("key") / "key"
    key.write_bytes(b"0123456789abcdef")
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    logs = {"json": BytesIO(), "text": BytesIO()}
    pages: list[str] = []
    statuses: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "exported", lambda: spans.Spans(provider))
        for form, out, cases in (("json", logs["json"], load()), ("text", logs["text"], load()[::9])):
            settings = Settings(
                listen="127.0.0.1:0", metrics="127.0.0.1:0", id_key_file=str(key), log_format=form, spans=True
            )
            with running(settings, out=out) as server, RefereeClient(server.address, timeout=SOON) as client:
                statuses += refusals(client, cases)
                page = Request(
                    f"http://{server.metrics_address}/metrics",
                    headers={"Accept": "application/openmetrics-text;version=1.0.0"},
                )
                with urlopen(page, timeout=SOON) as read:
                    pages.append(read.read().decode())
    return Told(
        [json.loads(line) for line in logs["json"].getvalue().splitlines()],
        logs["text"].getvalue().decode(),
        pages,
        statuses,
        [json.loads(span.to_json()) for span in kept.get_finished_spans()],
    )


def strange(value: object) -> bool:
    """Tell whether a value is neither a number, nor a word of a closed set or of a known form, nor a list of those."""
    if isinstance(value, list):
        return any(not isinstance(each, str) or strange(each) for each in value)
    return isinstance(value, dict) or (isinstance(value, str) and value not in WORDS and not FORMS.fullmatch(value))


def test_lines(told: Told) -> None:
    """Every value of every line is a number or a word that has nothing to do with tiles; lists are of rule ids only."""
    assert len(told.lines) > 1000
    assert [] == [line for line in told.lines if any(map(strange, line.values()))]


def test_lines_for_people(told: Told) -> None:
    """So it is in text: what has a name and a value is a number or such a word."""
    values = re.findall(r"\w+=(\S+)", told.text)

    assert len(values) > 1000
    assert [] == [value for value in values if strange(value.split(","))]


def test_labels(told: Told) -> None:
    """So it is with every label of every sample, and of every exemplar."""
    families = [
        family
        for page in told.pages
        for family in text_string_to_metric_families(page)  # type: ignore[no-untyped-call]
    ]
    samples = [sample for family in families for sample in family.samples]
    labels = {value for sample in samples for value in sample.labels.values()}
    shown = {value for sample in samples if sample.exemplar for value in sample.exemplar.labels.values()}

    assert len(shown) > 10
    assert [] == [value for value in labels | shown if strange(value)]


def test_attributes_of_spans(told: Told) -> None:
    """So it is with every attribute of every span; a span has no events, in which an exception could be quoted."""
    assert len(told.spans) > 1000
    assert [] == [span for span in told.spans if any(map(strange, span["attributes"].values())) or span["events"]]


def test_statuses(told: Told) -> None:
    """No status that a caller gets in place of an answer has a tile in it, nor has any of its violations."""
    assert len(told.statuses) > 20
    assert [] == [status for status in told.statuses if FACES.search(status)]


@pytest.mark.parametrize(
    "text",
    [
        "TILE_BAM_1",
        "1b 3c",
        "3 bams",
        "EAST rack E S W",
        "F",
        "[1, 2, 3]",
        "7, 12, 30",
        "1 2 3 4",
        "trois fleurs",
        "zeep",
    ],
)
def test_a_tile_is_found_where_there_is_one(text: str) -> None:
    """What the statuses are searched with finds a tile in each of its forms."""
    assert FACES.search(f"The act has {text} in it.")


@pytest.mark.parametrize("value", ["1b", "TILE_BAM_1", [1, 2, 3], {"rack": 3}, ["1b"], "1b 2b", "CAFEBABE"])
def test_what_is_strange_is_noticed(value: object) -> None:
    """What the lines, labels and spans are compared with takes no tile, in no form."""
    assert strange(value)
