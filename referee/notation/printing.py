"""The canonical printer: one text for each act, table and game."""

from __future__ import annotations

from collections.abc import Iterator

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.house import HouseRules
from referee.notation.game import Claim, Game
from referee.notation.words import NOTHING, tile_text, tiles_text
from referee.stages import NOT_DEALT, SEATS
from referee.table import NEWEST_RULEBOOK, Place, SetOut, Table
from referee.tiles import Tiles

_PLAYED = {
    PlayKind.CALL: "calls",
    PlayKind.EXPOSE: "exposes",
    PlayKind.DECLARE_DEAD: "declares dead",
    PlayKind.DECLARE_MAHJONG: "declares mahjong",
}


def act_text(act: Act) -> str:
    """Return an act as it is written, with the stage if it names one."""
    done = f"{act.seat.name} {_deed(act)}" if act.seat else _deed(act)
    return f"{done} at {act.stage.name}" if act.stage else done


def table_text(table: Table) -> str:
    """Return a table as it is written: its house rules and stage, then a line a seat, then a line a debt."""
    return "\n".join(_table_lines(table))


def game_text(game: Game) -> str:
    """Return a game as it is written, without the comments it may have had."""
    lines = list(_table_lines(game.table)) if game.table else list(_house_lines(game.house))
    lines += (_entry_text(line.entry) for line in game.lines)
    return "\n".join(lines) + "\n"


def _entry_text(entry: Act | Claim) -> str:
    if isinstance(entry, Claim):
        return f"{entry.seat.name} holds {_some(entry.tiles)}"
    return act_text(entry)


def _deed(act: Act) -> str:
    match act:
        case Deal():
            racks = zip(SEATS, act.racks, strict=True)
            return "deal " + " / ".join(f"{seat.name} {_some(rack)}" for seat, rack in racks)
        case Pass():
            pile = _pile(SetOut(act.tiles, act.blind, act.picks))
            return f"passes {pile} to {act.receiver.name}" if act.receiver else f"passes {pile}"
        case Look(seat=None):
            return "everyone looks"
        case Look():
            return f"looks {tiles_text(act.tiles)}".rstrip()
        case Stop():
            return "stops"
        case Offer():
            return f"offers {act.tiles}"
        case HandBack():
            return f"hands back {act.jokers} J to {act.passer.name}"
        case Replace():
            return f"replaces {_some(act.tiles)}"
        case Draw():
            return f"draws {tile_text(act.tile)}"
        case Count():
            return f"counts {act.tiles}"
        case Play():
            return f"discards {tile_text(act.tile)}" if act.tile else _PLAYED[act.kind]


def _some(tiles: Tiles) -> str:
    return tiles_text(tiles) or NOTHING


def _pile(pile: SetOut) -> str:
    blind = f"blind {pile.blind}" if pile.blind else ""
    picks = f" of {' '.join(map(str, pile.picks))}" if pile.picks else ""
    return f"{tiles_text(pile.tiles)} {blind}{picks}".strip() or NOTHING


def _house_lines(house: HouseRules) -> Iterator[str]:
    if said := str(house):
        yield f"house {said}"


def _table_lines(table: Table) -> Iterator[str]:
    yield from _house_lines(table.house)
    rulebook = "" if table.rulebook == NEWEST_RULEBOOK else f" rulebook {table.rulebook}"
    yield f"table at {table.stage.name}{rulebook}"
    for seat in SEATS if table.stage not in NOT_DEALT else ():
        yield f"{seat.name} {' | '.join(_place_parts(table.place(seat)))}"
    for debt in table.debts:
        yield f"{debt.debtor.name} owes {debt.creditor.name} {debt.tiles}"


def _place_parts(place: Place) -> Iterator[str]:
    yield f"rack {_some(place.rack)}"
    if place.set_out is not None:
        yield f"out {_pile(place.set_out)}"
    if place.incoming:
        yield f"in {tiles_text(place.incoming)}"
    if place.looked:
        yield "looked"
    if place.offer is not None:
        yield f"offer {place.offer}"
