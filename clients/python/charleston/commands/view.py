"""`charleston view`: the last table of a game as one seat, or a bystander, may see it."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace

from google.protobuf import json_format

from charleston.asking import Referee
from charleston.commands.next import opened
from charleston.commands.question import read_game, refused
from charleston.errors import RefereeError
from charleston.paint import Paint
from charleston.picture import picture
from charleston.referee.v1 import ruling_pb2, service_pb2
from referee.notation import Claim

VIEWERS = tuple(name.removeprefix("VIEWER_") for name in ruling_pb2.Viewer.keys()[2:])
"""Who may look, apart from the referee, who sees everything."""


def run(told: Namespace, door: Referee) -> int:
    """Replay a game and show what a viewer may know of its end; return 1 if an illegal act ended it before."""
    game = read_game(told.game, told.house)
    asked = service_pb2.ReplayRequest()
    asked.CopyFrom(game.asked)
    entries = tuple(entry for entry in game.entries if not isinstance(entry.what, Claim))
    asked.acts.extend(entry.what for entry in entries if not isinstance(entry.what, Claim))
    asked.options.views, asked.options.ruling_only = True, False
    try:
        answer = door.replay(asked)
    except RefereeError as error:
        raise refused(game.name, error, entries) from None
    (seen,) = (view for view in answer.views if view.viewer == ruling_pb2.Viewer.Value(f"VIEWER_{told.seat}"))
    last = answer.rulings[-1]
    stopped = last.verdict == ruling_pb2.VERDICT_ILLEGAL
    if told.json:
        print(json_format.MessageToJson(seen))
    else:
        paint = Paint.on(sys.stdout)
        lines = [picture(seen.table, paint), *opened(seen.next, paint)]
        if stopped:  # its message is for whoever tried the act, who may be somebody else
            entry = entries[len(answer.rulings) - 1]
            place = f"line {entry.line}" if entry.line else f"act {len(answer.rulings)}"
            broken = ", ".join(dict.fromkeys(finding.rule for finding in last.broken))
            lines += ["", textwrap.fill(f"The game ends at {place}, which is not lawful ({broken}).", 96)]
        print("\n".join(lines))
    return 1 if stopped else 0
