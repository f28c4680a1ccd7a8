"""Hands to play and acts to try: acts within what is open, acts measured against what is open, and any act at all."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.next import ActKind, Next, OpenAct, what_next
from referee.ruling import Verdict
from referee.stages import SEATS, Seat, Stage
from referee.table import Table
from referee.tiles import COPIES, FACES, JOKER, ONE, Tile, Tiles, unnamed, without_jokers

T = TypeVar("T")

LARGEST = 2**32 - 1
seats = st.sampled_from(SEATS)
faces = st.sampled_from(FACES)
seeds = st.integers(0, 2**32 - 1)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """A right deal; the Jokers lie where the example wants them, with all eight on one rack at the worst."""
    jokers = Counter(draw(st.lists(seats, max_size=COPIES[JOKER])))
    wall = [face for face in FACES if face != JOKER for _ in range(COPIES[face])]
    Random(draw(seeds)).shuffle(wall)
    racks = []
    for seat in SEATS:
        number = Table().dealt(seat) - jokers[seat]
        racks.append(bytes(wall[:number]) + ONE[JOKER] * jokers[seat])
        wall = wall[number:]
    east, south, west, north = racks
    return Deal((east, south, west, north))


def some(seed: int, tiles: Tiles, number: int) -> Tiles:
    """Choose that many of the tiles, in some order."""
    return bytes(Random(seed).sample(tiles, number))


def picks(draw: st.DrawFn, blind: int) -> tuple[int, ...]:
    """Draw picks that fit so many blind tiles, or none."""
    if not 1 <= blind <= 3:
        return ()
    return draw(st.sampled_from([(), *_PICKS[blind]]))


_PICKS: dict[int, list[tuple[int, ...]]] = {
    1: [(1,), (2,), (3,)],
    2: [(1, 2), (1, 3), (2, 3), (3, 1)],
    3: [(1, 2, 3), (3, 1, 2)],
}


@st.composite
def acts_within(draw: st.DrawFn, table: Table, seat: Seat, act: OpenAct) -> Act | None:
    """Any act within what is open; None where the seat has too few tiles that are no Jokers."""
    stage = draw(st.sampled_from([None, table.stage]))
    rack = without_jokers(table.place(seat).rack)
    match act.kind:
        case ActKind.PASS:
            blind = draw(st.integers(0, act.blind))
            if len(rack) < act.tiles - blind:
                return None
            tiles = some(draw(seeds), rack, act.tiles - blind)
            receiver = draw(st.sampled_from([None, *act.receivers]))
            return Pass(seat, tiles, blind, picks(draw, blind), receiver, stage)
        case ActKind.LOOK:
            incoming = table.place(seat).incoming
            return draw(
                st.sampled_from(
                    [
                        Look(seat, stage=stage),
                        Look(seat, some(draw(seeds), incoming, len(incoming)), stage),
                        Look(None, stage=stage),
                    ]
                )
            )
        case ActKind.STOP:
            return Stop(seat, stage)
        case ActKind.OFFER:
            return Offer(seat, act.tiles - draw(st.integers(0, act.tiles)), stage)
        case ActKind.HAND_BACK:
            return HandBack(seat, draw(st.sampled_from(act.receivers)), draw(st.integers(1, act.tiles)), stage)
        case ActKind.REPLACE:
            return Replace(seat, some(draw(seeds), rack, act.tiles), stage) if len(rack) >= act.tiles else None
        case ActKind.DISCARD:
            every = table.place(seat).rack
            return Play(seat, PlayKind.DISCARD, Tile(draw(st.sampled_from(every))), stage) if every else None
        case ActKind.DRAW:
            left = [face for face in FACES if table.left(face) > 0]
            return Draw(seat, draw(st.sampled_from(left)), stage)
        case ActKind.DECLARE_MAHJONG:
            return Play(seat, PlayKind.DECLARE_MAHJONG, stage=stage)


def is_open(table: Table, then: Next, act: Act) -> bool:
    """Tell whether an act lies within what is open, by what is open alone; a pass with a Joker does not."""
    if act.stage not in (None, table.stage):
        return False
    entries = {entry.seat: {(each.kind, each.must): each for each in entry.acts} for entry in then.seats}

    def found(kind: ActKind, *, must: bool) -> OpenAct | None:
        return entries[act.seat].get((kind, must)) if act.seat else None

    def holds(tiles: Tiles) -> bool:
        return act.seat is not None and not unnamed(table.place(act.seat).rack, tiles)[0] and JOKER not in tiles

    match act:
        case Pass():
            room = found(ActKind.PASS, must=True)
            return (
                room is not None
                and len(act.tiles) + act.blind == room.tiles
                and act.blind <= room.blind
                and (act.receiver is None or act.receiver in room.receivers)
                and holds(act.tiles)
            )
        case Look(seat=None):
            return any((ActKind.LOOK, True) in entry for entry in entries.values())
        case Look():
            return found(ActKind.LOOK, must=True) is not None
        case Stop():
            return found(ActKind.STOP, must=False) is not None
        case Offer():
            room = found(ActKind.OFFER, must=True) or found(ActKind.OFFER, must=False)
            return room is not None and act.tiles <= room.tiles
        case HandBack():
            room = found(ActKind.HAND_BACK, must=False)
            return room is not None and act.passer in room.receivers and act.jokers <= room.tiles
        case Replace():
            room = found(ActKind.REPLACE, must=True)
            return room is not None and len(act.tiles) == room.tiles and holds(act.tiles)
        case Draw():
            return (found(ActKind.DRAW, must=True) or found(ActKind.DRAW, must=False)) is not None
        case Play(kind=PlayKind.DECLARE_MAHJONG):
            return found(ActKind.DECLARE_MAHJONG, must=False) is not None
        case Play(kind=PlayKind.DISCARD, tile=tile):
            room = found(ActKind.DISCARD, must=True)
            return room is not None and act.seat is not None and tile is not None and tile in table.place(act.seat).rack
        case _:
            return False


def is_open_but_for_jokers(table: Table, then: Next, act: Act) -> bool:
    """Tell whether a pass would be open if the Jokers in it, all of them held, were as many other tiles."""
    if not isinstance(act, Pass) or JOKER not in act.tiles or unnamed(table.place(act.seat).rack, act.tiles)[0]:
        return False
    others = without_jokers(act.tiles)
    entry = next(entry for entry in then.seats if entry.seat is act.seat)
    room = next((each for each in entry.acts if each.kind is ActKind.PASS), None)
    return (
        room is not None
        and act.stage in (None, table.stage)
        and len(others) + act.tiles.count(JOKER) + act.blind == room.tiles
        and act.blind <= room.blind
        and (act.receiver is None or act.receiver in room.receivers)
    )


def expected(table: Table, act: Act) -> Verdict:
    """Say what the law wants of an act but a Count at a table with right counts, by what is open alone."""
    then = what_next(table)
    if is_open(table, then, act):
        return Verdict.JOKER_RETURN if isinstance(act, HandBack) else Verdict.LEGAL
    if is_open_but_for_jokers(table, then, act):
        return Verdict.JOKER_RETURN
    return Verdict.MISDEAL if opens_while_one_is_short(table, act) else Verdict.ILLEGAL


def opens_while_one_is_short(table: Table, act: Act) -> bool:
    """Tell whether East's discard is lawful but for a seat that never drew the tile that the house lets it draw."""
    return (
        isinstance(act, Play)
        and act.kind is PlayKind.DISCARD
        and act.seat is Seat.EAST
        and table.stage is Stage.OPENING
        and act.stage in (None, Stage.OPENING)
        and act.tile is not None
        and act.tile in table.place(Seat.EAST).rack
        and table.owned(Seat.EAST) == 14
        and not table.debts
        and any(table.owned(seat) < 13 for seat in SEATS)
    )


