"""`charleston show`: draw a table, or the one that a game starts from; no referee is asked."""

from __future__ import annotations

import sys
from argparse import Namespace

from google.protobuf import json_format

from charleston.commands.question import read_start
from charleston.commands.source import WrongQuestion, name_of
from charleston.paint import Paint
from charleston.picture import picture


def run(told: Namespace) -> int:
    """Draw a table as it is written, whether or not it is lawful."""
    table = read_start(told.file)
    try:
        drawn = picture(table, Paint.on(sys.stdout))
    except ValueError:  # JSON may hold any number
        raise WrongQuestion(f"{name_of(told.file)}: there is something in it that is no tile, seat or stage") from None
    print(json_format.MessageToJson(table) if told.json else drawn)
    return 0
