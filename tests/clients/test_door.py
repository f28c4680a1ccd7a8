"""The command line at a server that asks who calls."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
import trustme

from referee.server import running
from referee.settings import Settings
from tests.clients.conftest import Ask
from tests.wire.certificates import authority_file, caller, server_files

TOKEN = "a-token-nobody-guesses"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Serve with certificates and tokens; give the address, and the options that open the door."""
    authority = trustme.CA()
    cert, key = server_files(authority, tmp_path)
    ca, tokens, token = authority_file(authority, tmp_path), tmp_path / "tokens", tmp_path / "token"
    tokens.write_text(f"me:{TOKEN}\n")
    token.write_text(f"{TOKEN}\n")
    shown_key, shown = caller(authority, name="me")
    (tmp_path / "me.key").write_bytes(shown_key)
    (tmp_path / "me.pem").write_bytes(shown)
    options = {
        "--tls-ca": ca,
        "--tls-cert": str(tmp_path / "me.pem"),
        "--tls-key": str(tmp_path / "me.key"),
        "--token-file": str(token),
    }
    settings = Settings(
        listen="127.0.0.1:0", metrics="", tls_cert=cert, tls_key=key, tls_client_ca=ca, tokens_file=str(tokens)
    )
    with running(settings, out=BytesIO()) as server:
        yield server.address, options


def test_with_all_that_is_asked_for(ask: Ask, guarded: tuple[str, dict[str, str]]) -> None:
    """With a certificate and a token the referee behind the door answers as the embedded one does."""
    address, options = guarded
    flags = [word for pair in options.items() for word in pair]

    assert ask("rules") == ask("rules", "--address", address, *flags)


@pytest.mark.parametrize(
    ("without", "sentence"),
    [
        (["--token-file"], "does not know you: This referee asks for a token"),
        (["--tls-cert", "--tls-key"], "no referee can be reached"),
        (["--tls-key"], "mutual TLS takes a certificate and its key"),
        (["--tls-ca", "--tls-cert", "--tls-key"], "no referee can be reached"),
    ],
    ids=" ".join,
)
def test_without_some_of_it(ask: Ask, guarded: tuple[str, dict[str, str]], without: list[str], sentence: str) -> None:
    """What is missing is status 2 and a sentence, which has no token in it."""
    address, options = guarded
    flags = [word for option, file in options.items() if option not in without for word in (option, file)]
    status, out, err = ask("rules", "--address", address, "--timeout", "5", *flags)

    assert (2, "") == (status, out)
    assert sentence in err
    assert TOKEN not in err


def test_files_and_tokens_that_cannot_be_used(ask: Ask, tmp_path: Path) -> None:
    """A file that is not there, a token that is none, and a token in the clear to another machine are sentences."""
    token = tmp_path / "token"
    token.write_text("two words\n")
    missing = ask("rules", "--address", "127.0.0.1:1", "--tls-ca", "none")
    spoilt = ask("rules", "--address", "127.0.0.1:1", "--token-file", token)
    token.write_text(TOKEN)
    clear = ask("rules", "--address", "referee.test:1", "--token-file", token)

    assert (2, "", "charleston: none: No such file or directory\n") == missing
    assert (2, "", "charleston: a token is visible ASCII without spaces\n") == spoilt
    assert (2, "") == clear[:2]
    assert "without TLS" in clear[2]
    assert TOKEN not in clear[2]
