"""What was built is installed into fresh environments, away from this tree, and its commands work there.

`make test-package` builds into dist/ and runs this; `make test` does not, for it takes a while and asks pip.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from charleston.conformance.cases import load

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
GAMES = ROOT / "tests" / "real" / "games"
PASSED = f"{len(load())} passed, 0 failed, 0 skipped\n"
CLIENT = {"charleston-referee", "googleapis-common-protos", "grpcio", "protobuf", "typing-extensions"}
SERVER = {"grpcio-health-checking", "grpcio-reflection", "orjson", "prometheus-client", "structlog"}
SLOWLY = 300


class Installed(NamedTuple):
    """A fresh environment with what was built, and a folder to work in that is not this tree."""

    bin: Path
    place: Path

    def run(self, *command: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment there."""
        name, *arguments = map(str, command)
        line = [str(self.bin / name), *arguments]
        ran = subprocess.run(line, cwd=self.place, env=clean(), capture_output=True, text=True, timeout=SLOWLY)

        assert status == ran.returncode, ran.stdout + ran.stderr
        return ran

    def packages(self) -> set[str]:
        """Return what is installed, pip left out."""
        listed = json.loads(self.run("python", "-m", "pip", "list", "--format=json").stdout)
        return {re.sub("[-_.]+", "-", each["name"]).lower() for each in listed} - {"pip", "setuptools"}


def clean() -> dict[str, str]:
    """Return an environment from which nothing leads back to this tree."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def built(pattern: str) -> Path:
    """Return the one file in dist/ of its kind."""
    (path,) = DIST.glob(pattern)
    return path


def install(place: Path, what: str) -> Installed:
    """Make an environment and install into it."""
    subprocess.run([sys.executable, "-m", "venv", place / "venv"], check=True, env=clean(), timeout=SLOWLY)
    work = place / "work"
    work.mkdir()
    shutil.copy(GAMES / "001.charleston", work)
    installed = Installed(place / "venv" / "bin", work)
    installed.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what)
    return installed


@pytest.fixture(scope="module", params=["*.whl", "*.tar.gz"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel without an extra, and the same from the source distribution."""
    return install(tmp_path_factory.mktemp("client"), str(built(request.param)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel with what serving needs."""
    return install(tmp_path_factory.mktemp("server"), f"{built('*.whl')}[server]")


def test_the_client_alone_brings_little(client: Installed) -> None:
    """Without an extra there come gRPC, protobuf and Google's common messages, and what gRPC itself needs."""
    assert client.packages() <= CLIENT
    assert {"grpcio", "protobuf", "googleapis-common-protos"} <= client.packages()


def test_nothing_else_is_installed(client: Installed) -> None:
    """Two packages are installed, with their marker for types and their data; the tests are not."""
    site = Path(client.run("python", "-c", "import charleston; print(charleston.__file__)").stdout).parents[1]
    names = {path.name for path in site.iterdir()}

    assert ROOT not in site.parents
    assert not {"tests", "clients", "proto"} & names
    assert all((site / name / "py.typed").exists() for name in ("charleston", "referee"))


def test_the_commands_work(client: Installed) -> None:
    """Rules are listed, a game is replayed, and the corpus comes along and is passed."""
    assert "joker.passed" in client.run("charleston", "rules").stdout
    assert "lawful" in client.run("charleston", "replay", "001.charleston").stdout
    assert PASSED == client.run("charleston", "conform").stdout
    assert "complete -F" in client.run("charleston", "completion", "bash").stdout
    assert client.run("charleston", "--version").stdout.startswith("charleston ")


def test_serving_without_the_extra_says_what_it_needs(client: Installed) -> None:
    """Without the extra `referee serve` says what to install, and its help can be read all the same."""
    assert "referee serve" in client.run("referee", "serve", "--help").stdout
    assert "serve" in client.run("referee", "--help").stdout
    told = client.run("referee", "serve", status=1).stderr

    assert re.fullmatch(r"referee: Serving needs \w+: pip install 'charleston-referee\[server\]'\n", told)


def test_the_extra_brings_what_serving_needs(server: Installed) -> None:
    """With the extra there come health checks, reflection, metrics and logs, and nothing else."""
    assert SERVER <= server.packages()
    assert server.packages() <= SERVER | CLIENT


def test_a_server_serves(server: Installed) -> None:
    """`referee serve` serves, passes the corpus through the protocol, and ends with 0 when it is told to stop."""
    line = [str(server.bin / "referee"), "serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--log", "off"]
    with subprocess.Popen(line, cwd=server.place, env=clean(), stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout
        address = json.loads(serving.stdout.readline())["address"]
        try:
            told = server.run("charleston", "conform", address).stdout
        finally:
            serving.send_signal(signal.SIGTERM)

    assert PASSED == told
    assert 0 == serving.returncode
