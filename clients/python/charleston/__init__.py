"""The Charleston referee: its client and command line."""

from charleston.client import RefereeClient, RefereeError, Violation

__all__ = ["RefereeClient", "RefereeError", "Violation"]
