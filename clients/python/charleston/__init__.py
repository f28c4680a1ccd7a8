"""The Charleston referee: its clients and command line."""

from charleston.aio import AsyncRefereeClient
from charleston.asking import AsyncReferee, Referee, Trace
from charleston.calling import Tls
from charleston.client import RefereeClient
from charleston.errors import RefereeError, Violation
from charleston.hand import AsyncHand, Hand

__all__ = [
    "AsyncHand",
    "AsyncReferee",
    "AsyncRefereeClient",
    "Hand",
    "Referee",
    "RefereeClient",
    "RefereeError",
    "Tls",
    "Trace",
    "Violation",
]
