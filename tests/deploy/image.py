"""The image is built from the Dockerfile, runs with nothing allowed, is asked, and stops as it should."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from charleston import RefereeClient
from tests.deploy.containers import BASE, HARDENED, IMAGE, ROOT, TOOLS, build, podman
from tests.deploy.loss.hands import hands
from tests.deploy.loss.replicas import until
from tests.ports import free_port

LINT = TOOLS / "lint" / "bin"
PINNED = re.compile(r"^([a-z0-9-]+)==([^ ]+)", re.MULTILINE)


@pytest.fixture(scope="module")
def image() -> str:
    """Build the image."""
    build()
    return IMAGE


class Container:
    """One container that serves, and where."""

    def __init__(self, image: str) -> None:
        """Start it with all capabilities dropped, on a root that cannot be written."""
        self.address = f"127.0.0.1:{free_port()}"
        told = [f"--env=REFEREE_LISTEN={self.address}", f"--env=REFEREE_METRICS=127.0.0.1:{free_port()}"]
        self.id = podman("run", "--detach", "--network", "host", *HARDENED, *told, image)
        until(lambda: '"event":"serving"' in podman("logs", self.id), "the container serves")

    def run(self, *command: str) -> str:
        """Run a command in it; return what it says."""
        return podman("exec", self.id, *command)

    def inspect(self, what: str) -> str:
        """Return something that podman knows of it."""
        return podman("inspect", "--format", "{{" + what + "}}", self.id)


@pytest.fixture
def container(image: str) -> Iterator[Container]:
    """Run a container."""
    up = Container(image)
    try:
        yield up
    finally:
        podman("rm", "--force", "--time", "0", up.id)


def test_a_container_with_nothing_allowed_judges_and_stops_well(container: Container) -> None:
    """Without a capability, and with a root that cannot be written, it judges a hand; told to stop, it exits with 0."""
    with RefereeClient(container.address) as referee:
        for turn in hands()[0]:
            assert turn.answer == referee.judge(turn.question)
    podman("stop", container.id)

    assert "0" == container.inspect(".State.ExitCode")


def test_the_health_check_of_the_image_asks_the_server(container: Container) -> None:
    """What the image says is its health check finds a server that serves well, and one that hangs not."""
    server = int(container.inspect(".State.Pid"))
    podman("healthcheck", "run", container.id)
    os.kill(server, signal.SIGSTOP)
    try:
        with pytest.raises(AssertionError, match=r"gave no answer|unhealthy"):
            podman("healthcheck", "run", container.id)
    finally:
        os.kill(server, signal.SIGCONT)

    assert "referee health" in container.inspect(".Config.Healthcheck.Test")


def test_a_container_is_nobody(container: Container) -> None:
    """It runs as a user of its own, without a capability; pip is not in it."""
    assert "10001" == container.run("id", "-u")
    assert "CapEff:\t0000000000000000" in container.run("cat", "/proc/1/status")
    assert "pip" not in container.run("ls", "/opt/referee/bin")


def test_the_image_judges_compiled(container: Container) -> None:
    """Its line `serving` says that the hot modules are compiled; it has neither a compiler nor what drives one."""
    lines = map(json.loads, podman("logs", container.id).splitlines())
    (serving,) = (line for line in lines if line["event"] == "serving")
    left = container.run(
        "sh", "-c", "command -v cc gcc ld mypyc; ls /opt/referee/bin /opt/referee/lib/python3*/site-packages"
    )

    assert serving["compiled"] is True
    assert "referee__mypyc" in left
    assert [] == re.findall(r"\b(?:cc|gcc|ld|mypyc?|setuptools|hatchling)$", left, re.MULTILINE)


def test_the_image_lists_its_parts(container: Container) -> None:
    """The list of parts in the image names every distribution that is pinned for it, and the referee itself."""
    listed = json.loads(container.run("cat", "/opt/referee/sbom.cdx.json"))
    parts = {(part["name"].lower().replace("_", "-"), part["version"]) for part in listed["components"]}
    pinned = set(PINNED.findall((ROOT / "deploy" / "image" / "run.txt").read_text()))

    assert "CycloneDX" == listed["bomFormat"]
    assert {("charleston-referee", "0.1.0")} == parts - pinned
    assert {"grpcio", "protobuf"} <= {name for name, _ in parts}


def test_the_image_says_what_it_is(image: str) -> None:
    """It has the labels that registries and scanners read."""
    labels = json.loads(podman("inspect", "--format", "{{json .Config.Labels}}", image))

    assert "Apache-2.0" == labels["org.opencontainers.image.licenses"]
    assert "0.1.0" == labels["org.opencontainers.image.version"]
    assert "test" == labels["org.opencontainers.image.revision"]


def test_the_image_is_little_more_than_its_base(image: str) -> None:
    """What is laid on the base is less than sixty megabytes."""
    whole, base = (int(podman("inspect", "--format", "{{.Size}}", name)) for name in (image, BASE))

    assert 0 < whole - base < 60_000_000


def test_the_dockerfile_has_no_fault_that_hadolint_knows() -> None:
    """hadolint finds nothing."""
    subprocess.run([LINT / "hadolint", "Dockerfile"], cwd=ROOT, check=True)


def test_what_is_pinned_is_what_the_package_asks_for(tmp_path: Path) -> None:
    """Worked out anew from pyproject.toml, with the pins that stand, the pins are the same: else `make image-pins`."""
    before = {path: path.read_text() for path in (ROOT / "deploy" / "image").glob("*.txt")}
    subprocess.run(
        ["sh", "deploy/image/freeze.sh", str(tmp_path)], cwd=ROOT, env=os.environ | {"UV": str(LINT / "uv")}, check=True
    )

    assert before == {path: (tmp_path / path.name).read_text() for path in before}