def odd(draw: st.DrawFn, most: int = LARGEST) -> int:
    """Draw a small number mostly, now and then one that no player would say."""
    return draw(st.one_of(st.integers(0, 4), st.integers(0, 4), st.sampled_from([5, 14, min(most, 152), most])))


@st.composite
def any_act(draw: st.DrawFn, table: Table) -> Act:
    """Any act but a Count, near to what can be open at the table or far from it; a Look names no tiles."""
    seat = draw(seats)
    stage = draw(st.sampled_from([None, None, table.stage, table.stage, *Stage]))
    rack = table.place(seat).rack
    match draw(st.sampled_from([Pass, Pass, Pass, Look, Stop, Offer, HandBack, Replace, Replace, Draw, Play, Deal])):
        case kind if kind is Pass:
            blind = draw(st.sampled_from([0, 0, 0, 1, 2, 3, 4, LARGEST]))
            number = draw(st.sampled_from([max(3 - blind, 0), max(3 - blind, 0), 0, 1, 2, 3, 4, 5]))
            receiver = draw(st.sampled_from([None, None, *SEATS]))
            return Pass(seat, any_tiles(draw, rack, number), blind, picks(draw, blind), receiver, stage)
        case kind if kind is Look:
            return Look(draw(st.sampled_from([seat, None])), stage=stage)
        case kind if kind is Stop:
            return Stop(seat, stage)
        case kind if kind is Offer:
            return Offer(seat, odd(draw), stage)
        case kind if kind is HandBack:
            return HandBack(seat, draw(seats), max(odd(draw), 1), stage)
        case kind if kind is Replace:
            debt = table.oldest_debt(seat)
            number = draw(st.sampled_from([debt.tiles if debt else 1, 0, 1, 2, 3]))
            return Replace(seat, any_tiles(draw, rack, number), stage)
        case kind if kind is Draw:
            return Draw(seat, draw(faces), stage)
        case kind if kind is Play:
            what = draw(st.sampled_from(PlayKind))
            tile = draw(faces) if not rack or draw(st.booleans()) else Tile(draw(st.sampled_from(rack)))
            return Play(seat, what, tile if what is PlayKind.DISCARD else None, stage)
        case _:
            deal = draw(deals())
            return Deal(deal.racks, stage)


