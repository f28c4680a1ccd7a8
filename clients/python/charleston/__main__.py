"""The `charleston` command: games judged, tables drawn and rules read, with a referee at an address or without one."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from charleston.commands.arguments import parser
from charleston.commands.door import door
from charleston.commands.source import WrongQuestion
from charleston.errors import RefereeError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    for closed in (name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None):
        setattr(sys, closed, io.TextIOWrapper(io.BytesIO()))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that cannot draw a line still shows the tiles
    arguments = parser()
    told = arguments.parse_args(argv)
    if told.run is None:
        arguments.print_help()
        return 2
    try:
        status = _run(told)
        sys.stdout.flush()
    except WrongQuestion as wrong:
        return _say(*wrong.told)
    except RefereeError as error:
        return _say(_no_answer(error, told.address, told.timeout))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes
        return 141
    except KeyboardInterrupt:
        return 130
    except OSError as why:
        return _say(f"what was found cannot be written: {why.strerror}")
    return status


def _run(told: Namespace) -> int:
    if not told.asks:
        return int(told.run(told))
    with door(told) as asked:
        return int(told.run(told, asked))


def _say(*sentences: str) -> int:
    for sentence in sentences:
        print(f"charleston: {sentence}", file=sys.stderr)
    return 2


def _no_answer(error: RefereeError, address: str | None, timeout: float) -> str:
    match error.code.name:
        case "DEADLINE_EXCEEDED":
            return f"the referee at {address} did not answer within {timeout:g} seconds"
        case "UNAUTHENTICATED":
            return f"the referee at {address} does not know you: {error.message}"
        case "UNAVAILABLE":
            return f"no referee can be reached at {address}: {error.message}"
        case "UNIMPLEMENTED":
            return f"what serves at {address} is no referee"
        case _:
            return f"the referee gave no answer: {error}"


if __name__ == "__main__":
    sys.exit(main())
