"""The `charleston` command: the same report from both doors, a status to build on, a sentence for each error."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from google.protobuf import json_format

from charleston import RefereeError, Violation
from charleston.commands import replay
from charleston.commands.question import Entry, refused
from charleston.commands.source import WrongQuestion
from charleston.referee.v1 import ruling_pb2, service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.notation import parse_game, parse_table
from tests.clients.conftest import Ask

ROOT = Path(__file__).parents[2]
HAND = ROOT / "clients" / "examples" / "hand.charleston"
GAMES = sorted((ROOT / "tests" / "real" / "games").glob("*.charleston"))
DEAL, *PASSES = HAND.read_text().splitlines()[1:6]
RIGHT = "\n".join([DEAL, *PASSES])
TABLE = """table at FIRST_LEFT
EAST rack 8b 2c 4c 1d 2d 5d 9d S W F J | out 7d 9d N
SOUTH rack 1c 6c 9c 9d E S W N F F O 4c F
WEST rack 1b 1b 5b 2c 7c 8c 1d 4d 5d 6d 8d R | out 2b blind 2
NORTH rack 2b 7b 9b 1c 1c 5c 7c 2d 2d G J | out 1b W
NORTH owes NORTH 1
"""


@pytest.mark.parametrize(
    "argv",
    [
        ("replay", HAND),
        ("replay", "--skip-illegal", "-v", HAND),
        ("replay", "--skip-illegal", "--json", HAND, GAMES[0]),
        ("replay", "-q", *GAMES),
        ("replay", "nowhere.charleston", GAMES[0]),
        ("next", "-"),
        ("next", "--json", "-"),
        ("rules",),
        ("rules", "--json"),
        ("rules", "joker.found"),
        ("rules", "joker"),
        ("replay", "--language", "fr", HAND),
        ("next", "--language", "nl", "-"),
        ("rules", "--language", "fr-CA", "joker.found"),
        ("rules", "--language", "xx"),
    ],
    ids=lambda argv: " ".join(map(str, argv[:2])),
)
def test_both_doors_tell_the_same(ask: Ask, address: str, argv: tuple[str, ...]) -> None:
    """The embedded referee and one that is served give the same status, the same output and the same complaints."""
    embedded = ask(*argv, stdin=TABLE)
    served = ask(*argv, "--address", address, stdin=TABLE)

    assert embedded == served
    assert embedded[1] or embedded[2]


def test_the_status_says_whether_all_was_lawful(ask: Ask) -> None:
    """The status is 0 when all was lawful, 1 when something was not, 2 when a question was wrong, the worst of all."""
    lawful, unlawful = GAMES[0], HAND

    assert 0 == ask("replay", lawful)[0]
    assert 1 == ask("replay", lawful, unlawful)[0]
    assert 2 == ask("replay", unlawful, "nowhere.charleston", lawful)[0]
    assert 1 == ask("replay", "-", stdin="deal EAST 1b / SOUTH 2b / WEST 3b / NORTH 4b")[0]
    assert 0 == ask("next", "-", stdin=TABLE)[0]
    assert 1 == ask("next", "-", stdin="table at FIRST_RIGHT")[0]
    assert 2 == ask()[0]


def test_a_report_names_line_act_verdict_and_what_was_wrong(ask: Ask) -> None:
    """A report has every act with its line, the ruling's message where it is not LEGAL, and a summary."""
    _, out, err = ask("replay", HAND)
    lines = out.splitlines()

    assert "" == err
    assert "    3  LEGAL         EAST passes 6c S W at FIRST_RIGHT" in lines
    assert "   11  JOKER_RETURN  NORTH passes 1b W J at FIRST_ACROSS" in lines
    assert "A Joker may never be passed (joker.passed)".lower() in " ".join(out.split()).lower()
    assert "That is lawful." not in out
    assert " ".join(out.split()).endswith(
        "not lawful (joker.passed, look.before), 11 of 27 acts judged; the table stands at FIRST_ACROSS."
    )
    assert all(len(line) <= 100 for line in lines)


