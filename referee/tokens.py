"""Bearer tokens from a file: whose a token is.

A line is `NAME:TOKEN`, or `NAME:sha256:DIGEST` for a token that the file is not to hold. Several lines may have one
name, so that a token can be replaced without a gap. Blank lines and lines that begin with # are free.
"""

import hmac
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from referee.files import Files, Unusable
from referee.log import Log

# Shorter ones could be guessed.
SHORTEST = 16
_HASHED = re.compile(r"sha256:([0-9a-f]{64})")
_TOKEN = re.compile(r"[!-~]+")


class Tokens:
    """The tokens of a file, taken again when it changes; one that is gone from it is worth nothing from then on."""

    def __init__(self, path: str, log: Log) -> None:
        """Take the file; raise Unusable if it cannot be."""
        self._path = path
        self._log = log
        self._files = Files([path])
        self._files.changed()
        self._tokens = _read(path)
        self._complaint = ""

    def owner(self, token: str) -> str:
        """Return whose token it is; the empty string if nobody's. As long is taken for one as for another."""
        if self._files.changed():
            self._again()
        digest, found = sha256(token.encode(errors="replace")).digest(), ""
        for name, each in self._tokens:
            if hmac.compare_digest(digest, each):
                found = name
        return found

    def _again(self) -> None:
        try:
            self._tokens = _read(self._path)
        except Unusable as why:
            # Everybody shut out would be worse than a token too many, and the log says so. What cannot be read may be
            # read later though it looks the same, once somebody allows it.
            self._files.doubt()
            if str(why) != self._complaint:
                self._complaint = str(why)
                self._log.tell("error", "unusable", why=f"{why} The tokens of before still hold.")
        else:
            self._complaint = ""
            self._log.tell("info", "reloaded", file=self._path)


def _read(path: str) -> list[tuple[str, bytes]]:
    """Return each token's owner and digest; a file that has none is most likely about to be written."""
    tokens = list(_lines(path))
    if not tokens:
        raise Unusable(f"{path} has no token.")
    return tokens


def _lines(path: str) -> Iterator[tuple[str, bytes]]:
    """Yield each token's owner and digest."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as why:
        raise Unusable(f"{path} cannot be read: {why.strerror}.") from None
    except UnicodeDecodeError:
        raise Unusable(f"{path} is not text.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, colon, token = (part.strip() for part in line.partition(":"))
        if not (name and colon and _TOKEN.fullmatch(token)):
            raise Unusable(f"{path}, line {number}: must be NAME:TOKEN, the token of visible ASCII without spaces.")
        if hashed := _HASHED.fullmatch(token):
            yield name, bytes.fromhex(hashed[1])
        elif len(token) < SHORTEST:
            raise Unusable(f"{path}, line {number}: must have a token of {SHORTEST} characters or more.")
        else:
            yield name, sha256(token.encode()).digest()
