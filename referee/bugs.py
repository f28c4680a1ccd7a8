"""What is told of a bug of ours: what it is and where, and never its text, which could quote a tile."""

import sys
from pathlib import Path
from traceback import walk_tb


def places(bug: Exception) -> list[str]:
    """Return where it was raised, the last eight files and lines."""
    return [f"{Path(frame.f_code.co_filename).name}:{line}" for frame, line in walk_tb(bug.__traceback__)][-8:]


def complain(bug: Exception) -> None:
    """Tell the operator on standard error: for what no log line can be made of."""
    print(f"referee: a call met {type(bug).__name__} at {', '.join(places(bug))}", file=sys.stderr, flush=True)
