"""`charleston show` and `charleston fmt`: what is written, drawn as it is and written as it should be."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from google.protobuf import json_format

from charleston.paint import Paint
from charleston.picture import picture
from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.notation import parse_game, parse_table
from tests.clients.conftest import Ask

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"
TABLE = (EXAMPLES / "table.charleston").read_text()
HAND = (EXAMPLES / "hand.charleston").read_text()
UNTIDY = "# mine\n\nEAST PASSES 1bam,2c at first-right#and\neast HOLDS 3b\n"
TIDY = "# mine\n\nEAST passes 1b 2c at FIRST_RIGHT  #and\nEAST holds 3b\n"


def test_a_table_is_drawn_as_it_is_written(ask: Ask) -> None:
    """A table is drawn, in notation or as JSON, by itself or in a question, and no rule is asked."""
    table = write_table(parse_table(TABLE))
    drawn = (0, picture(table, Paint()) + "\n", "")
    act = table_pb2.Act(seat=table_pb2.SEAT_EAST, stop=table_pb2.Stop())
    questions = [
        table,
        service_pb2.WhatNextRequest(table=table),
        service_pb2.JudgeRequest(table=table, act=act),
        service_pb2.ReplayRequest(table=table, acts=[act]),
    ]

    assert drawn == ask("show", "-", stdin=TABLE)
    assert drawn == ask("show", "-", stdin=f"{TABLE}EAST stops\n")
    assert [drawn] * 4 == [ask("show", "-", stdin=json_format.MessageToJson(each)) for each in questions]
    assert 0 == ask("show", "-", stdin="table at FIRST_RIGHT\nEAST rack 1b*4\n")[0]


def test_the_start_of_a_game_is_drawn_as_it_is_dealt(ask: Ask) -> None:
    """A game that starts from nothing is drawn as dealt, a wrong deal too; without a deal the table is empty."""
    request = service_pb2.ReplayRequest(acts=[write_act(act) for act in parse_game(HAND).acts])
    status, out, _ = ask("show", EXAMPLES / "hand.charleston")
    wrong = ask("show", EXAMPLES / "misdeal.charleston")[1]

    assert 0 == status
    assert "FIRST RIGHT" in out
    assert "EAST  8b 2c 6c 1d 5d 7d 9d 9d S S W N F J" in out
    assert out == ask("show", "-", stdin=json_format.MessageToJson(request))[1]
    assert "EAST  2b 3b 8b 5c 6c 9c 2d 6d E W R F J" in wrong
    assert "UNDEALT" in ask("show", "-", stdin="everyone looks")[1]


def test_a_table_is_written_for_machines(ask: Ask) -> None:
    """For machines the table is protobuf JSON, which every command takes."""
    out = ask("show", "--json", "-", stdin=TABLE)[1]

    assert write_table(parse_table(TABLE)) == json_format.Parse(out, table_pb2.Table())
    assert ask("next", "-", stdin=TABLE) == ask("next", "-", stdin=out)


@pytest.mark.parametrize("table", [{"east": {"rack": [99]}}, {"stage": 99}, {"debts": [{"debtor": 9}]}])
def test_what_cannot_be_drawn_is_told(ask: Ask, table: dict[str, object]) -> None:
    """A number that is no tile, seat or stage is status 2 and a sentence."""
    told = ask("show", "-", stdin=json.dumps(table))

    assert (2, "", "charleston: standard input: there is something in it that is no tile, seat or stage\n") == told


def test_standard_input_is_written_to_standard_output(ask: Ask) -> None:
    """Notation from a pipe comes out in canonical form, comments and blank lines where they were."""
    assert (0, TIDY, "") == ask("fmt", "-", stdin=UNTIDY)
    assert (0, TIDY, "") == ask("fmt", "-", stdin=TIDY)
    assert (0, "", "") == ask("fmt", "-", stdin="")


def test_files_are_rewritten_where_they_differ(ask: Ask, tmp_path: Path) -> None:
    """A file that is not canonical is rewritten and told of, keeping its mode; another is left untouched."""
    untidy, tidy = tmp_path / "a.charleston", tmp_path / "b.charleston"
    untidy.write_bytes(UNTIDY.replace("\n", "\r\n").encode())
    untidy.chmod(0o640)
    tidy.write_text(TIDY)
    before = tidy.stat()
    told = ask("fmt", untidy, tidy)

    assert (0, "", f"{untidy}: rewritten\n") == told
    assert TIDY.encode() == untidy.read_bytes()
    assert 0o640 == stat.S_IMODE(untidy.stat().st_mode)
    assert before == tidy.stat()
    assert ["a.charleston", "b.charleston"] == sorted(os.listdir(tmp_path))


def test_a_link_stays_a_link(ask: Ask, tmp_path: Path) -> None:
    """What a link points to is rewritten, and the link stays."""
    game, link = tmp_path / "game", tmp_path / "link"
    game.write_text(UNTIDY)
    link.symlink_to(game)

    assert 0 == ask("fmt", link)[0]
    assert link.is_symlink()
    assert TIDY == game.read_text()


def test_check_changes_nothing(ask: Ask, tmp_path: Path) -> None:
    """With --check the status is 1 if anything would be rewritten, and nothing is."""
    untidy, tidy = tmp_path / "a", tmp_path / "b"
    untidy.write_text(UNTIDY)
    tidy.write_text(TIDY)

    assert (1, "", f"{untidy}: would be rewritten\n") == ask("fmt", "--check", untidy, tidy)
    assert (1, "", "standard input: would be rewritten\n") == ask("fmt", "--check", "-", stdin=UNTIDY)
    assert (0, "", "") == ask("fmt", "--check", tidy, "-", stdin=TIDY)
    assert (UNTIDY, TIDY) == (untidy.read_text(), tidy.read_text())


def test_one_file_that_cannot_be_read_keeps_all_as_they_are(ask: Ask, tmp_path: Path) -> None:
    """When one of several files cannot be read, every problem is told, the status is 2, and nothing is rewritten."""
    untidy, wrong, none = tmp_path / "a", tmp_path / "b", tmp_path / "none"
    untidy.write_text(UNTIDY)
    wrong.write_text("EAST pusses\n")
    status, out, err = ask("fmt", untidy, wrong, none)

    assert (2, "") == (status, out)
    assert f"charleston: {wrong}:1:6: expected" in err
    assert f"charleston: {none}: No such file or directory" in err
    assert UNTIDY == untidy.read_text()


def test_json_is_left_alone(ask: Ask) -> None:
    """What is no notation has no canonical form."""
    assert (2, "", "charleston: standard input: this is JSON, which has no canonical notation\n") == ask(
        "fmt", "-", stdin="{}"
    )


def test_a_file_that_cannot_be_written_is_told(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a file cannot be replaced the status is 2, it is as it was, and nothing lies beside it."""
    game = tmp_path / "game"
    game.write_text(UNTIDY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)

    assert (2, "", f"charleston: {game}: No space left on device\n") == ask("fmt", game)
    assert UNTIDY == game.read_text()
    assert ["game"] == os.listdir(tmp_path)


def test_a_rewritten_game_is_judged_as_before(ask: Ask, tmp_path: Path) -> None:
    """A game and its canonical form get the same rulings."""
    note, acts = HAND.split("\n", 1)
    game = tmp_path / "game"
    game.write_text(f"{note}\n{acts.lower()}")
    before = ask("replay", "--json", game)
    ask("fmt", game)

    assert HAND == game.read_text()
    assert before == ask("replay", "--json", game)
