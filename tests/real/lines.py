"""The records of real tables and games as questions of JudgeTransition, one a line, as `charleston check` reads them.

`python -m tests.real.lines` writes them anew. A pair of tables stands on the line of its number; of the games there are
those that no act convicts though the program was wrong: their acts, and what the program ended with.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.notation import parse_act, parse_game, parse_tiles
from referee.stages import Stage
from referee.table import Place, Table

REAL = Path(__file__).parent
FILES = ("transitions.jsonl", "ends.jsonl")


def written(file: str) -> str:
    """Return what a file has to hold."""
    requests = _transitions() if file == FILES[0] else _ends()
    return "".join(json_format.MessageToJson(request, indent=None) + "\n" for request in requests)


def _transitions() -> Iterator[service_pb2.JudgeTransitionRequest]:
    for path in sorted((REAL / "transitions").glob("*.json")):
        record = json.loads(path.read_text())
        acts = record.get("acts")
        yield service_pb2.JudgeTransitionRequest(
            before=_table(record["before"]["stage"], record["before"]["racks"]),
            after=_table(record["after"]["stage"], record["after"]["racks"]),
            acts=service_pb2.Acts(acts=[write_act(parse_act(act)) for act in acts]) if acts else None,
        )


def _ends() -> Iterator[service_pb2.JudgeTransitionRequest]:
    for path in sorted((REAL / "games").glob("*.json")):
        record = json.loads(path.read_text())
        if record["expected"] == "agrees" or record["replay_ends"]:
            continue
        game = parse_game(path.with_suffix(".charleston").read_text())
        yield service_pb2.JudgeTransitionRequest(
            before=write_table(game.start),
            after=_table(record["program_stage"], record["final_racks"]),
            acts=service_pb2.Acts(acts=map(write_act, game.acts)),
        )


def _table(stage: str, racks: dict[str, Any]) -> table_pb2.Table:
    east, south, west, north = (Place(rack=parse_tiles(rack)) for rack in racks.values())
    known = Stage.UNDEALT if stage == "UNSPECIFIED" else Stage[stage]
    return write_table(Table(known, (east, south, west, north)).tidied())


if __name__ == "__main__":
    for name in FILES:
        (REAL / name).write_text(written(name))
