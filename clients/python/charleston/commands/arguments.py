"""What can be said to `charleston`: its commands, their options, and the help that explains them."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from functools import partial
from importlib import metadata

from charleston.addresses import target
from charleston.commands import check, completion, conform, fmt, next, replay, rules, show, transition, view
from referee.house import HouseRules
from referee.notation import NotationError, parse_house

DESCRIPTION = """\
A referee for the Charleston, the tile exchange that opens every hand of American Mah Jongg.

Without --address the referee inside this command judges; with it, the one that serves there.
"""
EXAMPLES = """\
for example:
  charleston replay my-game.charleston         what is not lawful in a game, and why
  charleston check games/ --junit report.xml   the games of a build, in CI
  charleston rules joker.found                 an article, with its reading
  charleston conform 127.0.0.1:50051           whether another referee keeps the rules

`charleston COMMAND --help` tells more of each.
"""
EXIT = """\
exit status: 0 all was lawful, 1 something was not, 2 the question was wrong or nobody answered
"""
CHECK = """\
Judge games and transitions, many at once, and report what is not lawful.

A PATH is a file, a folder, a pattern such as 'games/**/*.charleston', or - for standard input. A file is notation, a
ReplayRequest or JudgeTransitionRequest as protobuf JSON, or JSON lines with one of these a line; it may be packed with
gzip. Every report can be asked for at once.
"""
CHECK_EXIT = """\
exit status: 0 all is lawful or a known fault, 1 something is not, or a known fault no longer fails,
2 something cannot be judged or nobody answered
"""
JSON = f"""\
--json prints one document a game, each on a line of its own, with the keys
  game, lawful        the file, and whether nothing in it is broken and every claim holds
  acts                how many acts the game has; rulings are fewer when an illegal act ended it
  rulings             a list of {{line, act, ruling}}: the line in the file, the act in notation, and the ruling
  claims              a list of {{line, seat, holds, claimed, missing, beyond}} for lines such as EAST holds 1b 2b
  standing            the last table and what comes next
or, for a game that cannot be put to a referee, game and error (a list of sentences).
Rulings and standing are protobuf JSON of charleston.referee.v1.