def any_tiles(draw: st.DrawFn, rack: Tiles, number: int) -> Tiles:
    """Draw tiles, mostly from the rack, its Jokers first now and then, or any at all."""
    match draw(st.sampled_from(["rack", "rack", "rack", "jokers", "any", "one face"])):
        case "any":
            return bytes(draw(st.lists(faces, min_size=number, max_size=number)))
        case "one face":
            return bytes([draw(st.sampled_from(rack or FACES))] * number)
        case "jokers":
            return bytes(sorted(rack, reverse=True))[:number]
        case _:
            return some(draw(seeds), rack, min(number, len(rack)))


def on_table(table: Table) -> Counter[int]:
    """Count every tile that lies anywhere on the table."""
    tiles: Counter[int] = Counter()
    for place in table.places:
        tiles.update(place.rack)
        tiles.update(place.incoming)
        tiles.update(place.set_out.tiles if place.set_out else b"")
    return tiles


@st.composite
def acts_on_the_wire(draw: st.DrawFn) -> Act:
    """Any act that can be read from the wire, with every odd number that it can carry."""
    seat, other = draw(seats), draw(seats)
    stage = draw(st.sampled_from([None, *Stage]))
    tiles = bytes(draw(st.lists(faces, max_size=draw(st.sampled_from([3, 5, 20])))))
    blind = odd(draw)
    what = draw(st.sampled_from(PlayKind))
    acts: list[Act] = [
        Deal(draw(deals()).racks, stage),
        Deal((tiles, b"", tiles[:2], b""), stage),
        Pass(seat, tiles, blind, picks(draw, blind), draw(st.sampled_from([None, other])), stage),
        Look(seat, tiles, stage),
        Look(None, b"", stage),
        Stop(seat, stage),
        Offer(seat, odd(draw), stage),
        HandBack(seat, other, max(odd(draw), 1), stage),
        Replace(seat, tiles, stage),
        Draw(seat, draw(faces), stage),
        Count(seat, odd(draw, 152), stage),
        Play(seat, what, draw(faces) if what is PlayKind.DISCARD else None, stage),
    ]
    return draw(st.sampled_from(acts))
