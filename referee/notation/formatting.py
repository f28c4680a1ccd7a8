"""Written games in canonical form, line by line: what is no notation, and the order of lines, stays as it is."""

from __future__ import annotations

from referee.notation.parsing import parse_game
from referee.notation.printing import game_text, table_text
from referee.notation.reading import Words


def formatted(text: str) -> str:
    """Return a game or table with each line as the printer writes it; NotationError with all that cannot be read.

    Comments and blank lines stay where they are, and what is returned reads as the same game.
    """
    entries = {line.number for line in parse_game(text).lines}
    lines = (_line(line, number in entries) for number, line in enumerate(text.splitlines(), start=1))
    return "".join(f"{line}\n" for line in lines)


def _line(line: str, entry: bool) -> str:
    notation, mark, comment = line.partition("#")
    said = ""
    if words := Words(notation):
        said = _of_table(notation) if words.is_seat() and not entry else _by_itself(notation)
    return "  ".join(filter(None, (said, f"{mark}{comment}".rstrip())))


def _by_itself(line: str) -> str:
    """Return a line that is a game by itself: an act, a claim, or how a table begins."""
    game = parse_game(line)
    said = game_text(game).splitlines()[0]
    if game.table and "rulebook" in line.lower() and "rulebook" not in said:
        return f"{said} rulebook {game.table.rulebook}"  # the newest by now, and perhaps not for ever
    return said


def _of_table(line: str) -> str:
    """Return a line of a table: a seat's place or a debt."""
    table = parse_game(f"table at FIRST_RIGHT\n{line}").table
    assert table, "a table was begun"
    lines = table_text(table).splitlines()
    seat = Words(line).seat()
    return lines[-1] if table.debts else next(each for each in lines if each.startswith(f"{seat.name} "))
