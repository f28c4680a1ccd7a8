"""OpenTelemetry spans, one for each call, for those who ask for them; the extra [otel] brings what it takes.

A span is made of the End of a call, as its line is, so that it holds no tile, and no call waits for it. Whereto spans
go, and how many, is told in OpenTelemetry's own variables of the environment (OTEL_…).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import grpc

from referee.ending import End
from referee.ports import CannotServe
from referee.service import SERVICE
from referee.settings import version

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider


class Spans:
    """Makes a span of each call and gives it to a provider."""

    def __init__(self, provider: TracerProvider) -> None:
        """Give spans to this provider."""
        from opentelemetry import context, trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("charleston-referee", version())
        self._extract = TraceContextTextMapPropagator().extract
        self._nothing = context.Context()
        self._server = trace.SpanKind.SERVER
        self._error = trace.Status(trace.StatusCode.ERROR)

    def add(self, end: End) -> None:
        """Make the span of a call that has ended, as a child of the caller's own where the caller named one."""
        parent = self._extract({"traceparent": end.trace}, self._nothing) if end.trace else self._nothing
        span = self._tracer.start_span(
            f"{SERVICE}/{end.method}",
            parent,
            self._server,
            {
                "rpc.system": "grpc",
                "rpc.service": SERVICE,
                "rpc.method": end.method,
                "rpc.grpc.status_code": grpc.StatusCode[end.code].value[0],
            },
            start_time=end.at - end.nanoseconds,
        )
        if span.is_recording():
            note = end.note
            span.set_attributes(
                {
                    f"referee.{name}": value
                    for name, value in (
                        ("stage", note.stage),
                        ("verdict", note.verdict),
                        ("rules", note.rules),
                        ("ruling", note.ruling),
                        ("acts", note.acts),
                        ("questions", end.questions),
                        ("reason", end.reason),
                        ("request", end.request),
                    )
                    if value
                }
            )
            if end.level == "error":
                span.set_status(self._error)
        span.end(end.at)

    def close(self) -> None:
        """Send what is left, as far as that can be done within OpenTelemetry's own time limit."""
        self._provider.shutdown()


def exported() -> Spans:
    """Return spans that are sent over OTLP as the environment says; raise CannotServe if the extra is not there."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as missing:
        raise CannotServe(f"--spans on needs {missing.name}: pip install 'charleston-referee[otel]'") from None
    name = os.environ.get("OTEL_SERVICE_NAME", "charleston-referee")
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.version": version()}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Spans(provider)
