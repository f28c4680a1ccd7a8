"""`make fuzz`: look for input that breaks the referee, and say how much was tried and what broke.

The parsers and the methods run under atheris, a real server under hypothesis, for the same time each. What breaks is
left in build/fuzz/, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.targets import TARGETS, begin

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzz"
# Longer inputs are slower to try and reach nothing else.
LONGEST = {"notation": 1024}
# A hang or a leak is a crash; a machine with much else to do is neither.
LIMITS = ("-timeout=60", "-rss_limit_mb=2048", "-print_final_stats=1")


class Tried(NamedTuple):
    """What came of one target: inputs tried, and where the one that broke it is, if any."""

    target: str
    inputs: int
    broke: str


def guided(target: str, seconds: int) -> Tried:
    """Fuzz a target under atheris."""
    folder = BUILD / target
    known = folder / "inputs"
    known.mkdir(parents=True, exist_ok=True)
    for data in begin(target):
        (known / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    options = [
        *LIMITS,
        f"-max_len={LONGEST.get(target, 4096)}",
        f"-max_total_time={seconds}",
        f"-artifact_prefix={folder}/",
    ]
    said = _run("tests.fuzz.guided", target, *options, str(known))
    inputs = re.search(r"number_of_executed_units:\s*(\d+)", said.stderr)
    left = re.search(r"Test unit written to (\S+)", said.stderr)
    broke = "" if said.returncode == 0 else left[1] if left else f"status {said.returncode}"
    if broke:
        print(said.stdout[-2000:], said.stderr[-4000:], file=sys.stderr)
    return Tried(target, int(inputs[1]) if inputs else 0, broke)


def wire(seconds: int) -> Tried:
    """Fuzz a real server under hypothesis."""
    said = _run("tests.fuzz.wire", str(seconds))
    if said.returncode:
        print(said.stdout[-2000:], said.stderr[-6000:], file=sys.stderr)
        return Tried("wire", 0, "shown above")
    return Tried("wire", int(said.stdout), "")


def _run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, cwd=ROOT)


def main() -> int:
    """Fuzz everything, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=60, help="how long to look, in all")
    each = max(5, parser.parse_args().seconds // (len(TARGETS) + 1))
    broken = 0
    for target in (*TARGETS, "wire"):
        tried = wire(each) if target == "wire" else guided(target, each)
        broken += bool(tried.broke)
        print(f"{target:9} {tried.inputs:>12,} inputs, {tried.broke or 'no crash'}", flush=True)
    print(f"crashes: {broken}")
    return min(broken, 1)


if __name__ == "__main__":
    sys.exit(main())