def test_quiet_and_verbose_leave_out_and_add(ask: Ask) -> None:
    """Quiet shows only what is not lawful; verbose says the whole ruling on every act."""
    quiet, verbose = ask("replay", "-q", HAND)[1], ask("replay", "--all", HAND)[1]

    assert "EAST passes" not in quiet
    assert "NORTH passes 1b W J" in quiet
    assert 9 == verbose.count("That is lawful.")


def test_the_document_of_a_game_is_one_line_of_json(ask: Ask) -> None:
    """Each game has one line of JSON with the documented keys, its rulings protobuf JSON."""
    status, out, _ = ask("replay", "--json", "--skip-illegal", HAND, "nowhere", GAMES[0])
    hand, nowhere, game = map(json.loads, out.splitlines())
    rulings = [json_format.ParseDict(each["ruling"], ruling_pb2.Ruling()) for each in hand["rulings"]]

    assert 2 == status
    assert ["game", "lawful", "acts", "rulings", "claims", "standing"] == list(hand)
    assert (False, 27, 27) == (hand["lawful"], hand["acts"], len(rulings))
    assert [(11, "VERDICT_JOKER_RETURN"), (12, "VERDICT_ILLEGAL")] == [
        (each["line"], each["ruling"]["verdict"]) for each in hand["rulings"] if each["ruling"].get("broken")
    ]
    assert "STAGE_PLAY" == hand["standing"]["table"]["stage"]
    assert {"game": "nowhere", "error": ["nowhere: No such file or directory"]} == nowhere
    assert game["lawful"]


def test_a_game_as_protobuf_json_gets_the_same_rulings(ask: Ask, tmp_path: Path) -> None:
    """A ReplayRequest as JSON, from a file or standard input, gets the rulings of the game in notation."""
    request = service_pb2.ReplayRequest(acts=map(write_act, parse_game(HAND.read_text()).acts), skip_illegal=True)
    path = tmp_path / "hand.json"
    path.write_text(json_format.MessageToJson(request))
    written = json.loads(ask("replay", "--json", "--skip-illegal", HAND)[1])
    status, out, _ = ask("replay", "--json", path)
    piped = ask("replay", "--json", "-", stdin=path.read_text())[1]

    assert 1 == status
    assert [(e["act"], e["ruling"]) for e in written["rulings"]] == [
        (e["act"], e["ruling"]) for e in json.loads(out)["rulings"]
    ]
    assert out.replace(str(path), "standard input") == piped


def test_claims_are_compared_with_the_table_at_that_point(ask: Ask, address: str) -> None:
    """A claim that holds is no fault, in any order of its tiles; one that does not says in which tiles it differs."""
    rack = "8b 2c 6c 1d 5d 7d 9d 9d S S W N F J"
    game = f"{DEAL}\nEAST holds J F {rack[:-4]}\nEAST passes 6c S W\nEAST holds {rack}\nSOUTH passes 1b 2b R\n"
    status, out, _ = ask("replay", "-", stdin=game)
    document = json.loads(ask("replay", "-", "--json", "--address", address, stdin=game)[1])

    assert 1 == status
    assert "    2  HOLDS " in out
    assert "    4  DIFFERS " in out
    assert "The log names 6c S W, not on the rack." in out
    assert "    5  LEGAL " in out
    assert "not lawful (1 claim of the log), 3 acts; the table stands at FIRST_RIGHT." in out
    assert [(2, True, "", ""), (4, False, "6c S W", "")] == [
        (claim["line"], claim["holds"], claim["missing"], claim["beyond"]) for claim in document["claims"]
    ]


