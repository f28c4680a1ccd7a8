"""Sentences about transitions: what speaks against one table's coming of another, as the log of a build needs it."""

from __future__ import annotations

from referee.differences import Difference, DifferenceKind
from referee.phrases import Phrases
from referee.ruling import Verdict
from referee.stages import DIRECTIONS
from referee.table import Table
from referee.transition import Transition


def difference_said(phrases: Phrases, before: Table, difference: Difference) -> str:
    """Say one difference, as one sentence."""
    expected, actual = difference.expected, difference.actual
    facts: dict[str, object] = {
        "path": difference.path,
        "seat": difference.seat,
        "expected": expected,
        "actual": actual,
    }
    key = difference.kind.name.lower()
    match difference.kind:
        case DifferenceKind.STAGE:
            key += ".order" if difference.rule else ".acts"
        case DifferenceKind.COUNT:
            key += f".{difference.path.partition('.')[0]}"
        case DifferenceKind.TILES if isinstance(expected, int):
            key += ".changed"
        case DifferenceKind.TILES:
            key += ".faces" if isinstance(actual, str) else ".lost"
        case DifferenceKind.FLOW if difference.seat is None:
            key += ".none"
        case DifferenceKind.FLOW if isinstance(expected, int):
            key += ".left"
        case DifferenceKind.FLOW if not (expected and actual):
            key += ".short" if expected else ".over"
        case DifferenceKind.FLOW if difference.went:
            key += ".went"
            facts["went"] = _way(phrases, difference.went.name)
            facts["direction"] = _way(phrases, DIRECTIONS[before.stage].name)
        case DifferenceKind.FLOW:
            key += ".wrong"
        case DifferenceKind.FIELD:
            key += ".place" if difference.seat else ".table"
    return phrases.sentence(f"differences.{key}", facts)


def transition_said(phrases: Phrases, before: Table, after: Table, judged: Transition, refusal: str) -> str:
    """Sum up a transition, with the message of the ruling that refused an act if one did."""
    facts: dict[str, object] = {"before": before.stage, "after": after.stage}
    said = [phrases.sentence(f"transitions.{_outcome(judged)}", facts)]
    said += [difference_said(phrases, before, difference) for difference in judged.differences]
    if refusal:
        said.append(phrases.sentence("transitions.refused", {"number": len(judged.judgements)}))
        said.append(refusal)
    return " ".join(said)


def _outcome(judged: Transition) -> str:
    match judged.verdict:
        case Verdict.LEGAL:
            return "lawful"
        case Verdict.UNDECIDED:
            return "undecided"
        case _:
            return "unlawful"


def _way(phrases: Phrases, direction: str) -> str:
    return phrases.sentence(f"differences.ways.{direction}", {}).rstrip(".").lower()
