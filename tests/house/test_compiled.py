"""What `make compiled` made beside the sources is what the sources say, or is not there."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]


def modules() -> list[Path]:
    """Return the sources of the modules that a compiled wheel has compiled."""
    return [ROOT / module for module in HOOK["modules"]]


def test_nothing_compiled_is_older_than_its_source() -> None:
    """A module that changed after it was compiled would be tested as it was before."""
    old = [
        str(source.relative_to(ROOT))
        for source in (ROOT / "referee").rglob("*.py")
        for built in source.parent.glob(f"{source.stem}.*.so")
        if built.stat().st_mtime < source.stat().st_mtime
    ]

    assert [] == old, "run `make compiled`, or `make interpreted` to be rid of what was compiled"


def test_modules_that_are_compiled_are_there() -> None:
    """A module that was moved or renamed would be left out of a compiled wheel, or break its build."""
    missing = [str(source.relative_to(ROOT)) for source in modules() if not source.is_file()]

    assert [] == missing
    assert len(modules()) == len(set(modules()))


def test_articles_are_left_interpreted() -> None:
    """An article is the docstring of its function, and a compiled function keeps none."""
    assert [] == [source.name for source in modules() if source.parent.name == "rulebook"]


def test_all_compile_with_the_same() -> None:
    """What the hook asks for has the same pins where the image is built and where `make compiled` runs."""
    image = (ROOT / "deploy" / "image" / "build.in").read_text(encoding="utf-8").splitlines()
    here = PROJECT["project"]["optional-dependencies"]["dev"]

    assert [] == [pin for pin in HOOK["dependencies"] if pin not in image or pin not in here]