def test_a_claim_after_the_end_is_not_compared(ask: Ask) -> None:
    """Once an illegal act has ended a game, its log is compared no further."""
    game = f"{DEAL}\nEAST passes 6c\nEAST holds nothing\n"

    assert "holds" not in ask("replay", "-", stdin=game)[1]
    assert "DIFFERS" in ask("replay", "-", "--skip-illegal", stdin=game)[1]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("EAST pusses\nSOUTH looks now", ["-:1:6: expected what", "-:2:13: expected a tile"]),
        ("# nothing\n", ["-: there is no act in it"]),
        ("deal EAST 1b*5 / SOUTH S / WEST W / NORTH N", ["-:1: deal.east.tiles[4]: "]),
        (f"{RIGHT}\nEAST holds 1b\nEAST looks 1b 1b 1b", ["-:7: look.tiles: "]),
        ("table at FIRST_RIGHT rulebook 99\nEAST looks", ["-: Rulebook version 99 is not served here"]),
        ("everyone looks\n" * 1001, ["-: A replay has at most 1000 acts."]),
        ('{"acts": [', ["-:1:11: Expecting value"]),
        ('{"acts": [{"sit": 1}]}', ["-: "]),
        ('{"acts": [{"seat": "SEAT_EAST"}]}', ["-: acts[0].kind: "]),
        ('{"acts": [' * 5000, ["-: this JSON is too long or too deep"]),
        ('{"acts": 1' + "0" * 5000 + "}", ["-: this JSON is too long or too deep"]),
    ],
)
def test_a_wrong_question_is_told_in_sentences(ask: Ask, address: str, text: str, sentences: list[str]) -> None:
    """What cannot be read or put to a referee is status 2 and a sentence each, with its place, from both doors."""
    status, out, err = ask("replay", "-", stdin=text)
    told = [line for line in err.splitlines() if not line.startswith("    ")]

    assert (2, "") == (status, out)
    assert len(sentences) == len(told)
    for begins, line in zip(sentences, told, strict=True):
        assert line.startswith(f"charleston: {begins.replace('-:', 'standard input:', 1)}")
    assert (2, "", err) == ask("replay", "-", "--address", address, stdin=text)


@pytest.mark.parametrize("argv", [("replay", "-"), ("next", "-"), ("show", "-"), ("fmt", "-"), ("fmt", "--check", "-")])
def test_below_a_sentence_with_a_place_stands_the_line_with_a_caret(ask: Ask, argv: tuple[str, ...]) -> None:
    """Every command that reads notation shows the line that it cannot read, with a caret under the place."""
    status, out, err = ask(*argv, stdin=f"# a note\nEAST passes 1b 3x 9d{' ' * 200}# another\n")
    sentence, line, caret = err.splitlines()

    assert (2, "") == (status, out)
    assert "charleston: standard input:2:16: expected a tile such as 3b, 5c, 9d, E, R or J, not '3x'" == sentence
    assert line.startswith("    EAST passes 1b 3x 9d") and len(line) <= 102
    assert "                   ^" == caret


def test_of_many_faults_the_first_are_shown(ask: Ask) -> None:
    """People are shown twenty places and told how many more there are; machines are told all."""
    status, out, err = ask("replay", "--json", "-", stdin="nonsense\n" * 100)

    assert 2 == status
    assert 100 == len(json.loads(out)["error"])
    assert 61 == len(err.splitlines())
    assert "charleston: standard input: and 80 more" == err.splitlines()[-1]


def test_json_that_cannot_be_read_has_a_caret_too(ask: Ask) -> None:
    """JSON is shown where it breaks off, and machines are told the sentence alone."""
    status, out, err = ask("replay", "--json", "-", stdin='{"acts": [}\n')

    assert 2 == status
    assert '    {"acts": [}\n              ^\n' == err.partition("\n")[2]
    assert {"game": "-", "error": ["standard input:1:11: Expecting value"]} == json.loads(out)


