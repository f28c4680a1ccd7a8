"""The `charleston` command: games judged, tables drawn and rules read, with a referee at an address or without one."""

from __future__ import annotations

import io
import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import metadata

from charleston.commands import next, replay, rules
from charleston.commands.door import door
from charleston.commands.question import WrongQuestion
from charleston.errors import RefereeError

DESCRIPTION = """\
A referee for the Charleston, the tile exchange that opens every hand of American Mah Jongg.

Without --address the referee inside this command judges; with it, the one that serves there.
"""
EXIT = """\
exit status: 0 all was lawful, 1 something was not, 2 the question was wrong or nobody answered
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that cannot draw a line still shows the tiles
    parser = _parser()
    told = parser.parse_args(argv)
    if told.run is None:
        parser.print_help()
        return 2
    try:
        with door(told.address, told.timeout, told.language) as asked:
            status: int = told.run(told, asked)
        sys.stdout.flush()
    except WrongQuestion as wrong:
        return _say(*wrong.sentences)
    except RefereeError as error:
        return _say(_no_answer(error, told.address, told.timeout))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes
        return 141
    except KeyboardInterrupt:
        return 130
    return status


def _say(*sentences: str) -> int:
    for sentence in sentences:
        print(f"charleston: {sentence}", file=sys.stderr)
    return 2


def _no_answer(error: RefereeError, address: str | None, timeout: float) -> str:
    match error.code.name:
        case "DEADLINE_EXCEEDED":
            return f"the referee at {address} did not answer within {timeout:g} seconds"
        case "UNAVAILABLE":
            return f"no referee can be reached at {address}: {error.message}"
        case "UNIMPLEMENTED":
            return f"what serves at {address} is no referee"
        case _:
            return f"the referee gave no answer: {error}"


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="charleston",
        description=DESCRIPTION,
        epilog=EXIT,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = metadata.version("charleston-referee")
    parser.add_argument("--version", action="version", version=f"charleston {version}")
    commands = parser.add_subparsers(metavar="COMMAND")
    parser.set_defaults(run=None)

    def command(name: str, help: str, description: str, epilog: str = EXIT) -> ArgumentParser:
        made: ArgumentParser = commands.add_parser(
            name,
            help=help,
            description=description,
            epilog=epilog,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        made.add_argument("--address", metavar="HOST:PORT", type=_address, help="ask the referee that serves here")
        made.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=10.0, help="for each answer (10)")
        made.add_argument("--language", metavar="TAG", type=_language, default="", help="of sentences: en, fr, nl (en)")
        made.add_argument("--json", action="store_true", help="answer for machines")
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
    games.set_defaults(run=replay.run)

    table = command(
        "next",
        "draw a table and say what comes next",
        "Draw a table and say what each seat may and must do next, with an act that would be lawful.",
    )
    table.add_argument("file", metavar="TABLE", help="notation, or a Table or WhatNextRequest as JSON; - is stdin")
    table.set_defaults(run=next.run)

    articles = command("rules", "list the rulebook, or read one article", "List the rulebook, or read one article.")
    articles.add_argument("id", metavar="ID", nargs="?", help="an article, such as joker.passed")
    articles.set_defaults(run=rules.run)
    return parser


def _address(text: str) -> str:
    if not text.rpartition(":")[2].isdecimal():
        raise ArgumentTypeError(f"expected HOST:PORT such as 127.0.0.1:50051, not {text!r}")
    return text


def _language(text: str) -> str:
    if not re.fullmatch(r"[ -~]{0,200}", text):
        raise ArgumentTypeError(f"expected a language such as fr, or several such as 'nl, fr;q=0.5', not {text!r}")
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise ArgumentTypeError(f"expected seconds, above none and up to 3600, not {text!r}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
