"""`charleston replay`: judge the games of files and report them."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from charleston.asking import Referee
from charleston.commands.judging import replay
from charleston.commands.question import read_game
from charleston.commands.report import Report, document
from charleston.commands.source import WrongQuestion


def run(told: Namespace, door: Referee) -> int:
    """Replay each game and report it; return 0 if all were lawful, 1 if not, 2 if one cannot be put to a referee."""
    report = Report(sys.stdout, every=told.verbose, only_faults=told.quiet)
    status = 0
    for path in told.game:
        try:
            replayed = replay(door, read_game(path, told.house), skip_illegal=told.skip_illegal)
        except WrongQuestion as wrong:
            status = 2
            for sentence in wrong.told:
                print(f"charleston: {sentence}", file=sys.stderr)
            if told.json:
                print(json.dumps({"game": path, "error": wrong.sentences}))
            continue
        status = max(status, 0 if replayed.lawful else 1)
        if told.json:
            print(json.dumps(document(replayed)))
        else:
            report.tell(replayed)
    if not told.json:
        report.sum_up()
    return status
