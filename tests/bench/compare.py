"""`make bench-compare A=… B=…`: two reports side by side, and which differences are more than chance."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.bench.bars import BARS
from tests.bench.report import Report, read, row
from tests.bench.rounds import Spread

HEAD = ["path", "A", "B", "B / A", ""]


def change(a: Spread, b: Spread, *, least: bool) -> str:
    """Say how B differs from A: "better" or "worse" only where their ranges do not meet, else "within the noise"."""
    if a.least <= b.most and b.least <= a.most:
        return "within the noise"
    return "better" if (b.median < a.median) is least else "worse"


def table(a: Report, b: Report) -> list[list[str]]:
    """Return the comparison, row by row; a row that only one of them has says so."""
    made = [HEAD]
    for bar in BARS:
        made.append([bar.path, *_side_by_side(row(a, bar.id), row(b, bar.id), least=bar.least)])
        if bar.echo:
            own = _side_by_side(row(a, bar.id, "own_echo"), row(b, bar.id, "own_echo"), least=bar.least)
            made.append(["… over its own echo", *own])
    return made


def _side_by_side(left: Spread | None, right: Spread | None, *, least: bool) -> list[str]:
    if left and right:
        told = [f"{right.median / left.median:.2f}", change(left, right, least=least)]
    else:
        told = ["", "not measured in both"]
    return [str(left or ""), str(right or ""), *told]


def differences(a: Report, b: Report) -> list[str]:
    """Return what differs of the two machines and versions: a comparison of unlike things says so."""
    told = []
    for part in ("machine", "versions"):
        for name in sorted(a[part].keys() | b[part].keys()):
            left, right = a[part].get(name, "none"), b[part].get(name, "none")
            if left != right:
                told.append(f"{name}: {left} in A, {right} in B")
    return told


def main() -> int:
    """Compare the two files that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.compare", description=(__doc__ or "").strip())
    parser.add_argument("a", type=Path)
    parser.add_argument("b", type=Path)
    told = parser.parse_args()
    try:
        a, b = read(told.a), read(told.b)
    except ValueError as why:
        print(why, file=sys.stderr)
        return 1
    made = table(a, b)
    widths = [max(map(len, column)) for column in zip(*made, strict=True)]
    for each in made:
        print("  ".join(cell.ljust(width) for cell, width in zip(each, widths, strict=True)).rstrip())
    for line in differences(a, b):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
