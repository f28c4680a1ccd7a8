"""Write demo.svg, the picture in the README, from what the demo really prints; for development, as it needs `rich`."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

HERE = Path(__file__).parent
PICTURE = HERE / "demo.svg"
WIDE = 96
COLOURS = {
    "black": (24, 27, 32), "red": (240, 113, 113), "green": (129, 193, 115), "yellow": (238, 196, 90),
    "blue": (110, 160, 240), "magenta": (205, 140, 225), "cyan": (98, 190, 205), "white": (222, 222, 218),
}  # fmt: skip
THEME = TerminalTheme(COLOURS["black"], COLOURS["white"], list(COLOURS.values()))
# No font is fetched from anywhere: a page that shows the picture asks nobody.
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>What the demo prints: a Joker caught and handed back, and 98 games judged</title>
<style>
text {{ font-family: Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  font-size: {char_height}px; white-space: pre; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
<rect width="{width}" height="{height}" rx="8" fill="#181b20"/>
<g transform="translate({terminal_x}, 12)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
{matrix}
</g>
</svg>
"""


def printed() -> str:
    """Run the demo and return what it prints on a terminal."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"FORCE_COLOR": "1"}
    demo = subprocess.run(
        [sys.executable, HERE / "demo.py"], env=environment, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    return demo.stdout


def excerpt(screen: str) -> str:
    """Return what the README shows: the moment of the Joker and the counts, without what changes from run to run."""
    return "\n".join(_excerpt(screen.splitlines()))


def svg(text: str) -> str:
    """Return a picture of painted text, the same for the same text."""
    console = Console(record=True, width=WIDE, file=io.StringIO(), color_system="standard", legacy_windows=False)
    console.print(Text.from_ansi(text), end="")
    drawn = console.export_svg(theme=THEME, code_format=SVG, unique_id="demo")
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def _excerpt(lines: list[str]) -> Iterator[str]:
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    heads = [index for index, line in enumerate(plain) if line.endswith("──")]
    hand, games, end = (next(h for h in heads if plain[h].startswith(begins)) for begins in ("One", "Games", "Ask"))
    caught = next(index for index, line in enumerate(plain) if line.startswith("FIRST ACROSS"))
    paid = next(index for index, line in enumerate(plain) if line.startswith("FIRST LEFT"))
    yield lines[hand]
    yield from lines[caught:paid]
    yield ""
    yield from (line for line in lines[games:end] if not line.startswith("It took"))


if __name__ == "__main__":
    PICTURE.write_text(svg(excerpt(printed())), encoding="utf-8")
