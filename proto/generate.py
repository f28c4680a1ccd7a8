"""Write the Python code of the proto files: messages, service and typed stubs.

Run it with the interpreter of an environment that holds proto/requirements.txt and nothing else, as
`make generate` does. It writes below the directory that is named, or below clients/python when none is, and
removes what an earlier run left there.
"""

import sys
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
PACKAGE = Path("charleston/referee/v1")
CHECKED_IN = PROTO.parent / "clients" / "python"


def generate(out: Path) -> None:
    """Write the generated modules to PACKAGE below `out`; raise SystemExit if protoc refuses."""
    target = out / PACKAGE
    target.mkdir(parents=True, exist_ok=True)
    for stale in target.glob("*_pb2*.py*"):
        stale.unlink()
    sources = sorted((PROTO / PACKAGE).glob("*.proto"))
    services = [source for source in sources if "\nservice " in source.read_text(encoding="utf-8")]
    run([f"--python_out={out}", f"--mypy_out=quiet:{out}"], sources)
    run([f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}"], services)


def run(outputs: list[str], sources: list[Path]) -> None:
    """Call protoc with the plugins that lie beside this interpreter."""
    plugins = Path(sys.executable).parent
    arguments = [
        "protoc",
        f"--proto_path={PROTO}",
        f"--proto_path={resources.files('grpc_tools') / '_proto'}",  # google/protobuf/any.proto
        f"--plugin=protoc-gen-mypy={plugins / 'protoc-gen-mypy'}",
        f"--plugin=protoc-gen-mypy_grpc={plugins / 'protoc-gen-mypy_grpc'}",
        *outputs,
        *map(str, sources),
    ]
    if status := protoc.main(arguments):
        raise SystemExit(status)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else CHECKED_IN)
