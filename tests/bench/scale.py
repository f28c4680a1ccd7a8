"""What it costs to judge very much: from what was measured to cores, with the formulas.

`python -m tests.bench.scale [REPORT]` prints the part of deploy/scale.md that a report of `make bench` gives; without
one it takes measured.json, the report that the pages show.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from math import ceil
from pathlib import Path

from tests.bench.report import Report, read

MEASURED = Path(__file__).parent / "measured.json"
DAY = 86_400
HANDS = 100_000_000
PEAK = 3
"""How much more the busiest second asks than the mean one: an assumption."""
FILL = 0.6
"""How full a core may be, so that calls do not queue: an assumption."""
ARCHIVE = 1_000_000
CORES = (1, 8, 64)
PATHS = {
    "full us": "`Judge`, full answer",
    "ruling us": "`Judge`, ruling only",
    "batch us": "`JudgeBatch` of 1,000, full answers",
    "batch ruling us": "`JudgeBatch` of 1,000, ruling only",
    "replay us": "`Replay` of a whole hand",
}
"""What a ruling costs, in microseconds of a core, by the path it is asked on."""


def rulings_a_day(cost: float) -> float:
    """Return how many rulings one core gives in a day, all of it, at so many microseconds each."""
    return DAY * 1e6 / cost


def cores_for(hands: float, rulings: float, cost: float) -> int:
    """Return the cores for so many hands a day, of so many rulings each, at so many microseconds each."""
    return ceil(hands * rulings / DAY * PEAK * cost / 1e6 / FILL)


def seconds_for(games: float, rate: float, cores: int) -> float:
    """Return the seconds for so many games, at so many games per second and core."""
    return games / (rate * cores)


def page(found: Report) -> str:
    """Return the generated part of the page."""
    return "\n".join(_page({name: float(value["median"]) for name, value in found["values"].items()}, found))


def _page(values: dict[str, float], found: Report) -> Iterator[str]:
    acts = values["acts"] / values["games"]
    machine = found["machine"]
    yield f"Measured on {machine['processor']}, Python {found['versions']['python']}, commit {found['commit']}."
    yield ""
    yield f"A hand, from the deal to East's discard, has {acts:.1f} acts on the mean of the whole real games."
    yield ""
    yield "| a ruling on this path | µs of a core | rulings a day and core | cores for 100 million hands a day |"
    yield "| --- | --- | --- | --- |"
    for name, path in PATHS.items():
        cost = values[name]
        yield f"| {path} | {cost:.1f} | {_millions(rulings_a_day(cost))} | {cores_for(HANDS, acts, cost):,} |"
    yield ""
    yield f"100 million hands a day are {HANDS * acts / DAY:,.0f} rulings a second on the mean; one for each act."
    yield ""
    yield "| a million archived games | games a second and core | " + " | ".join(map(_cores, CORES)) + " |"
    yield "| --- | --- |" + " --- |" * len(CORES)
    for told, rate in (
        ("judged in process", values["games"]),
        ("read from text, and judged", values["archived"]),
        ("asked as `Replay`s of a server", 1e6 / (values["replay us"] * acts)),
    ):
        times = (_time(seconds_for(ARCHIVE, rate, cores)) for cores in CORES)
        yield f"| {told} | {rate:,.0f} | {' | '.join(times)} |"


def _cores(number: int) -> str:
    return "1 core" if number == 1 else f"{number} cores"


def _millions(number: float) -> str:
    return f"{number / 1e6:,.0f} million"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def main() -> int:
    """Print the part that a report gives."""
    about = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scale", description=about)
    parser.add_argument("report", type=Path, nargs="?", default=MEASURED)
    try:
        print(page(read(parser.parse_args().report)))
    except ValueError as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
