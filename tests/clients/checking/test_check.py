"""`charleston check`: what it reads, what it finds, and the status to build on."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clients.checking.samples import CLAIMS, GAMES, JOKER, LAWFUL, replay, transition
from tests.clients.conftest import Ask


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder to work in, with a lawful game and one that is not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.charleston").write_text(LAWFUL)
    (tmp_path / "games" / "b.charleston").write_text(JOKER)
    return tmp_path


def documents(ask: Ask, *argv: object, stdin: str = "") -> list[dict[str, Any]]:
    """Return what a check writes for machines."""
    return [json.loads(line) for line in ask("check", *argv, "--json", "-", stdin=stdin)[1].splitlines()]


def faults(ask: Ask, *argv: object, stdin: str = "") -> list[tuple[str, int, list[str]]]:
    """Return the file, line and rules of each fault that a check finds."""
    *items, _ = documents(ask, *argv, stdin=stdin)
    return [(item["file"], fault["line"], fault["rules"]) for item in items for fault in item["faults"]]


def test_the_status_says_whether_all_was_lawful(ask: Ask, folder: Path) -> None:
    """The status is 0 if all is lawful, 1 if something is not, 2 if something cannot be judged or is not there."""
    (folder / "c.charleston").write_text("EAST flies away")

    assert 0 == ask("check", "games/a.charleston")[0]
    assert 1 == ask("check", "games")[0]
    assert 2 == ask("check", "games", "c.charleston")[0]
    assert 2 == ask("check", "games", "nowhere")[0]
    assert 2 == ask("check")[0]


def test_the_report_names_file_line_act_sentence_rule_and_remedy(ask: Ask, folder: Path) -> None:
    """The report has a fault's place and act, the sentences with their rules and the remedy, and sums up by rule."""
    _, out, err = ask("check", "games")
    told = " ".join(out.split())

    assert "" == err
    assert "games/b.charleston:11: NORTH passes 1b W J at FIRST_ACROSS JOKER_RETURN" in told
    assert "a Joker may never be passed (joker.passed). The Joker goes back to the rack, and North owes" in told
    assert "a.charleston" not in told
    assert told.endswith("2 games: 1 lawful, 1 not. 1 joker.passed 1 look.before")
    assert all(len(line) <= 100 for line in out.splitlines())


def test_both_doors_find_the_same(ask: Ask, folder: Path, address: str) -> None:
    """The embedded referee and one that is served find the same, in every report."""
    (folder / "c.charleston").write_text(CLAIMS)
    (folder / "d.jsonl").write_text("\n".join([replay(JOKER), transition("FIRST_ACROSS"), "{}"]))
    reports = ("--junit", "j.xml", "--sarif", "s.sarif", "--json", "o.jsonl", "--github")

    def told(*argv: str) -> list[str]:
        status, out, err = ask("check", ".", *reports, *argv)
        assert (2, "") == (status, err)
        return [out, *((folder / name).read_text() for name in ("j.xml", "s.sarif", "o.jsonl"))]

    embedded = told()
    for report in ("j.xml", "s.sarif", "o.jsonl"):
        (folder / report).unlink()

    assert embedded == told("--address", address)


def test_a_game_is_the_same_in_every_form(ask: Ask, folder: Path) -> None:
    """Notation, JSON, JSON lines, each plain or packed, and standard input are the same game."""
    line = replay(JOKER)
    pretty = json.dumps(json.loads(line), indent=2)
    for name, text in {"g.charleston": JOKER, "g.json": pretty, "g.jsonl": f"\n{line}\n\n{line}"}.items():
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        (folder / name).write_text(text)
    both = [["joker.passed"], ["look.before"]]

    for packed in ("", ".gz"):
        assert [("g.charleston" + packed, 11, both[0]), ("g.charleston" + packed, 12, both[1])] == faults(
            ask, f"g.charleston{packed}"
        )
        assert [("g.json" + packed, 1, rules) for rules in both] == faults(ask, f"g.json{packed}")
        lines = [("g.jsonl" + packed, line, rules) for line in (2, 4) for rules in both]
        assert lines == faults(ask, f"g.jsonl{packed}")
    assert [("-", 11, both[0]), ("-", 12, both[1])] == faults(ask, "-", stdin=JOKER)
    assert [("-", 1, rules) for rules in both] == faults(ask, "-", stdin=pretty)
    assert [("-", n, rules) for n in (1, 2) for rules in both] == faults(ask, "-", stdin=f"{line}\n{line}\n")