@pytest.mark.parametrize(
    ("field", "place"),
    [
        ("acts[1]", "g:3: act"),
        ("acts[0].tile_pass.tiles[2]", "g:2: tile_pass.tiles[2]"),
        ("acts[9].seat", "g: acts[9].seat"),
        ("table.east.rack[1]", "g: table.east.rack[1]"),
        ("", "g"),
    ],
)
def test_a_refusal_is_placed_by_line_where_there_is_one(field: str, place: str) -> None:
    """A field of an act is told by the act's line, and any other field, or none, as the referee names it."""
    entries = tuple(Entry("", table_pb2.Act(), line) for line in (2, 3))
    error = RefereeError(grpc.StatusCode.INVALID_ARGUMENT, "", (Violation(field, "", "No."),))
    wrong = refused("g", error, entries)

    assert isinstance(wrong, WrongQuestion)
    assert (f"{place}: No.",) == wrong.sentences


def test_a_file_that_cannot_be_read_is_told(ask: Ask, tmp_path: Path) -> None:
    """A missing file, a directory, bytes that are no text and a list as JSON are each status 2 and a sentence."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "list.json").write_text("[]")

    assert (2, "", "charleston: none: No such file or directory\n") == ask("next", "none")
    assert (2, "", f"charleston: {tmp_path}: Is a directory\n") == ask("next", tmp_path)
    assert "byte 0 is not UTF-8" in ask("replay", tmp_path / "bytes")[2]
    assert "expected one JSON object" in ask("next", tmp_path / "list.json")[2]


def test_nobody_to_ask_is_told(ask: Ask) -> None:
    """A referee that is not there, does not answer, or is none is status 2 and a sentence that names the address."""
    with socket.socket() as taken, socket.socket() as silent, ThreadPoolExecutor() as workers:
        for each in (taken, silent):
            each.bind(("127.0.0.1", 0))
        silent.listen()
        other = grpc.server(workers)
        nobody, quiet = (f"127.0.0.1:{each.getsockname()[1]}" for each in (taken, silent))
        stranger = f"127.0.0.1:{other.add_insecure_port('127.0.0.1:0')}"
        other.start()
        unreachable = ask("rules", "--address", nobody)
        late = ask("replay", HAND, "--address", quiet, "--timeout", "0.2")
        none = ask("next", "-", "--address", stranger, stdin=TABLE)
        other.stop(None).wait()

    assert (2, "") == unreachable[:2]
    assert unreachable[2].startswith(f"charleston: no referee can be reached at {nobody}: ")
    assert (2, "", f"charleston: the referee at {quiet} did not answer within 0.2 seconds\n") == late
    assert (2, "", f"charleston: what serves at {stranger} is no referee\n") == none


@pytest.mark.parametrize(
    "argv",
    [("--address", "nowhere"), ("--address", "127.0.0.1,127.0.0.2:1"), ("--timeout", "0"), ("--timeout", "nan")],
)
def test_an_address_and_a_time_are_checked(ask: Ask, argv: tuple[str, str]) -> None:
    """An address without a port, and a time that is no deadline, are status 2 and a sentence."""
    status, out, err = ask("rules", *argv)

    assert (2, "") == (status, out)
    assert "expected" in err


def test_next_draws_the_table_and_says_what_is_open(ask: Ask) -> None:
    """What comes next is told for each seat with its numbers and receivers, and an example in notation."""
    out = ask("next", "-", stdin=TABLE)[1]

    assert "passes 1b W __" in out
    assert "NORTH owes 1 tile to its own pass" in out
    assert "SOUTH  must pass 3 blind up to 3 to EAST" in out
    assert "NORTH  must replace 1 to its own pass" in out
    assert "EAST   may hand back up to 1 to WEST or NORTH" in out
    assert "       for example: SOUTH passes 1c 4c 6c at FIRST_LEFT" in out


def test_next_takes_a_table_or_a_whole_question(ask: Ask) -> None:
    """A Table and a WhatNextRequest as JSON are the same question as the table in notation."""
    table = write_table(parse_table(TABLE))
    question = service_pb2.WhatNextRequest(table=table)
    written = ask("next", "-", stdin=TABLE)

    assert written == ask("next", "-", stdin=json_format.MessageToJson(table))
    assert written == ask("next", "-", stdin=json_format.MessageToJson(question))


def test_next_draws_what_was_asked_about_on_a_misdeal(ask: Ask) -> None:
    """On a misdeal the table asked about is drawn, not the one thrown in."""
    status, out, _ = ask("next", "-", stdin="table at FIRST_RIGHT\nEAST rack 1b 2b 3b")

    assert 1 == status
    assert "EAST  1b 2b 3b" in out
    assert "It is a misdeal" in out


def test_next_answers_machines_with_the_whole_answer(ask: Ask) -> None:
    """For machines the answer is the WhatNextResponse as protobuf JSON."""
    answer = json_format.Parse(ask("next", "--json", "-", stdin=TABLE)[1], service_pb2.WhatNextResponse())

    assert ruling_pb2.VERDICT_LEGAL == answer.ruling.verdict
    assert table_pb2.STAGE_FIRST_LEFT == answer.standing.table.stage


def test_sentences_are_in_the_language_asked_for(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command that speaks does so in the language asked for, and in English unless asked, whatever the locale."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.setenv(name, "fr_FR.UTF-8")
    asked = (("replay", HAND), ("next", "-"), ("rules",))
    french, english = (
        [ask(*argv, *language, stdin=TABLE)[1] for argv in asked] for language in (("--language", "fr"), ())
    )

    assert all("tuile" in out for out in french)
    assert not any("tuile" in out for out in english)


@pytest.mark.parametrize("tag", ["fr\n", "français", "x" * 201])
def test_a_language_that_cannot_be_sent_is_told(ask: Ask, tag: str) -> None:
    """A language that no call can carry is status 2 and a sentence."""
    status, out, err = ask("rules", "--language", tag)

    assert (2, "") == (status, out)
    assert "expected a language such as fr" in err


def test_rules_are_listed_or_told_whole(ask: Ask) -> None:
    """The list has every article on a line, and an article by itself has its text and its reading."""
    listed = ask("rules")[1]
    article = json.loads(ask("rules", "stop.looked", "--json")[1])
    told = " ".join(ask("rules", "stop.looked")[1].split())

    assert "pass.three        ILLEGAL       " in listed
    assert article["text"] in told
    assert f"Reading: {article['reading']}" in told
    assert told.endswith("When broken: ILLEGAL")


def test_an_article_that_there_is_not_is_told_with_those_like_it(ask: Ask) -> None:
    """An id that names no article is status 2, with those that may be meant."""
    assert "there is joker.passed" in ask("rules", "joker.pased")[2]
    assert "there is stop.first, stop.looked, stop.over" in ask("rules", "stop")[2]
    assert 2 == ask("rules", "weather")[0]


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colour_is_for_terminals(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], coloured: bool
) -> None:
    """Output that is no terminal has no colour unless FORCE_COLOR asks for it, and NO_COLOR has the last word."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    outputs = [ask("replay", HAND)[1], ask("next", "-", stdin=TABLE)[1], ask("rules")[1]]

    assert [coloured] * 3 == ["\x1b[" in out for out in outputs]


def test_an_interrupt_is_quiet(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends the command with nothing more said."""

    def interrupt(path: str, house: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "read_game", interrupt)

    assert (130, "", "") == ask("replay", HAND)


def test_a_reader_that_leaves_is_no_error() -> None:
    """When the reader of its output goes away, the command ends with nothing said."""
    command = [sys.executable, "-m", "charleston", "replay", *map(str, GAMES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout and running.stderr
        running.stdout.close()
        complaints = running.stderr.read()

    assert (141, b"") == (running.returncode, complaints)


def test_help_and_version_are_for_people(ask: Ask) -> None:
    """Help names the commands, the exit status and the keys of the JSON document; the version is told."""
    help_status, helped, _ = ask("--help")
    version_status, version, _ = ask("--version")

    assert (0, 0) == (help_status, version_status)
    assert all(word in helped for word in ("replay", "next", "show", "fmt", "rules", "exit status"))
    assert all(word in ask("replay", "--help")[1] for word in ("--skip-illegal", "standing", "exit status"))
    assert version.startswith("charleston ")
