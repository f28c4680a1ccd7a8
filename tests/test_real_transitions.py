"""Tables that other people's programs held before and after: what is lawful, and what is wrong with what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.differences import DifferenceKind
from referee.notation import parse_act, parse_tiles
from referee.ruling import Verdict
from referee.stages import NOT_DEALT, Stage
from referee.table import Place, Table
from referee.transition import transition

PAIRS = Path(__file__).parent / "real" / "transitions"
KINDS = {
    "count before": DifferenceKind.COUNT,
    "count after": DifferenceKind.COUNT,
    "conservation": DifferenceKind.TILES,
    "too much changed": DifferenceKind.TILES,
    "edge": DifferenceKind.STAGE,
    "jokers": DifferenceKind.JOKER,
    "flow": DifferenceKind.FLOW,
}


def table(record: dict[str, Any]) -> Table:
    """Lay a table of an export; a stage that it does not specify reads UNDEALT."""
    stage = Stage.UNDEALT if record["stage"] == "UNSPECIFIED" else Stage[record["stage"]]
    east, south, west, north = (Place(rack=parse_tiles(rack)) for rack in record["racks"].values())
    return Table(stage, (east, south, west, north)).tidied()


@pytest.mark.parametrize("path", sorted(PAIRS.glob("*.json")), ids=lambda path: path.stem)
@pytest.mark.parametrize("with_acts", [True, False], ids=["with-acts", "without"])
def test_a_real_pair_is_judged_as_its_record_says(path: Path, with_acts: bool) -> None:
    """A lawful pair is LEGAL, or UNDECIDED over several stages without acts; of an unlawful one the kinds are named."""
    record = json.loads(path.read_text())
    before, after = table(record["before"]), table(record["after"])
    acts = [parse_act(act) for act in record["acts"]] if with_acts and record.get("acts") else None
    judged = transition(before, after, acts)
    kinds = {difference.kind for difference in judged.differences}

    if record["lawful"]:
        several = after.stage - before.stage > 1 and before.stage not in NOT_DEALT
        allowed = {Verdict.LEGAL, Verdict.UNDECIDED} if several and acts is None else {Verdict.LEGAL}
        assert judged.verdict in allowed
        assert set() == kinds
    else:
        assert (Verdict.MISDEAL if DifferenceKind.COUNT in kinds else Verdict.ILLEGAL) is judged.verdict
        assert {KINDS[check] for check in record["checks_failed"]} == kinds
