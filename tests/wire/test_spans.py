"""Spans, where they are asked for: one for each call, under the caller's own, sent to a collector."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from charleston.referee.v1 import service_pb2
from referee import spans
from referee.ports import CannotServe
from referee.server import running
from referee.service import Reply
from referee.settings import Settings
from tests.wire.asking import ILLEGAL, LEGAL, SERVICE, SOON, Lines, ask, channel, judged, path, referee, refused

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
UNSAMPLED = f"{TRACE[:-2]}00"
ASKED = Settings(listen="127.0.0.1:0", metrics="", spans=True)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Keep spans here instead of sending them."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(spans, "exported", lambda: spans.Spans(provider))
    yield exporter


def test_a_span_for_each_call(kept: InMemorySpanExporter) -> None:
    """An answer has a server's span with method, code, stage, verdict and rules; it took as long as its line says."""
    log = Lines()
    with running(ASKED, out=log) as server, channel(server.address) as opened:
        judged(opened, ILLEGAL)
        refused(opened, path("Judge"), b"\xff")
    answered, malformed = kept.get_finished_spans()
    line = log.next()
    assert answered.start_time and answered.end_time

    assert (f"{SERVICE}/Judge", SpanKind.SERVER, None) == (answered.name, answered.kind, answered.parent)
    assert {
        "rpc.system": "grpc",
        "rpc.service": SERVICE,
        "rpc.method": "Judge",
        "rpc.grpc.status_code": 0,
        "referee.stage": "FIRST_RIGHT",
        "referee.verdict": "ILLEGAL",
        "referee.rules": ("pass.three",),
        "referee.acts": 1,
    } == dict(answered.attributes or {})
    assert line["seconds"] == (answered.end_time - answered.start_time) // 1000 / 1e6
    assert (3, "UNREADABLE") == tuple(
        (malformed.attributes or {})[name] for name in ("rpc.grpc.status_code", "referee.reason")
    )
    assert StatusCode.UNSET is malformed.status.status_code


def test_a_span_under_the_caller_s_own(kept: InMemorySpanExporter) -> None:
    """A call that is part of a trace has its span there; one whose trace is not sampled has none."""
    with running(ASKED, out=Lines()) as server, channel(server.address) as opened:
        ask(opened, path("Judge"), LEGAL.SerializeToString(), [("traceparent", TRACE)])
        ask(opened, path("Judge"), LEGAL.SerializeToString(), [("traceparent", UNSAMPLED)])
    (span,) = kept.get_finished_spans()
    assert span.parent

    assert TRACE == f"00-{span.context.trace_id:032x}-{span.parent.span_id:016x}-01"


def test_a_stream_is_one_span(kept: InMemorySpanExporter) -> None:
    """A stream has one span, with the number of its questions."""
    asked = service_pb2.JudgeStreamRequest(question=service_pb2.Question(table=LEGAL.table, act=LEGAL.act))
    with running(ASKED, out=Lines()) as server, channel(server.address) as opened:
        list(opened.stream_stream(path("JudgeStream"))(iter([asked.SerializeToString()] * 3), timeout=SOON))
    (span,) = kept.get_finished_spans()

    assert 3 == (span.attributes or {})["referee.questions"]


def test_a_fault_is_an_error(kept: InMemorySpanExporter) -> None:
    """A fault of the referee's own is an error in its span, without the text of the exception."""

    def broken(message: bytes, language: str) -> Reply:
        raise KeyError("TILE_BAM_1")

    with running(ASKED, {"Judge": broken}, Lines()) as server, channel(server.address) as opened:
        refused(opened, path("Judge"), b"")
    (span,) = kept.get_finished_spans()

    assert StatusCode.ERROR is span.status.status_code
    assert "BAM" not in span.to_json()


def test_none_unless_asked_for(kept: InMemorySpanExporter) -> None:
    """Told nothing, a referee makes no spans, and does without OpenTelemetry."""
    with running(replace(ASKED, spans=False), out=Lines()) as server, channel(server.address) as opened:
        judged(opened)

    assert () == kept.get_finished_spans()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenTelemetry installed a referee that is to make spans does not start, and says what it needs."""
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)

    with pytest.raises(
        CannotServe, match=r"^--spans on needs opentelemetry\S+: pip install 'charleston-referee\[otel\]'$"
    ):
        spans.exported()


def test_spans_are_sent_to_a_collector() -> None:
    """What OpenTelemetry's variables name as the collector gets the spans, at the latest when the referee stops."""
    came: Queue[bytes] = Queue()

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            came.put(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    collector = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    Thread(target=collector.serve_forever, daemon=True).start()
    there = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_address[1]}"}
    plain = {"OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
    with referee("--spans", "on", environ={**os.environ, **there, **plain}) as up:
        with channel(up.address) as opened:
            judged(opened)
        up.process.terminate()
        status = up.ended()[0]
    sent = ExportTraceServiceRequest.FromString(came.get(timeout=SOON)).resource_spans[0]
    collector.shutdown()
    collector.server_close()

    assert 0 == status
    assert [f"{SERVICE}/Judge"] == [span.name for span in sent.scope_spans[0].spans]
    assert "charleston-referee" in [each.value.string_value for each in sent.resource.attributes]


def test_a_collector_that_is_not_there() -> None:
    """When spans cannot be sent questions are answered, and the referee stops as ever."""
    nowhere = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    with referee("--spans", "on", environ={**os.environ, **nowhere}) as up:
        with channel(up.address) as opened:
            verdict = judged(opened)
        up.process.terminate()
        status = up.ended()[0]

    assert ("VERDICT_LEGAL", 0) == (verdict, status)
