"""Games to check: a lawful one, one with a Joker passed, one whose log claims what is not so, and transitions."""

from __future__ import annotations

import json
from pathlib import Path

from google.protobuf import json_format

from charleston.referee.v1 import service_pb2
from referee.codec import write_act, write_table
from referee.notation import parse_game

ROOT = Path(__file__).parents[3]
GAMES = ROOT / "tests" / "real" / "games"
LAWFUL = (GAMES / "001.charleston").read_text()
JOKER = (ROOT / "clients" / "examples" / "hand.charleston").read_text()
"""Line 11 passes a Joker, and line 12 looks before the tiles have moved."""
DEAL = next(line for line in LAWFUL.splitlines() if line.startswith("deal"))
CLAIMS = f"""# what the log of a program says
{DEAL}
SOUTH passes 7c 6b 7b
EAST passes 8c 4b R
NORTH passes 7b 3d 9c
WEST passes 3c O 1b
everyone looks
EAST holds 7c E 9b 6c 8b 6c 2b 7b 2b 2c G 7b 3d 9c
SOUTH holds 1d W R 5c 7c F 3c 8b W 1c 1b O R
WEST holds 2d 3b J 8d 9d 1c F 9b E 6d 7c 6b 7b
NORTH holds 2d 3d 9d 8d 5b 1c 4d J 3d G 3c O
"""
"""South has got 8c and 4b, and its log says 1b and O; of North's rack the log leaves out the 1b."""


def replay(text: str) -> str:
    """Write a game as a ReplayRequest, on one line."""
    game = parse_game(text)
    request = service_pb2.ReplayRequest(acts=map(write_act, game.acts))
    return json_format.MessageToJson(request, indent=None)


def transition(stage: str = "") -> str:
    """Write a JudgeTransitionRequest from a dealt table to the same, but for a stage, on one line."""
    table = write_table(parse_game("table at FIRST_RIGHT\n" + _racks()).start)
    request = service_pb2.JudgeTransitionRequest(before=table, after=table)
    data = json_format.MessageToDict(request)
    if stage:
        data["after"]["stage"] = f"STAGE_{stage}"
    return json.dumps(data)


def _racks() -> str:
    return "\n".join(part.strip().replace(" ", " rack ", 1) for part in DEAL.removeprefix("deal ").split("/"))