{EXIT}"""
LANGUAGE = "of its sentences: en, fr or nl (en)"
DOOR = {
    "--tls-ca": "speak TLS, and trust the authorities in this PEM file",
    "--tls-cert": "show this certificate, for mutual TLS",
    "--tls-key": "the key of the certificate",
    "--token-file": "show the bearer token in this file",
}
DRAWN_EXIT = """\
exit status: 0 it is drawn, 2 it cannot be read
"""
RULES_EXIT = """\
exit status: 0 it is told, 2 there is no such article or house rule, or nobody answered
"""
FORMAT = partial(RawDescriptionHelpFormatter, max_help_position=28)
FMT = """\
Write games and tables in canonical notation. Comments, blank lines and the order of lines stay as they are.
Nothing is written unless every file can be read.
"""
FMT_EXIT = """\
exit status: 0 all is written in canonical form, 1 with --check something is not, 2 a file cannot be read or written
"""


def parser() -> ArgumentParser:
    """Return the parser of all commands; `run` does what was asked, and `asks` tells whether a referee is needed."""
    whole = ArgumentParser(
        prog="charleston",
        description=DESCRIPTION,
        epilog=f"{EXAMPLES}\n{EXIT}",
        formatter_class=FORMAT,
        allow_abbrev=False,
    )
    version = metadata.version("charleston-referee")
    whole.add_argument("-V", "--version", action="version", version=f"charleston {version}")
    commands = whole.add_subparsers(metavar="COMMAND")
    whole.set_defaults(run=None)

    def command(
        name: str,
        help: str,
        description: str,
        epilog: str = EXIT,
        *,
        asks: bool = True,
        address: str = "--address",
        json: str = "answer for machines",
    ) -> ArgumentParser:
        made: ArgumentParser = commands.add_parser(
            name,
            help=help,
            description=description,
            epilog=epilog,
            formatter_class=FORMAT,
            allow_abbrev=False,
        )
        if asks:
            one = None if address.startswith("-") else "?"
            where = "ask the referee that serves here"
            made.add_argument(address, metavar="HOST:PORT", nargs=one, type=_address, help=where)
            made.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=10.0, help="for each answer (10)")
            made.add_argument("--language", metavar="TAG", type=_language, default="", help=LANGUAGE)
            for option, help in DOOR.items():
                made.add_argument(option, metavar="FILE", help=help)
        if json:
            made.add_argument("--json", action="store_true", help=json)
        made.set_defaults(asks=asks)
        return made

    games = command(
        "replay",
        "judge every act of a game",
        "Judge every act of a game, in order, and tell what is not lawful and why. An illegal act ends the game.",
        JSON,
    )
    games.add_argument("game", metavar="GAME", nargs="+", help="notation, or a ReplayRequest as JSON; - is stdin")
    games.add_argument("--skip-illegal", action="store_true", help="leave out illegal acts and go on")
    amount = games.add_mutually_exclusive_group()
    amount.add_argument("-v", "--verbose", "--all", action="store_true", help="say the whole ruling on every act")
    amount.add_argument("-q", "--quiet", action="store_true", help="show only what is not lawful")
    _at_home(games)
    games.set_defaults(run=replay.run)

    many = command("check", "judge many games and transitions, for CI", CHECK, CHECK_EXIT, json="")
    many.add_argument("path", metavar="PATH", nargs="+", help="what to check")
    many.add_argument("--expected", metavar="FILE.toml", help="known faults: one that no longer fails is a failure")
    many.add_argument("--fix", action="store_true", help="rewrite the known faults to what is found")
    many.add_argument("--json", metavar="FILE", help="write a line of JSON for each item, and the summary; - is stdout")
    many.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    many.add_argument("--sarif", metavar="FILE", help="write SARIF 2.1.0")
    many.add_argument("--github", action="store_true", help="print annotations for a GitHub workflow")
    many.add_argument(
        "--jobs", metavar="N", type=_jobs, help="cores (all), or questions on their way to --address (32)"
    )
    many.add_argument("--skip-illegal", action="store_true", help="leave out illegal acts and go on")
    many.add_argument("-v", "--verbose", action="store_true", help="tell known faults too")
    _at_home(many)
    many.set_defaults(run=check.run)

    table = command(
        "next",
        "draw a table and say what comes next",
        "Draw a table and say what each seat may and must do next, with an act that would be lawful.",
    )
    table.add_argument("file", metavar="TABLE", help="notation, or a Table or WhatNextRequest as JSON; - is stdin")
    _at_home(table)
    table.set_defaults(run=next.run)

    seen = command(
        "view",
        "show the end of a game as one seat sees it",
        "Replay a game and show its last table as one seat or a bystander may see it, and what comes next there.",
    )
    seen.add_argument("game", metavar="GAME", help="notation, or a ReplayRequest as JSON; - is stdin")
    seen.add_argument(
        "--seat", metavar="SEAT", type=str.upper, choices=view.VIEWERS, required=True, help="a seat, or bystander"
    )
    _at_home(seen)
    seen.set_defaults(run=view.run)

    steps = command(
        "transition",
        "judge whether one table can follow another",
        "Judge whether the table AFTER can lawfully follow the table BEFORE, and say what speaks against it.",
    )
    steps.add_argument("before", metavar="BEFORE", help="notation, or a Table as JSON; - is stdin")
    steps.add_argument("after", metavar="AFTER", help="the same")
    steps.add_argument("--acts", metavar="GAME", help="what was done in between, which makes the answer exact")
    _at_home(steps)
    steps.set_defaults(run=transition.run)

    drawn = command(
        "show",
        "draw a table, or the start of a game",
        "Draw a table, or the one that a game starts from, as it is written: nothing is judged.",
        DRAWN_EXIT,
        asks=False,
        json="write it as a Table in protobuf JSON",
    )
    drawn.add_argument("file", metavar="TABLE", help="notation, or protobuf JSON of a table or a question; - is stdin")
    drawn.set_defaults(run=show.run)

    form = command("fmt", "write notation in canonical form", FMT, FMT_EXIT, asks=False, json="")
    form.add_argument("file", metavar="FILE", nargs="+", help="a game or table in notation; - is stdin, to stdout")
    form.add_argument("--check", action="store_true", help="write nothing, and tell what would be rewritten")
    form.set_defaults(run=fmt.run)

    read = "List the rulebook or the house rules, or read one of them whole."
    articles = command("rules", "list the rulebook, or read one article", read, RULES_EXIT)
    articles.add_argument("id", metavar="ID", nargs="?", help="the one to read, such as joker.passed")
    articles.add_argument("--house", action="store_true", help="the house rules instead")
    articles.set_defaults(run=rules.run)

    cases = command("conform", conform.HELP, conform.DESCRIPTION, conform.EPILOG, address="address", json="")
    conform.options(cases)

    shells = command("completion", completion.HELP, completion.DESCRIPTION, completion.EPILOG, asks=False, json="")
    completion.options(shells, whole)
    return whole


def _at_home(command: ArgumentParser) -> None:
    command.add_argument("--house", metavar="RULES", type=_house, help="house rules where a file has none: league")


def _house(text: str) -> HouseRules:
    try:
        return parse_house(text)
    except NotationError as wrong:
        raise ArgumentTypeError(wrong.problems[0].message) from None


def _address(text: str) -> str:
    if not text.rpartition(":")[2].isdecimal():
        raise ArgumentTypeError(f"expected HOST:PORT such as 127.0.0.1:50051, not {text!r}")
    try:
        target(text)
    except ValueError as why:
        raise ArgumentTypeError(str(why)) from None
    return text


def _language(text: str) -> str:
    if not re.fullmatch(r"[ -~]{0,200}", text):
        raise ArgumentTypeError(f"expected a language such as fr, or several such as 'nl, fr;q=0.5', not {text!r}")
    return text


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:5]) <= 1000):
        raise ArgumentTypeError(f"expected a number from 1 to 1000, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise ArgumentTypeError(f"expected seconds, above none and up to 3600, not {text!r}")
    return seconds
