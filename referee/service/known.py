"""One question whose answer is known: who answers it otherwise is no referee, and must not serve."""

from __future__ import annotations

from collections.abc import Mapping

from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.codec import write_act, write_table
from referee.notation import parse_act, parse_table
from referee.service.reply import Method, Refused

# East lets a Joker slip into the first pass, and it is named.
_TABLE = """
table at FIRST_RIGHT
EAST rack 1b 1b 2b 3c 3c 5c 6d 7d F F E N J J
SOUTH rack 1b 2b 4b 5b 6b 7b 8b 9b 1c 1c 2c 4c 5c
WEST rack 6c 7c 8c 9c 1d 2d 3d 4d 5d 6d 7d 8d 9d
NORTH rack E S S W W N N R R G G O O
"""
_ACT = "EAST passes 1b 3c J"
_VERDICT, _BROKEN = ruling_pb2.VERDICT_JOKER_RETURN, ["joker.passed"]


class Misjudged(Exception):
    """The known question was not answered as the rulebook says."""


def answer_the_known(methods: Mapping[str, Method]) -> None:
    """Put the known question to Judge; raise Misjudged if the answer is not the known one."""
    asked = service_pb2.JudgeRequest(table=write_table(parse_table(_TABLE)), act=write_act(parse_act(_ACT)))
    try:
        body = methods["Judge"](asked.SerializeToString(), "").body
    except Refused as no:
        raise Misjudged(f"the known question was refused: {no.message}") from None
    ruling = service_pb2.JudgeResponse.FromString(body).ruling
    broken = [finding.rule for finding in ruling.broken]
    if (ruling.verdict, broken) != (_VERDICT, _BROKEN):
        verdict = ruling_pb2.Verdict.Name(ruling.verdict).removeprefix("VERDICT_")
        raise Misjudged(f"the known question got {verdict}, with {', '.join(broken) or 'nothing'} broken")
