"""The generated parts of pages: written anew by `make docs`, and held fresh by a test.

A part stands between `<!-- NAME -->` and `<!-- end NAME -->`; what is outside is written by hand. A picture is
generated whole, and so is the dashboard.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from deploy.grafana import dashboard
from tests.house import (
    pages_bench,
    pages_diagram,
    pages_gameserver,
    pages_phrases,
    pages_protocol,
    pages_rulebook,
    pages_running,
)

ROOT = Path(__file__).resolve().parents[2]

PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {
        "rulebook": pages_rulebook.rulebook,
        "readings": pages_rulebook.readings,
        "settings": pages_running.settings,
    },
    "clients/examples/gameserver/README.md": pages_gameserver.parts(),
    "referee/README.md": {"metrics": pages_running.metrics, "labels": pages_running.labels},
    "referee/rulebook/README.md": {
        "articles": pages_rulebook.chapters,
        "asked": pages_rulebook.asked,
        "house": pages_rulebook.house,
    },
    "referee/phrases/README.md": {"sentences": pages_phrases.sentences},
    "proto/README.md": {
        "service": pages_protocol.service,
        "messages": pages_protocol.messages,
        "enums": pages_protocol.enums,
        "vectors": pages_protocol.vectors,
    },
    "tests/bench/README.md": {"results": pages_bench.results, "shapes": pages_bench.server_shapes},
    "deploy/scale.md": {"scale": pages_bench.cost},
}
PICTURES: dict[str, Callable[[], str]] = {
    "referee/order-of-play.svg": pages_diagram.order_of_play,
    "tests/bench/measured.svg": pages_bench.drawn,
    "deploy/grafana/dashboard.json": dashboard.written,
}


def fresh(page: str, text: str) -> str:
    """Return a page's text with its generated parts made anew, or what is generated whole."""
    if page in PICTURES:
        return PICTURES[page]()
    for name, make in PARTS[page].items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        part = f"\n{make()}\n\n"
        text, times = pattern.subn(lambda match, part=part: match[1] + part + match[2], text)  # type: ignore[misc]
        assert times == 1, f"{page} needs one part {name}, and has {times}"
    return text


def main() -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the pages anew")
    write = parser.parse_args().write
    stale = 0
    for page in (*PARTS, *PICTURES):
        path = ROOT / page
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if (made := fresh(page, text)) != text:
            stale += 1
            print(f"{page}: {'written' if write else 'stale'}")
            if write:
                path.write_text(made, encoding="utf-8")
    return 0 if write else min(stale, 1)


if __name__ == "__main__":
    sys.exit(main())
