"""Where questions go: to the referee at an address, or to one inside the command; the messages are the same."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from charleston.asking import Referee
from charleston.calling import Tls
from charleston.client import RefereeClient
from charleston.commands.source import WrongQuestion
from charleston.embedded import EmbeddedReferee


@contextmanager
def door(told: Namespace) -> Iterator[Referee]:
    """Open the door to the referee at an address, or without one to the embedded referee."""
    if told.address is None:
        yield EmbeddedReferee(language=told.language)
    else:
        with _client(told) as client:
            yield client


def _client(told: Namespace) -> RefereeClient:
    token = _read(told.token_file)
    try:
        return RefereeClient(
            told.address,
            timeout=told.timeout,
            language=told.language,
            tls=_tls(told),
            token=None if token is None else token.decode(errors="replace").strip(),
        )
    except ValueError as why:
        raise WrongQuestion(str(why)) from None


def _tls(told: Namespace) -> Tls | None:
    roots, certificate, key = map(_read, (told.tls_ca, told.tls_cert, told.tls_key))
    return Tls(roots, certificate, key) if roots or certificate or key else None


def _read(path: str | None) -> bytes | None:
    try:
        return None if path is None else Path(path).read_bytes()
    except OSError as why:
        raise WrongQuestion(f"{path}: {why.strerror}") from None
