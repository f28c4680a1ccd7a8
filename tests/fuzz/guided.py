"""One target under atheris, which looks for input that reaches code not reached before.

`python -m tests.fuzz.guided TARGET FOLDER -max_total_time=60` fuzzes it with the inputs of a folder to begin with;
the options are libFuzzer's. With files in place of the folder these are tried, and nothing else.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["referee"]):
    from tests.fuzz import targets


def mutated(data: bytes, most: int, seed: int) -> bytes:
    """Change an input: mostly as a request that somebody has scribbled on, else byte by byte."""
    changed = targets.scribbled(data, seed)
    if changed is None or len(changed) > most:
        changed = atheris.Mutate(data, len(data))
    return bytes(changed)


def main() -> None:
    """Fuzz what the command line names; it does not return."""
    name = sys.argv[1]
    more = {} if name == "notation" else {"custom_mutator": mutated}
    atheris.Setup([sys.argv[0], *sys.argv[2:]], targets.TARGETS[name], **more)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
