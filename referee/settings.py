"""What a referee can be told when it starts: flags and environment, read once into one frozen Settings.

Each setting is declared once, as a field below. Its flag, its name in the environment, the line in `--help`
and the settings page of the docs are made from that declaration. A flag wins over the environment.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from importlib import metadata
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class BadSetting(Exception):
    """A setting that cannot be used; its text is a sentence that names the flag or the variable."""


def split(address: str) -> tuple[str, int]:
    """Return host and port of "host:port" (IPv6 in brackets: "[::1]:50051"); raise ValueError otherwise."""
    host, colon, port = address.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if not colon or not host or (":" in host and not bracketed) or host.strip() != host:
        raise ValueError("must be host:port, like 127.0.0.1:50051")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536):
        raise ValueError("must end in a port from 0 to 65535")
    try:
        host.encode("idna")
    except UnicodeError:
        raise ValueError("must begin with the name or the address of a host") from None
    return host, int(port)


def _address(text: str) -> str:
    split(text)
    return text


def _address_or_none(text: str) -> str:
    return _address(text) if text else ""


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return read


def seconds(least: float) -> Callable[[str], float]:
    """Return what reads a number of seconds of at least so many, and raises ValueError otherwise."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= 3600:  # NaN is refused here too: it compares false with everything
            raise ValueError(f"must be a number of seconds from {least:g} to 3600")
        return number

    return read


def key(path: str) -> bytes:
    """Return the key in a file, without white space round it; none if there is no file. Raise ValueError otherwise."""
    try:
        held = Path(path).read_bytes().strip() if path else b""
    except OSError as why:
        raise ValueError(f"must be a file that can be read ({why.strerror})") from None
    if path and len(held) < 16:
        raise ValueError("must be a file with a key of 16 bytes or more")
    return held


def _key_file(text: str) -> str:
    key(text)
    return text


def _switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError("must be on or off")
    return text == "on"


def _form(text: str) -> str:
    if text not in ("auto", "json", "text"):
        raise ValueError("must be auto, json or text")
    return text


def _setting(default: T, read: Callable[[str], T], help: str) -> T:
    return field(default=default, metadata={"read": read, "help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a referee was told; every field has a default that suits one developer on one machine."""

    listen: str = _setting(
        "127.0.0.1:50051",
        _address,
        "host:port for gRPC; port 0 takes a free one, 0.0.0.0 opens it to the network",
    )
    metrics: str = _setting("127.0.0.1:9464", _address_or_none, "host:port for Prometheus; empty for no metrics port")
    workers: int = _setting(
        1,
        _whole(1, 256),
        "how many processes serve, each with a metrics port of its own, counted up from the one given",
    )
    pin: bool = _setting(
        True, _switch, "on or off: keep each process to one CPU, which is faster; off where several share few CPUs"
    )
    threads: int = _setting(6, _whole(1, 256), "how many calls a process judges at the same time; more is not faster")
    max_bytes: int = _setting(4 * 1024 * 1024, _whole(1, 2**31 - 1), "largest message taken, in bytes")
    max_acts: int = _setting(1000, _whole(1, 1_000_000), "most acts taken in one Replay")
    max_questions: int = _setting(1000, _whole(1, 1_000_000), "most questions taken in one JudgeBatch")
    max_streams: int = _setting(
        100, _whole(1, 10_000), "most JudgeStreams open at the same time; each holds a thread, idle or not"
    )
    patience: float = _setting(5.0, seconds(0.001), "seconds a caller has to send its question once it has called")
    grace: float = _setting(10.0, seconds(0), "seconds that calls already taken have to finish when told to stop")
    drain_pause: float = _setting(
        0.0,
        seconds(0),
        "seconds to say NOT_SERVING, and serve on, before no more calls are taken; behind a load balancer, a "
        "little more than the time it needs to notice",
    )
    id_key_file: str = _setting(
        "",
        _key_file,
        "file with the key from which rulings get their ids, the same on every replica; empty for rulings without ids",
    )
    reflection: bool = _setting(True, _switch, "on or off: tell clients like grpcurl what can be asked")
    log: bool = _setting(True, _switch, "on or off: a line for each call; starting, stopping and faults always get one")
    log_format: str = _setting(
        "auto", _form, "json, text (for people), or auto: text where standard output is a terminal, json elsewhere"
    )
    spans: bool = _setting(
        False, _switch, "on or off: an OpenTelemetry span for each call, sent as OTEL_… variables say; needs [otel]"
    )


def version() -> str:
    """Return the version of the installed referee; "unknown" in a source tree that was never installed."""
    try:
        return metadata.version("charleston-referee")
    except metadata.PackageNotFoundError:
        return "unknown"


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
