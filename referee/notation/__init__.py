"""Notation: tiles, acts, tables and games as text that a player can read and type.

The parser is tolerant, and its errors give line and column; the printer is canonical; what it prints reads back equal.
"""

from referee.notation.excerpt import excerpt
from referee.notation.formatting import formatted
from referee.notation.game import Claim, Game, Line, NotationError, Problem
from referee.notation.parsing import parse_act, parse_game, parse_house, parse_table, parse_tiles
from referee.notation.printing import act_text, game_text, table_text
from referee.notation.words import tile_text, tiles_text

__all__ = [
    "Claim",
    "Game",
    "Line",
    "NotationError",
    "Problem",
    "act_text",
    "excerpt",
    "formatted",
    "game_text",
    "parse_act",
    "parse_game",
    "parse_house",
    "parse_table",
    "parse_tiles",
    "table_text",
    "tile_text",
    "tiles_text",
]
