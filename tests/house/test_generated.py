"""The generated code that is checked in is what the proto files say today."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / ".venv-gen" / "bin" / "python"
PACKAGE = Path("charleston/referee/v1")


def generated_below(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (directory / PACKAGE).glob("*_pb2*.py*")}


def test_generated_code_is_fresh(tmp_path: Path) -> None:
    """Generating anew, in the generator's own environment, gives the same files byte for byte."""
    assert GENERATOR.exists(), "the generator's environment is missing; `make .venv-gen/.ready` makes it"
    subprocess.run([GENERATOR, ROOT / "proto" / "generate.py", tmp_path], check=True)

    fresh = generated_below(tmp_path)
    checked_in = generated_below(ROOT / "clients" / "python")

    assert len(fresh) == 8
    assert sorted(fresh) == sorted(checked_in)
    assert [] == [name for name in fresh if fresh[name] != checked_in[name]], "run `make generate`"
