"""The `referee` command: `referee serve`, `referee health`, `referee --version`."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import fields

from referee.readers import seconds, split
from referee.settings import BadSetting, Settings, flag, read, variable, version, written

# What the extra [server] brings, by the names that are imported.
EXTRA = ("google", "grpc", "grpc_health", "grpc_reflection", "orjson", "prometheus_client", "structlog")

_HEALTH = {
    "--service": "the service to ask about; none for the whole server",
    "--timeout": "seconds to wait for an answer (2)",
    "--tls-ca": "file of the authorities that are trusted: with it TLS is spoken",
    "--tls-cert": "file of the certificate to show, for mutual TLS",
    "--tls-key": "file of its key",
    "--tls-name": "the name in the server's certificate, where it is not the host of the address",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status: 0 done, 1 could not serve, or not SERVING, 2 told something unusable."""
    parser = _parser()
    told = parser.parse_args(arguments)
    if told.command is None:
        parser.print_help()
        return 2
    # gRPC's core writes to standard error in its own format; what matters of it comes back as an exception.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        return _health(told) if told.command == "health" else _serve(read(vars(told), os.environ))
    except BadSetting as why:
        return _fail(2, str(why))
    except ModuleNotFoundError as missing:
        if not missing.name or missing.name.partition(".")[0] not in EXTRA:
            raise
        return _fail(1, f"Serving needs {missing.name}: pip install 'charleston-referee[server]'")


def _serve(settings: Settings) -> int:
    from referee.ports import CannotServe

    if settings.workers == 1:
        from referee.server import serve
    else:
        from referee.processes import serve
    try:
        serve(settings)
    except CannotServe as why:
        return _fail(1, str(why))
    return 0


def _health(told: Namespace) -> int:
    from referee.probe import Probe, here

    address = told.address if told.address is not None else here(os.environ, Settings().listen)
    for name, text, check in (("address", address, split), ("timeout", told.timeout, seconds(0.001))):
        try:
            check(text)
        except ValueError as why:
            raise BadSetting(f"--{name} {why}, not {text!r}.") from None
    files = told.tls_ca, told.tls_cert, told.tls_key
    if bool(told.tls_cert) != bool(told.tls_key) or (told.tls_cert and not told.tls_ca):
        raise BadSetting("--tls-cert and --tls-key go together, and with --tls-ca.")
    try:
        serving, sentence = Probe(address, told.service, float(told.timeout), *files, told.tls_name).status()
    except OSError as why:
        return _fail(2, f"{why.filename} cannot be read: {why.strerror}.")
    if not serving:
        return _fail(1, sentence)
    print(sentence)
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
        "environment instead, under the name in brackets; a flag wins. The log goes to standard output, and its line "
        "`serving` says which addresses were opened.",
        allow_abbrev=False,
    )
    for setting in fields(Settings):
        told = f"{setting.metadata['help']} [{variable(setting)}, {written(setting.default) or 'none'}]"
        serve.add_argument(flag(setting), metavar="…", help=told.replace("%", "%%"))
    health = commands.add_parser(
        "health",
        help="ask a referee whether it is SERVING: exit status 0 if so, 1 if not",
        description="Ask a referee whether it is SERVING, for the probes of containers and service managers: one "
        "line, and exit status 0 if it is, 1 if it is not or gives no answer, 2 if a flag cannot be used.",
        allow_abbrev=False,
    )
    health.add_argument("--address", metavar="…", help="host:port (where a server of this environment listens)")
    for name, what in _HEALTH.items():
        health.add_argument(name, metavar="…", default="2" if name == "--timeout" else "", help=what)
    return parser


if __name__ == "__main__":
    sys.exit(main())
