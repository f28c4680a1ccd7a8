"""What README says to type works as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.server import Running

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
ADDRESS = "127.0.0.1:50051"


def commands() -> Iterator[str]:
    """Yield the commands of README's shell blocks, those that run make left out."""
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL):
        lines = re.sub(r"\\\n\s*", " ", block)
        yield from (line.partition("  #")[0].strip() for line in lines.splitlines() if not line.startswith("make "))


def run(command: list[str] | str, server: Running) -> str:
    """Run a command of README against the server of the tests, from the root; return what it prints."""
    shell = isinstance(command, str)
    line = command.replace(ADDRESS, server.address) if isinstance(command, str) else command
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        line,
        shell=shell,
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert 0 == ran.returncode, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("command", list(commands()))
def test_a_command_works(command: str, server: Running) -> None:
    """A command can be pasted and answers something."""
    assert run(command, server)


def test_the_python_example_works(server: Running) -> None:
    """The example in Python prints the ruling that the file's question gets."""
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    printed = run([sys.executable, "-c", example.replace(ADDRESS, server.address)], server)

    assert "a Joker may never be passed (joker.passed)" in printed
