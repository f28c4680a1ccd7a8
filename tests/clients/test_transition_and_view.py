"""`charleston transition`, `charleston view` and `--house`: from both doors, with a status to build on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToJson

from charleston.__main__ import main
from referee.codec import write_table
from referee.notation import table_text
from tests.test_real_transitions import PAIRS, table

ROOT = Path(__file__).parents[2]
HAND = ROOT / "clients" / "examples" / "hand.charleston"
GAME = sorted((ROOT / "tests" / "real" / "games").glob("*.charleston"))[0]
TABLE = "table at SECOND_LEFT\n"

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run the command in this process; give its exit status, its output and its complaints."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run(*argv: object) -> tuple[int, str, str]:
        try:
            status = main([str(each) for each in argv])
        except SystemExit as ended:  # argparse ends the process itself
            status = int(ended.code or 0)
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def pair(folder: Path, number: str) -> tuple[Path, Path, Path]:
    """Write a real pair of tables in notation, and its acts; give the files."""
    record = json.loads((PAIRS / f"{number}.json").read_text())
    files = folder / "before", folder / "after", folder / "acts.charleston"
    for file, text in zip(
        files,
        (*(table_text(table(record[name])) for name in ("before", "after")), "\n".join(record.get("acts", []))),
        strict=True,
    ):
        file.write_text(text)
    return files


def test_a_lawful_transition(ask: Ask, tmp_path: Path) -> None:
    """A lawful transition is status 0, with its acts and without."""
    before, after, acts = pair(tmp_path, "001")
    alone, replayed = ask("transition", before, after), ask("transition", before, after, "--acts", acts)

    assert (0, 0) == (alone[0], replayed[0])
    assert alone[1].startswith("LEGAL")


def test_tiles_that_went_left(ask: Ask, tmp_path: Path) -> None:
    """An unlawful one is status 1; what went wrong is said seat by seat, with the article and the tiles."""
    before, after, _ = pair(tmp_path, "002")
    status, out, _ = ask("transition", before, after)
    south = next(line for line in out.splitlines() if "South" in line)

    assert 1 == status
    assert "South has three tiles too many and lacks three, because the tiles went left instead of right." in south
    assert "(order.direction) [lacks 8b 2c 4d; too many: 7c 9d F]" in south


def test_a_transition_in_json(ask: Ask, tmp_path: Path) -> None:
    """Tables may be JSON, and with --json so is the answer."""
    record = json.loads((PAIRS / "002.json").read_text())
    files = []
    for name in ("before", "after"):
        file = tmp_path / f"{name}.json"
        file.write_text(MessageToJson(write_table(table(record[name]))))
        files.append(file)
    status, out, _ = ask("transition", *files, "--json")
    answer = json.loads(out)

    assert (1, "VERDICT_ILLEGAL") == (status, answer["verdict"])
    assert {"DIFFERENCE_KIND_FLOW"} == {difference["kind"] for difference in answer["differences"]}


def test_a_transition_that_cannot_be_asked(ask: Ask, tmp_path: Path) -> None:
    """A table before that no play can reach, and acts that do not fit, are told by file; the status is 2."""
    before, after, acts = pair(tmp_path, "001")
    before.write_text(before.read_text() + "\nEAST owes SOUTH 1")
    acts.write_text("# fewer than came in\nEAST looks 1b")
    status, _, err = ask("transition", before, after, "--acts", acts)

    assert 2 == status
    assert f"charleston: {before}: debts[0]" in err


@pytest.mark.parametrize("seat", ["north", "BYSTANDER"])
def test_a_view(ask: Ask, seat: str) -> None:
    """A seat sees its own tiles and the backs of others; a bystander sees none."""
    status, out, _ = ask("view", GAME, "--seat", seat, "--json")
    seen = json.loads(out)
    named = {name for name in ("east", "south", "west", "north") if set(seen["table"][name]["rack"]) != {"TILE_HIDDEN"}}

    assert (0, f"VIEWER_{seat.upper()}") == (status, seen["viewer"])
    assert {"north"} - ({"north"} if seat == "BYSTANDER" else set()) == named


def test_a_view_of_a_game_that_an_illegal_act_ends(ask: Ask) -> None:
    """Where an illegal act ends a game the table before it is shown, the line is named, and the status is 1."""
    status, out, _ = ask("view", HAND, "--seat", "SOUTH")

    assert 1 == status
    assert "The game ends at line 12, which is not lawful (look.before)." in out


def test_house_rules_for_a_file_that_has_none(ask: Ask, tmp_path: Path) -> None:
    """--house plays a game by house rules unless it has its own, and a rule that there is not is status 2."""
    thirteen = tmp_path / "thirteen.charleston"
    deal = GAME.read_text().splitlines()
    first = next(line for line in deal if line.startswith("deal"))
    east, _, rest = first.partition(" / ")
    thirteen.write_text(f"{east.rpartition(' ')[0]} / {rest}\n")
    without, at_home = ask("replay", thirteen), ask("replay", thirteen, "--house", "east.13")
    wrong = ask("replay", thirteen, "--house", "leage")

    assert (1, 0, 2) == (without[0], at_home[0], wrong[0])
    assert "leage" in wrong[2]


def test_house_rules_in_the_file(ask: Ask, tmp_path: Path) -> None:
    """A game that begins with its house rules is judged by them, whatever --house says."""
    game = tmp_path / "house.charleston"
    first = next(line for line in GAME.read_text().splitlines() if line.startswith("deal"))
    east, _, rest = first.partition(" / ")
    game.write_text(f"house east.13\n{east.rpartition(' ')[0]} / {rest}\n")
    statuses = ask("replay", game)[0], ask("replay", game, "--house", "claims.closed")[0]

    assert (0, 0) == statuses


def test_the_house_rules_are_listed(ask: Ask) -> None:
    """`rules --house` lists the house rules with what they change, and the preset with what it stands for."""
    status, out, _ = ask("rules", "--house")
    one = ask("rules", "--house", "left.draws")
    none = ask("rules", "--house", "left")

    assert 0 == status
    assert "stop.at_set_out  changes stop.looked" in out
    assert "league  stands for stop.at_set_out, left.draws, east.declares, ring.ends" in out
    assert (0, 2) == (one[0], none[0])
    assert "there is left.draws" in none[2]


@pytest.mark.parametrize(
    "argv", [("view", HAND, "--seat", "west"), ("rules", "--house"), ("replay", HAND, "--house", "league")], ids=str
)
def test_both_doors_tell_the_same(ask: Ask, address: str, argv: tuple[object, ...]) -> None:
    """The embedded referee and one that is served give the same status and the same output."""
    assert ask(*argv) == ask(*argv, "--address", address)
