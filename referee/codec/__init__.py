"""The codec: tables, acts and rulings between the wire and the core. Nothing else knows both."""

from referee.codec.malformed import MOST_VIOLATIONS, Malformed, NotServed, Violation
from referee.codec.reading import SERVED, fit, read_question, read_replay, read_rulebook, read_transition
from referee.codec.writing import write_act, write_difference, write_ruling, write_standing, write_table, write_views

__all__ = [
    "MOST_VIOLATIONS",
    "SERVED",
    "Malformed",
    "NotServed",
    "Violation",
    "fit",
    "read_question",
    "read_replay",
    "read_rulebook",
    "read_transition",
    "write_act",
    "write_difference",
    "write_ruling",
    "write_standing",
    "write_table",
    "write_views",
]
