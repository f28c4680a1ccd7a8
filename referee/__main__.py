"""The `referee` command: `referee serve`, `referee --version`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import fields

from referee.settings import BadSetting, Settings, flag, read, variable, version, written

# What the extra [server] brings, by the names that are imported.
EXTRA = ("google", "grpc", "grpc_health", "grpc_reflection", "orjson", "prometheus_client", "structlog")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status: 0 done, 1 could not serve, 2 told something unusable."""
    parser = _parser()
    told = parser.parse_args(arguments)
    if told.command is None:
        parser.print_help()
        return 2
    try:
        return _serve(read(vars(told), os.environ))
    except BadSetting as why:
        return _fail(2, str(why))


def _serve(settings: Settings) -> int:
    # gRPC's core writes to standard error in its own format; what matters of it comes back as an exception.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        from referee.ports import CannotServe

        if settings.workers == 1:
            from referee.server import serve
        else:
            from referee.processes import serve
    except ModuleNotFoundError as missing:
        if not missing.name or missing.name.partition(".")[0] not in EXTRA:
            raise
        return _fail(1, f"Serving needs {missing.name}: pip install 'charleston-referee[server]'")
    try:
        serve(settings)
    except CannotServe as why:
        return _fail(1, str(why))
    return 0


def _fail(status: int, sentence: str) -> int:
    print(f"referee: {sentence}", file=sys.stderr)
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="referee",
        description="A referee for the Charleston, the tile exchange of American Mah Jongg.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"referee {version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    serve = commands.add_parser(
        "serve",
        help="serve the referee over gRPC until told to stop",
        description="Serve the referee over gRPC until SIGTERM or SIGINT. Each flag can be given in the "
        "environment instead, under the name in brackets; a flag wins. Log lines are JSON on standard output, "
        "and the first one says which addresses were opened.",
        allow_abbrev=False,
    )
    for setting in fields(Settings):
        told = f"{setting.metadata['help']} [{variable(setting)}, {written(setting.default) or 'none'}]"
        serve.add_argument(flag(setting), metavar="…", help=told.replace("%", "%%"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
