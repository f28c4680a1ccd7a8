"""The id of a ruling: the same question has the same one on every replica, and nobody without the key can guess a rack.

The canonical form of a question is text: a line with the rulebook version, then the table (with its
house rules) and the act in canonical notation, racks and incoming tiles in tile order, joined by line feeds:

    rulebook 1
    table at UNDEALT
    EAST passes 1b 2b 3b at FIRST_RIGHT

A question without an act ends with a line `-`. Language, trace, views and question ids are no part of it.
"""

from __future__ import annotations

import hmac
from base64 import b32encode

from referee.acts import Act
from referee.notation import act_text, table_text
from referee.table import Table

LETTERS = 26


def canonical(table: Table, act: Act | None) -> str:
    """Return the canonical form of a question."""
    return "\n".join((f"rulebook {table.rulebook}", table_text(table), act_text(act) if act else "-"))


def ruling_id(key: bytes, table: Table, act: Act | None) -> str:
    """Return the id of the ruling on a question: HMAC-SHA-256 of its canonical form, 26 letters of base32."""
    digest = hmac.digest(key, canonical(table, act).encode(), "sha256")
    return b32encode(digest)[:LETTERS].decode()
