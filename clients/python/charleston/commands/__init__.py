"""The commands of `charleston`: what each asks of a referee, and how it tells the answer."""
