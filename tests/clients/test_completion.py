"""`charleston completion`: what shells complete. Bash is asked; zsh and fish are only where there are such shells."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from charleston.commands.arguments import parser
from tests.clients.conftest import Ask

ASKED = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_charleston
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(tmp_path: Path, ask: Ask) -> Path:
    """Write the script for bash, and a folder with a file to complete."""
    path = tmp_path / "charleston.bash"
    path.write_text(ask("completion", "bash")[1])
    (tmp_path / "my game.charleston").touch()
    return path


def completed(script: Path, *words: str) -> list[str]:
    """Return what bash offers for the last word of a line, in the script's folder."""
    command = ["bash", "--norc", "-u", "-c", ASKED, "bash", str(script), "charleston", *words]
    ran = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, timeout=20)

    assert "" == ran.stderr
    return sorted(ran.stdout.split("\n")[:-1])


def test_commands(script: Path) -> None:
    """The first word is a command."""
    assert ["completion", "conform"] == completed(script, "co")


def test_options(script: Path) -> None:
    """After a dash the options of the command are offered, and those of no other."""
    assert ["--json"] == completed(script, "replay", "--j")
    assert ["--json", "--junit"] == completed(script, "conform", "--j")


def test_values(script: Path) -> None:
    """An option that takes one of some words has them offered."""
    assert ["recommended", "required"] == completed(script, "conform", "--level", "re")
    assert ["fish"] == completed(script, "completion", "f")


def test_files(script: Path) -> None:
    """Where a file is meant files are offered, whatever their names hold."""
    assert ["my game.charleston"] == completed(script, "replay", "my")
    assert ["my game.charleston"] == completed(script, "conform", "--known-failing", "my")


def test_nothing(script: Path) -> None:
    """Where anything may follow nothing is offered."""
    assert [""] == completed(script, "replay", "--timeout", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_in_it(shell: str, ask: Ask) -> None:
    """A script names every command and every long option, and the shell can read it where there is one."""
    status, script, _ = ask("completion", shell)
    (commands,) = (action for action in parser()._actions if action.choices)
    options = {
        name.lstrip("-")
        for command in dict(commands.choices or ()).values()
        for action in command._actions
        for name in action.option_strings
        if name.startswith("--")
    }

    assert 0 == status
    assert [] == [name for name in (*(commands.choices or ()), *options) if name not in script]
    if shutil.which(shell):
        assert 0 == subprocess.run([shell, "-n"], input=script, text=True, timeout=20).returncode
