"""The referee compiled: its modules are, a wheel of them works by itself, and one without them needs no compiler.

`make test-compiled` runs this with the laws, the corpus and the tests of the wire; `make test` does not, for it needs a
C compiler.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from referee.stages import Seat
from referee.table import Place, Table
from referee.unreachable import reached
from tests.house.test_compiled import ROOT, modules
from tests.package.installed import PASSED, SLOWLY, Installed, clean, install

ENABLED = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"}
NO_COMPILER = {"CC": "false", "CXX": "false"}
pytestmark = pytest.mark.timeout(600)  # a compiler is at work


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pack the source distribution, from which wheels are built away from this tree."""
    place = tmp_path_factory.mktemp("source")
    line = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(place)]
    subprocess.run(line, check=True, cwd=ROOT, env=clean(), timeout=SLOWLY)
    (packed,) = place.glob("*.tar.gz")
    return packed


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with pip alone: what is installed beside the tests would help a build, as stubs do."""
    place = tmp_path_factory.mktemp("python")
    subprocess.run([sys.executable, "-m", "venv", place], check=True, env=clean(), timeout=SLOWLY)
    return place / "bin" / "python"


def wheel(python: Path, source: Path, place: Path, **variables: str) -> Path:
    """Build a wheel, in an environment of its own as pip makes it."""
    line = [str(python), "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place), str(source)]
    subprocess.run(line, check=True, env=clean() | variables, timeout=SLOWLY)
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def compiled(python: Path, source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel with the hot modules compiled."""
    return wheel(python, source, tmp_path_factory.mktemp("compiled"), **ENABLED)


@pytest.fixture(scope="module")
def installed(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install that wheel into an environment of its own."""
    return install(tmp_path_factory.mktemp("installed"), str(compiled))


def test_the_modules_here_are_compiled() -> None:
    """What is tested beside this is what was compiled, all of it."""
    names = [".".join(source.relative_to(ROOT).with_suffix("").parts) for source in modules()]

    assert [] == [name for name in names if (import_module(name).__file__ or "").endswith(".py")]


def test_compiled_values_are_compared_by_their_parts() -> None:
    """Compiled code too finds two tables equal that have the same parts, and unequal that have not."""
    table = Table(places=(Place(b"\x01"), Place(), Place(), Place()))
    emptied = table.put(Seat.EAST, Place())

    assert [True, False] == [reached(other) for other in (emptied, table)]
    assert table != emptied == Table()
    assert hash(emptied) == hash(Table())


def test_a_compiled_wheel_is_for_this_python_and_has_the_sources_too(compiled: Path) -> None:
    """Its name says for which Python it is; beside each compiled module lies the source, for tracebacks."""
    names = zipfile.ZipFile(compiled).namelist()
    stems = {str(Path(name).with_suffix("").with_suffix("")) for name in names if name.endswith(".so")}
    sources = {str(source.relative_to(ROOT).with_suffix("")) for source in modules()}

    assert f"cp{sys.version_info.major}{sys.version_info.minor}" in compiled.name
    assert sources | {"referee__mypyc"} == stems
    assert {f"{source}.py" for source in sources} <= set(names)


def test_a_compiled_wheel_passes_the_corpus(installed: Installed) -> None:
    """Away from this tree and without a compiler it is imported compiled, and judges every case as it should."""
    told = installed.run("python", "-c", "import referee.play; print(referee.play.__file__)").stdout

    assert told.strip().endswith(".so")
    assert PASSED == installed.run("charleston", "conform").stdout


def test_a_plain_wheel_needs_no_compiler(python: Path, source: Path, tmp_path: Path) -> None:
    """Without the switch nothing is compiled, and nothing that was compiled here gets into the wheel."""
    built = wheel(python, source, tmp_path, **NO_COMPILER)

    assert built.name.endswith("-py3-none-any.whl")
    assert [] == [name for name in zipfile.ZipFile(built).namelist() if name.endswith(".so")]
