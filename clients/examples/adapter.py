"""Write a studio's own log, an event a line as JSON, in the notation that `charleston check` reads.

    python clients/examples/adapter.py clients/examples/events.jsonl | charleston check -

It is a model for an adapter of your own: nothing here needs the referee, only its notation.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

SEATS = {"E": "EAST", "S": "SOUTH", "W": "WEST", "N": "NORTH"}
STEPS = {
    "R1": "FIRST_RIGHT",
    "A1": "FIRST_ACROSS",
    "L1": "FIRST_LEFT",
    "L2": "SECOND_LEFT",
    "A2": "SECOND_ACROSS",
    "R2": "SECOND_RIGHT",
}
HONOURS = {"WE": "E", "WS": "S", "WW": "W", "WN": "N", "DR": "R", "DG": "G", "DW": "O", "FL": "F", "JK": "J"}


def tiles(faces: Iterable[str]) -> str:
    """Write B1 as 1b, DW as O."""
    return " ".join(HONOURS.get(face) or f"{face[1]}{face[0].lower()}" for face in faces)


def lines(event: dict[str, Any]) -> Iterator[str]:
    """Write what one event did; what the Charleston does not know, such as chat, is nothing."""
    seat = SEATS.get(event.get("player", ""))
    match event["type"]:
        case "dealt":
            yield "deal " + " / ".join(f"{SEATS[each]} {tiles(rack)}" for each, rack in event["racks"].items())
        case "passed":
            blind = f" blind {event['blind']}" if event.get("blind") else ""
            yield f"{seat} passes {tiles(event['tiles'])}{blind} at {STEPS.get(event.get('step', ''), 'COURTESY')}"
        case "revealed":
            yield "everyone looks"
            yield from (f"{SEATS[each]} holds {tiles(rack)}" for each, rack in event["racks"].items())
        case "stopped":
            yield f"{seat} stops"
        case "offered":
            yield f"{seat} offers {event['count']}"
        case "discarded":
            yield f"{seat} discards {tiles([event['tile']])}"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as log:
        for event in map(json.loads, log):
            for line in lines(event):
                print(line)
