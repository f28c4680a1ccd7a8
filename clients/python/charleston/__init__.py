"""The Charleston referee: its client and command line."""
