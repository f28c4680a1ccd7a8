"""The page of the example game servers: the lines that deal with each situation, and what the hand prints of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from textwrap import dedent

FOLDER = Path(__file__).resolve().parents[2] / "clients" / "examples" / "gameserver"
CODE = ("swap", "sit_down", "asked", "play", "deal", "answered", "watch", "keep_time")
SCENES = (
    "Four players",
    "What South",
    "Two acts",
    "North hangs",
    "A retry",
    "A Joker",
    "The referee",
    "The second",
    "The courtesy",
    "East discards",
)


def python(name: str) -> str:
    """Return a function of the game server in Python, by its name without underscores before it."""
    for module in ("server.py", "tables.py"):
        text = (FOLDER / module).read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.lstrip("_") == name:
                return dedent("\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno]))
    raise LookupError(f"there is no function {name} in Python")


def typescript(name: str) -> str:
    """Return the same function in TypeScript, with its comment."""
    camel = re.sub(r"_(\w)", lambda letter: letter[1].upper(), name)
    comment = r"(?:^  /\*\*(?:(?!\*/).)*?\*/\n)?"
    pattern = re.compile(rf"{comment}^  (?:async )?#?{camel}(?:<\w+>)?\(.*?^  }}$", re.DOTALL | re.MULTILINE)
    for module in ("server.ts", "tables.ts"):
        if found := pattern.search((FOLDER / module).read_text(encoding="utf-8")):
            return dedent(found[0])
    raise LookupError(f"there is no function {camel} in TypeScript")


def code(name: str) -> str:
    """Return a function in both languages, the second folded away, as blocks that are not run by themselves."""
    folded = f"<details><summary>The same in TypeScript</summary>\n\n```ts\n{typescript(name)}\n```\n\n</details>"
    return f"```py\n{python(name)}\n```\n\n{folded}"


def told(scene: str) -> str:
    """Return what the hand prints of a scene."""
    (text,) = (
        text
        for text in (FOLDER / "transcript.txt").read_text(encoding="utf-8").split("\n\n")
        if text.strip().startswith(scene)
    )
    return f"```text\n{text.strip()}\n```"


def parts() -> dict[str, Callable[[], str]]:
    """Return the generated parts of the page by their names."""
    made: dict[str, Callable[[], str]] = {name: partial(code, name) for name in CODE}
    made.update({scene: partial(told, scene) for scene in SCENES})
    return made
