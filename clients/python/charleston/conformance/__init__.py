"""The corpus of cases, read and put to any server of the protocol, and what its answers were worth."""
