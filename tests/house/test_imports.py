"""Imports point one way: the core knows the standard library only, and nobody knows what is built on top of it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A module of referee/ imports from rows above its own only, and within a row nobody imports another.
CORE = [
    ["tiles"],
    ["house", "shape", "stages"],
    ["counts", "place"],
    ["table"],
    ["acts"],
    ["ruling", "ring", "view"],
    ["faults", "rulebook.article"],
    ["rulebook.*"],
    ["play", "next", "unreachable"],
    ["precedents"],
    ["rulebook"],
    ["judge", "flow", "notation.words"],
    ["differences"],
    ["midway", "passage"],
    ["transition"],
    ["notation.game", "notation.reading"],
    ["notation.excerpt", "notation.printing", "notation.parsing"],
    ["notation.formatting"],
    ["notation"],
    ["ids", "phrases.template", "phrases.deeds"],
    ["phrases"],
    ["phrases.transitions"],
]
SHELL = [
    ["codec.malformed", "codec.asked", "codec.wire"],
    ["codec.fields", "codec.tables", "codec.rulings"],
    ["codec.reading", "codec.standings", "codec.writing"],
    ["codec.usual"],
    ["codec.usual_acts"],
    ["codec.usual_requests"],
    ["codec.requests"],
    ["codec"],
    ["service.reply", "service.turns"],
    ["service.answering"],
    ["service.many", "service.transitions"],
    ["service.known"],
    ["service"],
    ["bugs", "heap", "signals", "readers"],
    ["cpus"],
    ["settings"],
    ["ending", "files", "log", "meters", "polled", "ports", "probe", "workers"],
    ["heard", "metrics", "spans", "streams", "tls", "tokens"],
    ["callers", "calls", "journal"],
    ["exposition"],
    ["health", "observe", "reflection"],
    ["processes", "server"],
    ["worker"],
    ["__main__"],
]
SERVING = {name for names in SHELL[SHELL.index(["service"]) + 1 :] for name in names} - {"__main__"}


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports, wherever in it, and what it takes from packages."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} has a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules() -> dict[str, Path]:
    """Return the modules of referee/ by their names inside it."""
    paths = sorted((ROOT / "referee").rglob("*.py"))
    names = (".".join(path.relative_to(ROOT / "referee").with_suffix("").parts) for path in paths)
    found = dict(zip((name.removesuffix("__init__").removesuffix(".") for name in names), paths, strict=True))
    return {name: path for name, path in found.items() if name}


def row(name: str) -> int:
    """Return the row of a module; a row may name all modules of a package."""
    rows = CORE + SHELL
    exact = [index for index, names in enumerate(rows) if name in names]
    whole = [index for index, names in enumerate(rows) if f"{name.rpartition('.')[0]}.*" in names]
    return (exact or whole)[0]


@pytest.mark.parametrize("name", modules())
def test_a_module_imports_only_from_rows_above_its_own(name: str) -> None:
    """A module of referee/ imports only from rows above its own."""
    known = modules()
    inside = {target.removeprefix("referee.") for target in imported(known[name]) if target.startswith("referee.")}

    assert [] == sorted(target for target in inside & set(known) - {name} if row(target) >= row(name))


@pytest.mark.parametrize("name", [name for name in modules() if row(name) < len(CORE)])
def test_the_core_imports_the_standard_library_only(name: str) -> None:
    """The core imports the standard library and itself only."""
    outside = {target.partition(".")[0] for target in imported(modules()[name])} - {"referee"}

    assert set() == outside - sys.stdlib_module_names


def test_only_the_codec_and_the_service_know_the_messages() -> None:
    """Only the codec and the service know the generated messages."""
    knowing = {name for name, path in modules().items() if any(t.startswith("charleston") for t in imported(path))}

    assert {"codec", "service"} == {name.partition(".")[0] for name in knowing}


def test_only_what_serves_knows_the_shape_of_the_server() -> None:
    """Only what serves imports grpc, and only the log knows how lines are written."""
    knowing = {name for name, path in modules().items() if {"grpc", "structlog.dev"} & set(imported(path))}

    assert knowing <= SERVING
    assert {"log"} == {name for name, path in modules().items() if {"structlog.dev", "orjson"} & set(imported(path))}


CLIENT = ROOT / "clients" / "python" / "charleston"
COMMAND = {"__main__.py", "commands", "conformance", "embedded.py", "notation.py", "picture.py"}


@pytest.mark.parametrize("path", sorted(CLIENT.rglob("*.py")), ids=lambda path: str(path.relative_to(CLIENT)))
def test_the_client_library_imports_the_generated_code_only(path: Path) -> None:
    """The client library never imports the referee; the command, notation, and the embedded face may, and no server."""
    targets = set(imported(path))
    if path.relative_to(CLIENT).parts[0] in COMMAND:
        assert set() == {f"referee.{name}" for name in SERVING} & targets
    else:
        assert set() == {target for target in targets if target.partition(".")[0] == "referee"}
        inside = {target.split(".")[1] for target in targets if target.startswith("charleston.")}
        assert set() == inside & {name.removesuffix(".py") for name in COMMAND}
        assert {t.partition(".")[0] for t in targets} <= sys.stdlib_module_names | {"charleston", "google", "grpc"}


@pytest.mark.parametrize("name", [name for name in modules() if row(name) < len(CORE)])
def test_the_core_changes_nothing_once_it_is_made(name: str) -> None:
    """Nothing in the core sets a part of anything but itself: tables and acts never change, though Python lets them."""
    tree = ast.parse(modules()[name].read_text())
    set_there = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]

    assert [] == [ast.unparse(node) for node in set_there if ast.unparse(node.value) != "self"]
