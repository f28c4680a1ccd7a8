"""The command and a referee to ask, as the tests of the clients have them."""

from tests.clients.conftest import address, ask

__all__ = ["address", "ask"]