def test_folders_patterns_and_names_give_each_file_once_in_order(ask: Ask, folder: Path) -> None:
    """Files come in the order of the paths, sorted within each, once; what is hidden or no game is passed over."""
    for name in ("z.json", "deep/y.jsonl", ".hidden/x.charleston", "notes.txt", ".w.charleston"):
        (folder / "games" / name).parent.mkdir(exist_ok=True)
        (folder / "games" / name).write_text(replay(LAWFUL))
    found = [item["file"] for item in documents(ask, "games/b.charleston", "games", "games/*.charleston")[:-1]]

    assert ["games/b.charleston", "games/a.charleston", "games/z.json", "games/deep/y.jsonl"] == found
    assert ["games/deep/y.jsonl"] == [item["file"] for item in documents(ask, "**/*.jsonl")[:-1]]
    assert found == [item["file"] for item in documents(ask, "./games/b.*", "./games", ".")[:-1]]
    assert "games/*.nothing: there is nothing to check here" in ask("check", "games/*.nothing")[2]


def test_a_claim_of_the_log_that_does_not_hold_is_a_fault_with_typed_differences(ask: Ask) -> None:
    """A claim that does not hold is a fault, with the differences that JudgeTransition has for its seat."""
    (item, _) = documents(ask, "-", stdin=CLAIMS)
    south, north = item["faults"]

    assert (9, None, "DIFFERS", ["difference.flow"]) == tuple(south[k] for k in ("line", "number", "verdict", "rules"))
    assert "The log names 1b O, not on the rack. On the rack there is 4b 8c, not in the log." == south["message"]
    assert (11, ["count.during"]) == (north["line"], north["rules"])
    assert {"kind": "count", "path": "after.north.rack", "expected": "13", "actual": "12"} == (
        north["findings"][0]["difference"]
    )


def test_claims_that_stand_together_are_one_table(ask: Ask) -> None:
    """When the log has the tiles of two seats the wrong way round, no tile has come or gone: they went elsewhere."""
    _, south, _, north = CLAIMS.splitlines()[-4:]
    wrong = CLAIMS.replace(south, "SOUTH holds 1d W R 5c 7c F 3c 8b W 1c 3c O 1b")
    wrong = wrong.replace(north, "NORTH holds 2d 3d 9d 8d 5b 1c 4d J 3d G 8c 4b R")
    (item, _) = documents(ask, "-", stdin=wrong)

    assert [(9, ["SOUTH"]), (11, ["NORTH"])] == [
        (fault["line"], [finding["seat"] for finding in fault["findings"]]) for fault in item["faults"]
    ]
    assert {"flow"} == {finding["difference"]["kind"] for fault in item["faults"] for finding in fault["findings"]}


def test_a_transition_has_its_differences(ask: Ask) -> None:
    """A transition that is lawful has no fault; one that is not has a fault with what speaks against it."""
    lawful, unlawful, _ = documents(ask, "-", stdin=f"{transition()}\n{transition('FIRST_ACROSS')}\n")

    assert ("transition", True, []) == (lawful["kind"], lawful["lawful"], lawful["faults"])
    (fault,) = unlawful["faults"]
    assert (2, "from FIRST_RIGHT to FIRST_ACROSS", "ILLEGAL") == (fault["line"], fault["act"], fault["verdict"])
    assert all(finding["difference"] for finding in fault["findings"])


def test_what_cannot_be_judged_is_told_with_its_place_and_the_rest_is_judged(ask: Ask, folder: Path) -> None:
    """An item that cannot be judged is an error at its line, and those after it are judged all the same."""
    lines = [replay(LAWFUL), "{", "[]", '{"acts": [{"seat": 9}]}', '{"nonsense": 1}', "\xff", replay(JOKER)]
    (folder / "many.jsonl").write_bytes("\n".join(lines).encode("latin-1"))
    (folder / "bad.charleston").write_text("\n\nEAST flies\nEAST passes 1b 2b 99z\n")
    (folder / "cut.charleston.gz").write_bytes(gzip.compress(LAWFUL.encode())[:-20])
    (folder / "claims.charleston").write_text("EAST holds 1b")
    *items, last = documents(ask, "many.jsonl", "bad.charleston", "cut.charleston.gz", "claims.charleston")
    places = dict.fromkeys((item["file"], error["line"]) for item in items for error in item["errors"])

    assert [("many.jsonl", line) for line in (2, 3, 4, 5, 6)] + [
        ("bad.charleston", 3),
        ("bad.charleston", 4),
        ("cut.charleston.gz", 1),
        ("claims.charleston", 1),
    ] == list(places)
    assert ["joker.passed", "look.before"] == [rule for fault in items[6]["faults"] for rule in fault["rules"]]
    assert (2, 8, 1) == (last["summary"]["status"], last["summary"]["wrong"], last["summary"]["lawful"])


