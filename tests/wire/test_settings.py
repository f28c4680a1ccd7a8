"""What a referee is told when it starts, what it says to what it cannot use, and what it tells of itself."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

from referee.settings import BadSetting, Settings, flag, read, variable, version
from tests.wire.asking import SOON, referee

SOURCES = Path(__file__).parents[2] / "referee"
BAD = [
    ("listen", "50051"),
    ("listen", ":50051"),
    ("listen", "localhost:"),
    ("listen", "localhost:65536"),
    ("listen", "::1:50051"),
    ("listen", " localhost:1"),
    ("listen", ""),
    ("listen", "a..b:1"),
    ("metrics", "everywhere"),
    ("threads", "many"),
    ("threads", "0"),
    ("threads", "-1"),
    ("threads", "²"),
    ("max_bytes", "4MiB"),
    ("max_bytes", str(2**31)),
    ("max_acts", "1e3"),
    ("patience", "0"),
    ("grace", "nan"),
    ("grace", "-1"),
    ("drain_pause", "inf"),
    ("reflection", "yes"),
    ("insecure", "true"),
    ("tls_cert", "/nowhere/at/all"),
    ("tokens_file", "/nowhere/at/all"),
    ("max_calls", "0"),
    ("log", ""),
    ("id_key_file", "/nowhere/at/all"),
]
GOOD = [
    ("listen", "[::1]:0", "[::1]:0"),
    ("metrics", "", ""),
    ("threads", "12", 12),
    ("grace", "0", 0.0),
    ("drain_pause", "2.5", 2.5),
    ("reflection", "off", "off"),
    ("insecure", "on", True),
]


def run(*arguments: str, environ: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run the command; return its exit status, output and complaints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=SOON,
        env=os.environ | (environ or {}),
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(("name", "text"), BAD)
def test_a_bad_value(name: str, text: str) -> None:
    """A value that cannot be used is a sentence that names the flag or the variable, and the value."""
    setting = next(field for field in fields(Settings) if field.name == name)
    with pytest.raises(BadSetting) as told:
        read({name: text}, {})
    with pytest.raises(BadSetting) as found:
        read({}, {variable(setting): text})

    assert str(told.value).startswith(f"{flag(setting)} must ")
    assert str(found.value).startswith(f"{variable(setting)} must ")
    assert str(told.value).endswith(f", not {text!r}.")


@pytest.mark.parametrize(("name", "text", "value"), GOOD)
def test_a_good_value(name: str, text: str, value: object) -> None:
    """A value is read the same way from a flag and from the environment."""
    setting = next(field for field in fields(Settings) if field.name == name)

    assert value == getattr(read({name: text}, {}), name) == getattr(read({}, {variable(setting): text}), name)


def test_a_flag_wins() -> None:
    """A flag wins over the environment, and the environment over the default."""
    assert 3 == read({"threads": "3"}, {"REFEREE_THREADS": "4"}).threads
    assert 4 == read({"threads": None}, {"REFEREE_THREADS": "4"}).threads
    assert 6 == read({}, {}).threads


def test_nothing_is_open_to_the_network_unless_told() -> None:
    """Both ports are on the loopback by default."""
    assert ("127.0.0.1:50051", "127.0.0.1:9464") == (Settings().listen, Settings().metrics)


@pytest.mark.parametrize("address", ["0.0.0.0:1", "[::]:1", "192.0.2.1:1", "referee.test:1"])
def test_nothing_is_sent_in_the_clear_unless_told(address: str, tmp_path: Path) -> None:
    """Beyond this machine a referee listens with TLS only, or if it is told in words that it need not."""
    file = tmp_path / "some.pem"
    file.touch()
    with pytest.raises(BadSetting) as told:
        read({"listen": address}, {})
    secure = read({"listen": address, "tls_cert": str(file), "tls_key": str(file)}, {})
    insecure = read({"listen": address, "insecure": "on"}, {})

    assert str(told.value).startswith(f"--listen {address} is open to other machines")
    assert "--insecure on" in str(told.value)
    assert {address} == {secure.listen, insecure.listen}


@pytest.mark.parametrize("missing", ["tls_cert", "tls_key"])
def test_a_certificate_and_its_key_go_together(missing: str, tmp_path: Path) -> None:
    """A certificate without its key, a key without its certificate, and authorities without both are refused."""
    file = tmp_path / "some.pem"
    file.touch()
    given = {"tls_cert": str(file), "tls_key": str(file), "tls_client_ca": str(file)}
    for flags in ({**given, missing: ""}, {"tls_client_ca": str(file)}):
        with pytest.raises(BadSetting) as told:
            read(flags, {})

        assert str(told.value).startswith("--tls-")


def test_reflection_stays_on_this_machine() -> None:
    """Reflection is on where only this machine can ask, and elsewhere if it is asked for."""
    here, elsewhere = Settings(), Settings(listen="0.0.0.0:1", insecure=True)

    assert [True, False] == [here.reflects, replace(here, reflection="off").reflects]
    assert [False, True] == [elsewhere.reflects, replace(elsewhere, reflection="on").reflects]


def test_settings_stay() -> None:
    """Settings are read once and do not change."""
    with pytest.raises(FrozenInstanceError):
        Settings().threads = 1  # type: ignore[misc]


def test_a_short_key(tmp_path: Path) -> None:
    """A key that could be guessed is refused, and never shown."""
    file = tmp_path / "key"
    file.write_text("guess me")
    with pytest.raises(BadSetting) as told:
        read({"id_key_file": str(file)}, {})

    assert "16 bytes" in str(told.value)
    assert "guess me" not in str(told.value)


def test_a_bad_setting_stops_the_start() -> None:
    """The command ends with status 2 and one sentence."""
    flagged = run("-m", "referee", "serve", "--threads", "many")
    found = run("-m", "referee", "serve", environ={"REFEREE_GRACE": "soon"})

    assert (2, "", "referee: --threads must be a whole number from 1 to 256, not 'many'.\n") == flagged
    assert (2, "", "referee: REFEREE_GRACE must be a number of seconds from 0 to 3600, not 'soon'.\n") == found


def test_unknown_flags_and_no_command() -> None:
    """An unknown flag, a shortened one and no command at all end with status 2, without a traceback."""
    answers = [run("-m", "referee", *told) for told in (("serve", "--lissten", "x"), ("serve", "--lis", "x"), ())]

    assert [2, 2, 2] == [status for status, _, _ in answers]
    assert not [complaint for _, _, complaint in answers if "Traceback" in complaint]


def test_help_names_every_setting() -> None:
    """The help of `serve` has each flag, its variable and its default."""
    status, told, _ = run("-m", "referee", "serve", "--help", environ={"COLUMNS": "100"})

    assert 0 == status
    assert [] == [field.name for field in fields(Settings) if flag(field) not in told or variable(field) not in told]


def test_the_version() -> None:
    """The command says which version it is."""
    assert (0, f"referee {version()}\n", "") == run("-m", "referee", "--version")


@pytest.mark.parametrize("missing", ["structlog", "prometheus_client", "grpc_health", "grpc_reflection", "grpc"])
def test_serving_without_the_extra(missing: str) -> None:
    """Where what serving needs is not installed, the command says what to install."""
    block = f"import sys; sys.modules[{missing!r}] = None; from referee.__main__ import main; sys.exit(main(['serve']))"
    status, output, complaints = run("-c", block)

    assert (1, "") == (status, output)
    assert complaints.startswith("referee: Serving needs ")
    assert complaints.endswith(": pip install 'charleston-referee[server]'\n")
    assert 1 == complaints.count("\n")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_whether_it_is_compiled(workers: str) -> None:
    """The line `serving` says true where `make compiled` left modules beside their sources, and else false."""
    with referee("--workers", workers) as running:
        told = running.compiled

    assert any(SOURCES.glob("play.*.so")) is told
