"""Version 1 of the referee's protocol, generated from proto/charleston/referee/v1."""
