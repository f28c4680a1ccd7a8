"""The table as text: East below, South to the right, and before each seat on the table what it passes or receives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from charleston.paint import Paint, left, middle, right, width
from charleston.referee.v1 import table_pb2
from referee.notation import tile_text
from referee.tiles import Tile

TABLE = 50
"""The columns inside the table's edge."""
SIDE = 21
"""The columns beside the table: seven tiles, and room."""
ROW = 7
"""The tiles in a row of a rack at the side; ahead and below there is room for twice as many."""

_HONOURS = {Tile.FLOWER: "flower", Tile.JOKER: "joker", Tile.HIDDEN: "quiet"}


def picture(table: table_pb2.Table, paint: Paint) -> str:
    """Draw a table, at most 96 columns wide."""
    inside = list(_inside(table, paint))
    beside = [_beside("NORTH", table.north, paint), _beside("SOUTH", table.south, paint)]
    rows = max(len(inside), *(len(side) + 1 for side in beside))
    inside += [""] * (rows - len(inside))
    edge, line = paint("quiet", "│"), "─" * TABLE
    lines = [*_ahead("WEST", table.west, paint), f"{'':{SIDE}} {paint('quiet', f'╭{line}╮')}"]
    for north, row, south in zip_longest(["", *beside[0]], inside, ["", *beside[1]], fillvalue=""):
        lines.append(f"{left(north, SIDE)} {edge}{left(row, TABLE)}{edge} {south}")
    lines += [f"{'':{SIDE}} {paint('quiet', f'╰{line}╯')}", *_ahead("EAST", table.east, paint)]
    return "\n".join(line.rstrip() for line in lines)


def painted(tiles: Iterable[int], paint: Paint) -> str:
    """Write tiles in notation, each in the colour of its suit."""
    return " ".join(paint(_style(Tile(tile)), tile_text(Tile(tile))) for tile in tiles)


def _style(tile: Tile) -> str:
    suit, _, number = tile.name.partition("_")
    if number:
        return suit.lower()
    return _HONOURS.get(tile) or ("wind" if tile < Tile.RED else "dragon")


def _inside(table: table_pb2.Table, paint: Paint) -> Iterator[str]:
    """Yield the rows inside the edge: piles before their seats, the stage and the debts in the middle."""
    sides = left(_pile(table, table_pb2.SEAT_NORTH, table.north, paint), TABLE // 2 - 1)
    yield middle(_pile(table, table_pb2.SEAT_WEST, table.west, paint), TABLE)
    yield ""
    yield middle(paint("title", table_pb2.Stage.Name(table.stage).removeprefix("STAGE_").replace("_", " ")), TABLE)
    yield f" {sides}{right(_pile(table, table_pb2.SEAT_SOUTH, table.south, paint), TABLE - 2 - width(sides))}"
    for debt in table.debts:
        yield middle(paint("JOKER_RETURN", _debt(debt)), TABLE)
    if not table.debts:
        yield ""
    yield middle(_pile(table, table_pb2.SEAT_EAST, table.east, paint), TABLE)


def _beside(name: str, place: table_pb2.Place, paint: Paint) -> list[str]:
    return [f" {row}" for row in (_named(name, place, paint), *_rows(place, ROW, paint))]


def _ahead(name: str, place: table_pb2.Place, paint: Paint) -> list[str]:
    first, *more = _rows(place, 2 * ROW, paint) or [""]
    rows = [f"{_named(name, place, paint)}  {first}", *more]
    return [f"{'':{SIDE}} {middle(row, TABLE + 2)}" for row in rows]


def _rows(place: table_pb2.Place, tiles: int, paint: Paint) -> list[str]:
    return [painted(place.rack[at : at + tiles], paint) for at in range(0, len(place.rack), tiles)]


def _named(name: str, place: table_pb2.Place, paint: Paint) -> str:
    offer = f" offers {place.offer or 'none'}" if place.HasField("offer") else ""
    return paint("seat", name) + paint("quiet", offer)


def _pile(table: table_pb2.Table, seat: table_pb2.Seat.ValueType, place: table_pb2.Place, paint: Paint) -> str:
    """Write what lies before a seat: the pass it has set out, what has come in, or that it has looked."""
    if place.HasField("set_out"):
        picks = f" of {' '.join(map(str, place.set_out.picks))}" if place.set_out.picks else ""
        blind = f"blind {place.set_out.blind}{picks}" if place.set_out.blind else ""
        owed = sum(debt.tiles for debt in table.debts if debt.debtor == debt.creditor == seat)
        missing = paint("JOKER_RETURN", " ".join(["__"] * owed))
        said = [paint("quiet", "passes"), painted(place.set_out.tiles, paint), paint("quiet", blind), missing]
        return " ".join(part for part in said if part)
    if place.incoming:
        return f"{paint('quiet', 'receives')} {painted(place.incoming, paint)}"
    return paint("quiet", "has looked") if place.looked else ""


def _debt(debt: table_pb2.Debt) -> str:
    debtor, creditor = (table_pb2.Seat.Name(seat).removeprefix("SEAT_") for seat in (debt.debtor, debt.creditor))
    tiles = "1 tile" if debt.tiles == 1 else f"{debt.tiles} tiles"
    return f"{debtor} owes {tiles} to {'its own pass' if debtor == creditor else creditor}"