def test_house_rules_and_skipping_are_as_in_replay(ask: Ask, folder: Path) -> None:
    """House rules stand for a file without any, and illegal acts are left out where that is asked."""
    game = GAMES / "057.charleston"

    assert ["order.direction"] in [rules for _, _, rules in faults(ask, game)]
    assert [] == [rules for _, _, rules in faults(ask, game, "--house", "right.north")]
    assert 1 == len(faults(ask, "games/b.charleston", "--skip-illegal")) - 1
    (skipping, _) = documents(ask, "games/b.charleston", "--skip-illegal")
    assert 27 == skipping["acts"]


def test_one_report_may_take_the_place_of_the_one_for_people(ask: Ask) -> None:
    """A report on standard output is the only thing there; two cannot be."""
    status, out, err = ask("check", "-", "--sarif", "-", stdin=JOKER)

    assert (1, "2.1.0", "") == (status, json.loads(out)["version"], err)
    assert 2 == ask("check", "-", "--sarif", "-", "--junit", "-", stdin=JOKER)[0]


def test_a_report_that_cannot_be_written_is_told(ask: Ask, folder: Path) -> None:
    """A report for a folder that is not there is a wrong question, and nothing is left behind."""
    status, _, err = ask("check", "games", "--junit", "nowhere/j.xml", "--json", "o.jsonl")

    assert (2, "charleston: nowhere/j.xml: No such file or directory\n") == (status, err)
    assert ["games"] == [path.name for path in folder.iterdir()]


def test_sentences_come_in_the_language_asked_for(ask: Ask, folder: Path) -> None:
    """The rulings of a check are in the language that is asked for, on one core and at an address."""
    (french, _) = documents(ask, "games/b.charleston", "--language", "fr")
    (dutch, _) = documents(ask, "games/b.charleston", "--language", "nl")

    assert "jamais" in french["faults"][0]["message"]
    assert "nooit" in dutch["faults"][0]["message"]


def test_people_are_shown_some_of_many_errors(ask: Ask, folder: Path) -> None:
    """Of a file with very many errors people are shown twenty, and told how many more there are."""
    (folder / "bad.charleston").write_text("EAST flies\n" * 30)
    out = ask("check", "bad.charleston")[1].splitlines()

    assert ["bad.charleston: and 10 more", "1 game: 0 lawful, 0 not, 1 that cannot be judged."] == out[20:]


def test_what_was_read_cannot_write_on_the_terminal(ask: Ask) -> None:
    """A name in a question that would clear the screen is shown without its power, on one line."""
    out = ask("check", "-", stdin=json.dumps({"\x1b[2J\nacts": []}))[1]

    assert "\x1b" not in out and 2 == len(out.splitlines())


def test_an_interrupted_check_leaves_no_report(ask: Ask, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that is interrupted ends with 130, and the report of the run before stays whole."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    (folder / "o.jsonl").write_text("of the run before")
    monkeypatch.setattr("charleston.commands.checking.documents.Documents.tell", interrupted)
    status = ask("check", "games", "--json", "o.jsonl")[0]

    assert (130, "of the run before") == (status, (folder / "o.jsonl").read_text())
    assert ["games", "o.jsonl"] == sorted(path.name for path in folder.iterdir())


def test_a_referee_that_cannot_be_reached_is_told(ask: Ask, folder: Path) -> None:
    """Nobody at the address is a sentence and status 2, and no report is left."""
    status, _, err = ask("check", "games", "--address", "127.0.0.1:1", "--timeout", "1", "--json", "o.jsonl")

    assert (2, True) == (status, "127.0.0.1:1" in err)
    assert ["games"] == [path.name for path in folder.iterdir()]


def test_pipes_are_read_and_written(folder: Path) -> None:
    """What a shell gives in place of files, such as <(…) and /dev/stdout, is read and written as it is."""
    command = f"{sys.executable} -m charleston check <(cat games/b.charleston) --json /dev/stdout"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    item, _ = (json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{"))

    assert (1, "") == (ran.returncode, ran.stderr)
    assert ["joker.passed", "look.before"] == [rule for fault in item["faults"] for rule in fault["rules"]]
