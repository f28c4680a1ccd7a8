"""The codec: tables, acts and rulings between the wire and the core. Nothing else knows both."""

from referee.codec.asked import Options, options_of
from referee.codec.malformed import Malformed, Misasked, NotServed, TooMany, Violation
from referee.codec.reading import SERVED, fit, read_question, read_replay, read_rulebook, read_transition
from referee.codec.requests import (
    batch_asked,
    judge_asked,
    parsed,
    question_asked,
    replay_asked,
    stream_asked,
    what_next_asked,
)
from referee.codec.rulings import ruling_bytes
from referee.codec.standings import standing_bytes, views_bytes
from referee.codec.wire import sized
from referee.codec.writing import write_act, write_difference, write_table

__all__ = [
    "SERVED",
    "Malformed",
    "Misasked",
    "NotServed",
    "Options",
    "TooMany",
    "Violation",
    "batch_asked",
    "fit",
    "judge_asked",
    "options_of",
    "parsed",
    "question_asked",
    "read_question",
    "read_replay",
    "read_rulebook",
    "read_transition",
    "replay_asked",
    "ruling_bytes",
    "sized",
    "standing_bytes",
    "stream_asked",
    "views_bytes",
    "what_next_asked",
    "write_act",
    "write_difference",
    "write_table",
]
