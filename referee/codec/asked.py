"""What a request asks, once it is read."""

from __future__ import annotations

from typing import NamedTuple

from charleston.referee.v1 import service_pb2
from referee.acts import Act
from referee.table import Table


class Options(NamedTuple):
    """How an answer is given: `AnswerOptions`."""

    language: str = ""
    trace: bool = False
    views: bool = False
    ruling_only: bool = False


PLAIN = Options()


def options_of(message: service_pb2.AnswerOptions) -> Options:
    """Return the options of a message."""
    return Options(message.language, message.trace, message.views, message.ruling_only)


Asked = tuple[Table, Act | None, Options]
"""A table and what is done there: one act, or none where the table itself is asked about."""


class Replayed(NamedTuple):
    """A table and the acts that are to be replayed from it."""

    table: Table
    acts: tuple[Act, ...]
    skip_illegal: bool
    options: Options


class Batch(NamedTuple):
    """Questions as they were sent, each to be read by itself, and the options that hold for all."""

    questions: list[bytes]
    options: Options


Streamed = tuple[bytes, Options]
"""A question as it was sent, and the options."""
Question = tuple[bytes, Table, Act]
"""One question among many: the caller's id of it in UTF-8, and what it asks."""
