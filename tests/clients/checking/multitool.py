"""`make test-sarif`: what `charleston check --sarif` writes, before the validator of those who wrote the format.

The validator comes from npm into build/sarif. It leaves with 0 whatever it finds, so what it has found is read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from charleston.__main__ import main
from tests.clients.checking.samples import CLAIMS, ROOT

PACKAGE = "@microsoft/sarif-multitool-linux"
VERSION = "5.7.0"
HOME = ROOT / "build" / "sarif"
TOOL = HOME / "node_modules" / PACKAGE / "Sarif.Multitool"
BROKEN = '{"version": "2.1.0", "runs": [{"tool": {}, "results": [{"message": 3}]}]}'


def installed() -> Path:
    """Install the validator if it is not there, and return it."""
    known = TOOL.parent / "package.json"
    if not known.exists() or json.loads(known.read_text())["version"] != VERSION:
        HOME.mkdir(parents=True, exist_ok=True)
        quiet = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error")
        subprocess.run(["npm", "install", *quiet, "--prefix", HOME, f"{PACKAGE}@{VERSION}"], check=True)
    TOOL.chmod(0o755)
    return TOOL


def errors(tool: Path, sarif: Path) -> Iterator[str]:
    """Yield what the validator finds wrong with a file, warnings left out."""
    report = sarif.with_suffix(".found")
    subprocess.run(
        [tool, "validate", sarif, "--output", report, "--log", "ForceOverwrite", "--quiet"],
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        check=True,
    )
    for result in json.loads(report.read_text(encoding="utf-8-sig"))["runs"][0].get("results", ()):
        if result.get("level") == "error":
            yield json.dumps(result)


def written() -> Iterator[Path]:
    """Write SARIF: of what is lawful, of all kinds of faults, and with known ones."""
    real = ROOT / "tests" / "real"
    (HOME / "claims.charleston").write_text(CLAIMS)
    (HOME / "é 1%.charleston").write_text("nothing")
    everything = str(real / "games" / "*.charleston"), str(real / "ends.jsonl"), str(real / "transitions.jsonl")
    for name, status, arguments in (
        ("lawful", 0, [str(real / "games" / "001.charleston")]),
        ("faults", 2, [*everything, str(HOME / "claims.charleston"), str(HOME / "é 1%.charleston")]),
        ("known", 0, [*everything, "--expected", str(real / "expected.toml")]),
    ):
        path = HOME / f"{name}.sarif"
        with redirect_stdout(StringIO()):
            ended = main(["check", *arguments, "--sarif", str(path), "--json", os.devnull])
        assert status == ended, f"{name}: the check ends with {ended}"
        yield path


if __name__ == "__main__":
    tool = installed()
    broken = HOME / "broken.sarif"
    broken.write_text(BROKEN)
    if not list(errors(tool, broken)):
        sys.exit("the validator passes a file that is wrong: what it says of others is worth nothing")
    os.chdir(ROOT)
    found = [f"{path.name}: {error}" for path in written() for error in errors(tool, path)]
    print("\n".join(found) or "SARIF: nothing is wrong with it")
    sys.exit(bool(found))
