"""Print what this implementation reads in many texts, a line of JSON each, for others to be held to.

The texts are the acts and tables of the corpus, the real games, games made at random, and such games with a few letters
wrong. A line has the text, and either what was read and how that is printed, or the problems.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charleston.conformance.cases import load
from referee.codec import write_act, write_table
from referee.notation import Claim, Game, Line, NotationError, formatted, game_text, parse_game, table_text, tiles_text
from referee.stages import SEATS
from tests.laws.acting import acts_on_the_wire
from tests.laws.tables import tables
from tests.test_notation import odd_tables, tiles

REAL = Path(__file__).parents[1] / "real" / "games"
LETTERS = "1bcdEJ?*39/|#,:; \t\n\r\x1c\u2028 east south hold passes blind of at to deal rack out ·東é\u0301🀄\ufeff"


def corpus() -> Iterator[str]:
    """Yield the acts of the corpus, each case as a game that begins with its table."""
    for case in load():
        if not case.acts:
            continue
        yield "\n".join(case.acts)
        try:
            yield f"{table_text(case.table())}\n" + "\n".join(case.acts)
        except NotationError:
            yield f"house {' '.join(case.house)}"


def at_random() -> list[str]:
    """Make games at random, the same ones each time, and with each one some that have letters wrong."""
    made: list[str] = []
    claims = st.builds(Claim, st.sampled_from(SEATS), tiles)
    lines = st.lists(st.one_of(acts_on_the_wire(), claims), max_size=6)

    @settings(derandomize=True, deadline=None, database=None, max_examples=250, suppress_health_check=list(HealthCheck))
    @given(lines, st.one_of(st.none(), tables(), odd_tables()), st.data())
    def make(entries: list[Any], table: Any, data: st.DataObject) -> None:
        text = game_text(Game(tuple(map(Line, entries)), table))
        made.append(text)
        wrong = list(text)
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(wrong) - 1)) if wrong else 0
            wrong[at : at + data.draw(st.integers(0, 2))] = data.draw(st.text(LETTERS, max_size=2))
        made.append("".join(wrong))
        made.append(data.draw(st.text(LETTERS, max_size=40)))

    make()
    return made


def read(text: str) -> dict[str, Any]:
    """Return what is read in a text."""
    try:
        game = parse_game(text)
    except NotationError as wrong:
        return {"text": text, "problems": [problem._asdict() for problem in wrong.problems]}
    return {
        "text": text,
        "start": json_format.MessageToDict(write_table(game.start)),
        "lines": [{"number": line.number, **_entry(line.entry)} for line in game.lines],
        "printed": game_text(game),
        "form": formatted(text),
    }


def _entry(entry: Any) -> dict[str, Any]:
    if isinstance(entry, Claim):
        return {"claim": f"{entry.seat.name} holds {tiles_text(entry.tiles)}".strip()}
    return {"act": json_format.MessageToDict(write_act(entry))}


def main() -> None:
    """Print a line for each text."""
    games = [path.read_text(encoding="utf-8") for path in sorted(REAL.glob("*.charleston"))]
    for text in [*corpus(), *games, *at_random()]:
        print(json.dumps(read(text)))


if __name__ == "__main__":
    main()
