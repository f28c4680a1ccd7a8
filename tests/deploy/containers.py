"""The image, built by buildah and run by podman, in a store of their own under .tools/."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".tools"
BASE, BUILDER = "localhost/base:bookworm", "localhost/builder:bookworm"
IMAGE = "localhost/charleston-referee:0.1.0"
# How an image runs that is allowed nothing.
HARDENED = ["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--memory", "256m"]
SLOWLY = 500


@cache
def build() -> None:
    """Build the image from the Dockerfile, once, with a compiler, on a base and with wheels that lie here."""
    podman("import", "--quiet", str(TOOLS / "base.tar"), BASE)
    podman("import", "--quiet", str(TOOLS / "builder.tar"), BUILDER)
    told = {
        "BASE_IMAGE": BASE,
        "BUILD_IMAGE": BUILDER,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": "/wheels",
        "VERSION": "0.1.0",
        "REVISION": "test",
    }
    options = [f"--build-arg={name}={value}" for name, value in told.items()]
    options += ["--isolation", "chroot", "--pull-never", "--format", "docker", "--volume", f"{TOOLS}/wheels:/wheels:ro"]
    _run("buildah", "bud", *options, "--tag", IMAGE, ".")
    podman("image", "prune", "--force")


def podman(*arguments: str) -> str:
    """Run podman; return what it says."""
    return _run("podman", *arguments)


def _run(command: str, *arguments: str) -> str:
    store = [f"--root={TOOLS}/containers/root", f"--runroot={TOOLS}/containers/run", "--storage-driver=overlay"]
    environ = os.environ | {"CONTAINERS_CONF": str(ROOT / "tests" / "deploy" / "containers.conf")}
    ran = subprocess.run(
        [command, *store, *arguments], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=SLOWLY
    )

    assert 0 == ran.returncode, ran.stdout + ran.stderr
    return ran.stdout.strip()
