"""`make bench`: measure every bar, print one table, and write it as JSON and as a picture.

It ends with status 0 whatever bars are missed, and with 1 if an answer was wrong or a call failed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import checking, serving
from tests.bench.groups import GROUPS, Found, Plan
from tests.bench.h2load import Wrong
from tests.bench.machine import described, versions
from tests.bench.picture import picture
from tests.bench.report import report, text
from tests.bench.rounds import QUIET

QUICK = {"rounds": 2, "seconds": 1.5, "calls": 50_000}


def main() -> int:
    """Measure, tell and write."""
    told = arguments().parse_args()
    serving.told_to_end()
    plan = Plan(quiet=told.quiet, tell=lambda line: print(line, file=sys.stderr, flush=True))
    for name, value in QUICK.items() if told.quick else ():
        setattr(plan, name, value)
    found, checked = Found(), 0
    try:
        known = versions()
    except FileNotFoundError:
        print("h2load is missing: it comes with nghttp2-client.", file=sys.stderr)
        return 1
    try:
        checked = _checked(plan)
        for group in GROUPS:
            if not told.only or group.__name__ in told.only:
                more = group(plan)
                found.rows |= more.rows
                found.costs |= more.costs
                found.own |= more.own
                found.values |= more.values
    except Wrong as wrong:
        print(f"Wrong: {wrong}", file=sys.stderr)
        return 1
    about = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": _said("git", "describe", "--always", "--dirty"),
        "machine": described(),
        "versions": known,
        "rounds": plan.rounds,
        "seconds": plan.seconds,
        "quiet": plan.quiet,
        "checked": checked,
        "calls": plan.calls,
    }
    made = report(about, found.rows, found.costs, found.own, found.values)
    told.out.parent.mkdir(parents=True, exist_ok=True)
    told.out.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    told.out.with_suffix(".svg").write_text(picture(made), encoding="utf-8")
    print(text(made))
    print(f"\nWritten: {told.out} and {told.out.with_suffix('.svg').name}")
    return 0


def arguments() -> argparse.ArgumentParser:
    """Return what can be told on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a short look: fewer and shorter rounds, fewer calls")
    parser.add_argument("--quiet", type=float, default=QUIET, help="cores others may take in a round that counts")
    parser.add_argument("--only", nargs="*", choices=[group.__name__ for group in GROUPS], help="only these groups")
    parser.add_argument("--out", type=Path, default=serving.BUILD / "bench.json", help="where the JSON goes")
    return parser


def _checked(plan: Plan) -> int:
    """Compare every answer, of one process and of two; return how many."""
    calls, compared = list(checking.everything()), 0
    for workers in (1, 2):
        with serving.referee(workers) as server:
            asked, seconds = checking.check(server, calls)
            compared += asked
            plan.tell(f"{asked:,} answers of {workers} workers are right, {asked / seconds:,.0f} calls a second")
    return compared


def _said(*command: str) -> str:
    run: Sequence[str] = command
    return subprocess.run(run, capture_output=True, text=True, check=False, cwd=serving.ROOT).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
