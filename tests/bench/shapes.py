"""`make bench-shapes`: the whole service on four shapes of server, side by side in one run.

Each is measured against one bare asyncio echo: unary calls, batches, streams, and waits beside batches.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench import latency, rounds, serving
from tests.bench.h2load import Wrong
from tests.bench.loads import Load
from tests.bench.machine import Others, described, versions
from tests.bench.questions import FULL, batch, stream, unary
from tests.bench.rounds import QUIET, Round, Spread
from tests.bench.serving import Server

SHAPES: Mapping[str, Callable[[], AbstractContextManager[Server]]] = {
    "asyncio": partial(serving.started, "asyncio", ["-m", "tests.bench.asynchronous", "asyncio"]),
    "asyncio with uvloop": partial(serving.started, "uvloop", ["-m", "tests.bench.asynchronous", "uvloop"]),
    "1 worker, pinned": partial(serving.referee, 1),
    "2 workers, pinned": partial(serving.referee, 2),
}
HEAD = ["shape", "unary / echo", "CPU µs a call", "batches / echo", "8 streams / echo", "p99 beside batches, ms"]


def measured(rounds_wanted: int, seconds: float, quiet: float) -> tuple[list[Round], int]:
    """Measure every shape, in rounds."""
    mix, batches, streams = unary(FULL), batch(FULL), stream()
    with ExitStack() as stack:
        echo = stack.enter_context(serving.echo("asyncio"))
        load = Load(echo, "Judge", mix, clients=32, streams=2, seconds=seconds)
        things: dict[str, Callable[[], Mapping[str, float]]] = {"echo": partial(load.measured, "echo")}
        for name, serve in SHAPES.items():
            server = stack.enter_context(serve())
            for what, method, asked, clients in (
                ("unary", "Judge", mix, 32),
                ("batch", "JudgeBatch", [batches], 16),
                ("streams", "JudgeStream", [streams], 8),
            ):
                load = Load(server, method, asked, clients=clients, streams=2 if clients == 32 else 1, seconds=seconds)
                things[f"{name} {what}"] = partial(load.measured, f"{name} {what}")
            things[f"{name} p99"] = partial(latency.beside, server, mix, batches, seconds, f"{name} p99")
        return rounds.measure(things, rounds_wanted, lambda: Others().cores, quiet=quiet, tell=_tell)


def cells(found: Mapping[str, Any]) -> list[list[str]]:
    """Return what was found as a table without its head, a shape a row."""
    return [[shape, *(str(Spread(**found["shapes"][shape][what])) for what in HEAD[1:])] for shape in found["shapes"]]


def main() -> int:
    """Measure, tell, and write the JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.shapes", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--quick", action="store_true", help="a short look: fewer and shorter rounds")
    parser.add_argument("--quiet", type=float, default=QUIET, help="cores others may take in a round that counts")
    parser.add_argument("--out", type=Path, default=serving.BUILD / "shapes.json", help="where the JSON goes")
    told = parser.parse_args()
    serving.told_to_end()
    try:
        kept, loud = measured(2 if told.quick else 5, 1.5 if told.quick else 3.0, told.quiet)
    except Wrong as wrong:
        print(f"Wrong: {wrong}", file=sys.stderr)
        return 1
    found: dict[str, Any] = {"machine": described(), "versions": versions(), "shapes": {}}
    for name in SHAPES:
        spreads = [
            rounds.ratio(kept, loud, f"{name} unary", "echo"),
            rounds.value(kept, loud, f"{name} unary us"),
            rounds.ratio(kept, loud, f"{name} batch", "echo"),
            rounds.ratio(kept, loud, f"{name} streams", "echo"),
            rounds.value(kept, loud, f"{name} p99"),
        ]
        found["shapes"][name] = {what: asdict(each) for what, each in zip(HEAD[1:], spreads, strict=True)}
    told.out.parent.mkdir(parents=True, exist_ok=True)
    told.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for row in [HEAD, *cells(found)]:
        print("  ".join(cell.ljust(24) for cell in row).rstrip())
    if loud:
        print(f"* {loud} of the rounds were loud: measure again on a quiet machine.")
    return 0


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
