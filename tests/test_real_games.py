"""Games that other people's programs played, replayed: the same first fault, and the same racks where none is."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.judge import judge
from referee.notation import Claim, Game, parse_game, parse_tiles
from referee.ruling import Ruling, Verdict
from referee.stages import SEATS
from referee.table import Table

GAMES = Path(__file__).parent / "real" / "games"


def play(game: Game) -> tuple[list[tuple[int, Ruling]], Table]:
    """Replay a game up to its first act that is ILLEGAL or a MISDEAL; return its faults by line, and the last table."""
    table = Table()
    faults = []
    for line in game.lines:
        if isinstance(line.entry, Claim):
            continue
        ruling, table = judge(table, line.entry)
        if ruling.verdict is not Verdict.LEGAL:
            faults.append((line.number, ruling))
        if ruling.verdict in (Verdict.ILLEGAL, Verdict.MISDEAL):
            break
    return faults, table


def fault(line: int, ruling: Ruling) -> dict[str, Any]:
    """Write a fault as the export does."""
    return {"line": line, "verdict": ruling.verdict.name, "broken": sorted({f.rule for f in ruling.broken})}


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.charleston")), ids=lambda path: path.stem)
def test_a_real_game_replays_to_what_its_record_says(path: Path) -> None:
    """A real game replays to the first fault, end and stage that its record says, and to its racks if it agrees."""
    record = json.loads(path.with_suffix(".json").read_text())
    faults, table = play(parse_game(path.read_text()))
    ended = [(line, r) for line, r in faults if r.verdict in (Verdict.ILLEGAL, Verdict.MISDEAL)]

    assert record["first_fault"] == (fault(*faults[0]) if faults else None)
    assert record["replay_ends"] == (fault(*ended[0]) if ended else None)
    assert record["replay_stage"] == table.stage.name
    if record["expected"] == "agrees":
        racks = {seat: Counter(parse_tiles(tiles)) for seat, tiles in record["final_racks"].items()}
        assert racks == {seat.name: Counter(table.place(seat).rack) for seat in SEATS}
