"""The adapter for a studio's own log, and the pipelines to copy: they do what the page says that they do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.judge import judge
from referee.notation import Claim, parse_game
from referee.stages import Stage
from referee.table import Table
from tests.clients.conftest import Ask

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"
EVENTS = EXAMPLES / "events.jsonl"


def adapted(events: Path) -> str:
    """Run the adapter on a log."""
    command = [sys.executable, "-I", str(EXAMPLES / "adapter.py"), str(events)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def test_the_sample_log_becomes_a_whole_lawful_game(ask: Ask) -> None:
    """Each event that the Charleston knows is a line, the game goes to its opening, and every claim holds."""
    text = adapted(EVENTS)
    game = parse_game(text)
    table = Table()
    for act in game.acts:
        table = judge(table, act).table

    assert Stage.OPENING is table.stage
    assert 28 == sum(isinstance(line.entry, Claim) for line in game.lines)
    assert (0, "1 game: 1 lawful, 0 not.\n", "") == ask("check", "-", stdin=text)


def test_what_a_build_gets_wrong_is_found_in_its_log(ask: Ask, tmp_path: Path) -> None:
    """A log in which a tile has gone to the wrong rack is found out at the first claim."""
    events = [json.loads(line) for line in EVENTS.read_text().splitlines()]
    shown = next(event for event in events if event["type"] == "revealed")["racks"]
    shown["E"][0], shown["S"][0] = shown["S"][0], shown["E"][0]
    (tmp_path / "events.jsonl").write_text("\n".join(map(json.dumps, events)))
    status, out, _ = ask("check", "-", stdin=adapted(tmp_path / "events.jsonl"))

    assert 1 == status
    assert "standard input:7: EAST holds" in out and "standard input:8: SOUTH holds" in out
    assert out.endswith("      2  difference.flow\n")


@pytest.mark.parametrize(
    ("file", "schema"),
    [
        ("github-workflow.yml", ["vendor.github-workflows"]),
        ("gitlab-ci.yml", ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"]),
    ],
)
def test_a_pipeline_to_copy_fits_its_schema(file: str, schema: list[str]) -> None:
    """The pipelines to copy are what GitHub and GitLab say that pipelines are."""
    command = [f"{Path(sys.executable).parent}/check-jsonschema", "--builtin-schema", *schema, f"{EXAMPLES}/{file}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert 0 == ran.returncode, ran.stdout


@pytest.mark.parametrize("file", ["github-workflow.yml", "gitlab-ci.yml"])
def test_a_pipeline_asks_what_the_command_knows(
    file: str, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line in a pipeline runs as it stands there."""
    (line,) = (line for line in (EXAMPLES / file).read_text().splitlines() if "charleston check" in line)
    words = line.split("charleston ", 1)[1].split()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.charleston").write_text(adapted(EVENTS))
    (tmp_path / "games" / "expected.toml").write_text("")

    assert 0 == ask(*words)[0]
