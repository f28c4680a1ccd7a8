"""What a referee can be told when it starts: flags and environment, read once into one frozen Settings.

Each setting is declared once, as a field below. Its flag, its name in the environment, the line in `--help`
and the settings page of the docs are made from that declaration. A flag wins over the environment.
"""

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from importlib import metadata
from typing import TypeVar

from referee import play
from referee.readers import address, address_or_none, file, key_file, one_of, seconds, stays_here, switch, whole

T = TypeVar("T")


class BadSetting(Exception):
    """A setting that cannot be used; its text is a sentence that names the flag or the variable."""


def _setting(default: T, read: Callable[[str], T], help: str) -> T:
    return field(default=default, metadata={"read": read, "help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a referee was told; every field has a default that suits one developer on one machine."""

    listen: str = _setting(
        "127.0.0.1:50051",
        address,
        "host:port for gRPC; port 0 takes a free one, 0.0.0.0 opens it to the network",
    )
    metrics: str = _setting("127.0.0.1:9464", address_or_none, "host:port for Prometheus; empty for no metrics port")
    tls_cert: str = _setting(
        "", file, "PEM file of the server's certificate and what it was signed by; with it TLS is spoken"
    )
    tls_key: str = _setting("", file, "PEM file of its key")
    tls_client_ca: str = _setting(
        "", file, "PEM file of the authorities that sign callers' certificates; with it every caller needs one"
    )
    tokens_file: str = _setting(
        "", file, "file of bearer tokens, NAME:TOKEN on each line; with it every caller needs one"
    )
    insecure: bool = _setting(
        False, switch, "on: may listen beyond this machine without TLS, where something else encrypts"
    )
    workers: int = _setting(
        1,
        whole(1, 256),
        "how many processes serve, each with a metrics port of its own, counted up from the one given",
    )
    pin: bool = _setting(
        True, switch, "on or off: keep each process to one CPU, which is faster; off where several share few CPUs"
    )
    threads: int = _setting(6, whole(1, 256), "how many calls a process judges at the same time; more is not faster")
    max_bytes: int = _setting(4 * 1024 * 1024, whole(1, 2**31 - 1), "largest message taken, in bytes")
    max_acts: int = _setting(1000, whole(1, 1_000_000), "most acts taken in one Replay")
    max_questions: int = _setting(1000, whole(1, 1_000_000), "most questions taken in one JudgeBatch")
    max_streams: int = _setting(100, whole(1, 10_000), "most JudgeStreams open at the same time")
    max_calls: int = _setting(
        1000, whole(1, 1_000_000), "most calls taken at the same time; those beyond are told to ask another"
    )
    max_concurrent_per_caller: int = _setting(
        0, whole(0, 1_000_000), "most calls and streams of one caller at the same time; 0 for no limit"
    )
    rate_per_caller: int = _setting(
        0, whole(0, 1_000_000), "most calls of one caller in a second, each stream one call; 0 for no limit"
    )
    max_connection_idle: float = _setting(
        0.0, seconds(0), "seconds without a call after which a connection is closed; 0 for never"
    )
    max_connection_age: float = _setting(
        0.0,
        seconds(0),
        "seconds after which a connection is closed, so that its client connects anew, perhaps to another; 0 for never",
    )
    max_connection_age_grace: float = _setting(
        60.0, seconds(0), "seconds that calls and streams of a connection that is too old have to finish"
    )
    patience: float = _setting(5.0, seconds(0.001), "seconds a caller has to send its question once it is its turn")
    grace: float = _setting(10.0, seconds(0), "seconds that calls already taken have to finish when told to stop")
    drain_pause: float = _setting(
        0.0,
        seconds(0),
        "seconds to say NOT_SERVING, and serve on, before no more calls are taken; behind a load balancer, a "
        "little more than the time it needs to notice",
    )
    id_key_file: str = _setting(
        "",
        key_file,
        "file with the key from which rulings get their ids, the same on every replica; empty for rulings without ids",
    )
    reflection: str = _setting(
        "auto",
        one_of("auto", "on", "off"),
        "tell clients like grpcurl what can be asked: on, off, or auto, which is on where only this machine can ask",
    )
    log: bool = _setting(True, switch, "on or off: a line for each call; starting, stopping and faults always get one")
    log_format: str = _setting(
        "auto",
        one_of("auto", "json", "text"),
        "json, text (for people), or auto: text where standard output is a terminal, json elsewhere",
    )
    spans: bool = _setting(
        False, switch, "on or off: an OpenTelemetry span for each call, sent as OTEL_… variables say; needs [otel]"
    )

    def __post_init__(self) -> None:
        """Raise BadSetting where settings do not go together."""
        if bool(self.tls_cert) != bool(self.tls_key):
            raise BadSetting("--tls-cert and --tls-key go together.")
        if self.tls_client_ca and not self.tls_cert:
            raise BadSetting("--tls-client-ca needs --tls-cert and --tls-key: callers show certificates over TLS only.")
        if not (self.tls_cert or self.insecure or stays_here(self.listen)):
            raise BadSetting(
                f"--listen {self.listen} is open to other machines, and without TLS whoever is on the way reads every "
                "rack: give --tls-cert and --tls-key, or say --insecure on where something else encrypts."
            )

    @property
    def reflects(self) -> bool:
        """Whether reflection is on."""
        return self.reflection == "on" or (self.reflection == "auto" and stays_here(self.listen))


def version() -> str:
    """Return the version of the installed referee; "unknown" in a source tree that was never installed."""
    try:
        return metadata.version("charleston-referee")
    except metadata.PackageNotFoundError:
        return "unknown"


def compiled() -> bool:
    """Tell whether the modules that every act goes through are compiled here; else Python runs their sources."""
    return not play.__file__.endswith(".py")


def flag(setting: "Field[object]") -> str:
    """Return the flag that sets it, like --drain-pause."""
    return "--" + setting.name.replace("_", "-")


def variable(setting: "Field[object]") -> str:
    """Return the environment variable that sets it, like REFEREE_DRAIN_PAUSE."""
    return "REFEREE_" + setting.name.upper()


def written(value: object) -> str:
    """Return a setting's value as one would write it: on and off for a switch."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def read(flags: Mapping[str, str | None], environ: Mapping[str, str]) -> Settings:
    """Return the settings: from flags by field name (None: not given), else the environment, else as is."""
    told: dict[str, object] = {}
    for setting in fields(Settings):
        source, text = flag(setting), flags.get(setting.name)
        if text is None:
            source, text = variable(setting), environ.get(variable(setting))
        if text is not None:
            try:
                told[setting.name] = setting.metadata["read"](text)
            except ValueError as why:
                raise BadSetting(f"{source} {why}, not {text!r}.") from None
    return Settings(**told)  # type: ignore[arg-type]  # each value was read by its own field's reader
