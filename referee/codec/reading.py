"""From the wire: tables and acts of the core out of messages, or every field that keeps them from being one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from charleston.referee.v1 import service_pb2, table_pb2
from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.codec.fields import Fields
from referee.codec.malformed import Malformed, NotServed
from referee.house import IDS, LARGEST_SET, MOST_FLOWERS, MOST_JOKERS, PRESETS, HouseRules, house_rules
from referee.stages import NOT_DEALT, SEATS, Seat, Stage
from referee.table import EMPTY, NEWEST_RULEBOOK, Debt, Place, SetOut, Table
from referee.tiles import HIDDEN, Tile
from referee.unreachable import act_faults, picks_fault, table_faults

SERVED = (NEWEST_RULEBOOK,)


def read_question(
    request: service_pb2.JudgeRequest | service_pb2.WhatNextRequest | service_pb2.Question,
) -> tuple[Table, Act | None]:
    """Read the table and, unless only the table is asked about, the act; raise Malformed or NotServed."""
    fields = Fields()
    table = _table(fields, request)
    act = None
    if not isinstance(request, service_pb2.WhatNextRequest):
        if request.HasField("act"):
            act = _act(fields, "act", request.act)
        else:
            fields.wrong("act", "MISSING", "Which act is to be judged?")
        if table and act and not fields.violations:
            fields.faults("act", act_faults(table, act))
    if fields.violations or table is None:
        raise Malformed(fields.violations)
    return table, act


def read_replay(request: service_pb2.ReplayRequest) -> tuple[Table, tuple[Act, ...]]:
    """Read the table and the acts of a replay; raise Malformed or NotServed."""
    fields = Fields()
    table = _table(fields, request)
    acts = [_act(fields, f"acts[{index}]", act) for index, act in enumerate(request.acts)]
    if fields.violations or table is None:
        raise Malformed(fields.violations)
    return table, tuple(act for act in acts if act is not None)


def read_transition(
    request: service_pb2.JudgeTransitionRequest,
) -> tuple[Table, Table, tuple[Act, ...] | None]:
    """Read the table before, the table after, which need only be readable and is returned as it was sent, and the
    acts if they are given; raise Malformed or NotServed."""
    fields = Fields()
    before = _table(fields, request, "before")
    after = _readable(fields, request, "after")
    acts = [_act(fields, f"acts.acts[{index}]", act) for index, act in enumerate(request.acts.acts)]
    if fields.violations or before is None or after is None:
        raise Malformed(fields.violations)
    return before, after, tuple(act for act in acts if act is not None) if request.HasField("acts") else None


def fit(table: Table, act: Act, acts: str, index: int) -> None:
    """Raise Malformed if an act, one of a list by this path, does not fit the table it meets."""
    # Of most kinds of act there is nothing to ask.
    if (found := act_faults(table, act)) and (faults := tuple(found)):
        fields = Fields()
        fields.faults(f"{acts}[{index}]", faults)
        raise Malformed(fields.violations)


def read_rulebook(rulebook: int) -> int:
    """Return the rulebook version meant, the newest for 0; raise NotServed."""
    if rulebook and rulebook not in SERVED:
        raise NotServed(rulebook)
    return rulebook or NEWEST_RULEBOOK


def _table(fields: Fields, request: Any, path: str = "table") -> Table | None:
    """Read a table that play can reach."""
    table = _readable(fields, request, path)
    if table is None:
        return None
    fields.faults(path, table_faults(table))
    return table.tidied()


def _readable(fields: Fields, request: Any, path: str) -> Table | None:
    """Read a table, whether play can reach it or not; None once something is wrong."""
    if not request.HasField(path):
        return Table()
    before = len(fields.violations)
    message: table_pb2.Table = getattr(request, path)
    rulebook = read_rulebook(message.rulebook)
    fields.known(path, message)
    house = house_of(fields, f"{path}.house", message.house)
    stage = fields.stage(f"{path}.stage", message.stage)
    places = []
    for seat in SEATS:
        name = seat.name.lower()
        if message.HasField(name):  # type: ignore[arg-type]
            places.append(_place(fields, f"{path}.{name}", getattr(message, name)))
        else:
            places.append(EMPTY)
            if stage is not None and stage not in NOT_DEALT:
                fields.wrong(f"{path}.{name}", "MISSING", "A dealt table has a place for every seat.")
    if len(message.debts) > LARGEST_SET:
        fields.wrong(f"{path}.debts", "OUT_OF_RANGE", f"No set has more than {LARGEST_SET} tiles to owe.")
        return None
    debts = [_debt(fields, f"{path}.debts[{index}]", debt) for index, debt in enumerate(message.debts)]
    if len(fields.violations) > before or stage is None:
        return None
    east, south, west, north = places
    return Table(stage, (east, south, west, north), tuple(debt for debt in debts if debt), rulebook, house)


def house_of(fields: Fields, path: str, message: table_pb2.HouseRules) -> HouseRules:
    fields.known(path, message)
    for index, id in enumerate(message.ids):
        if id not in IDS and id not in PRESETS:
            fields.wrong(f"{path}.ids[{index}]", "UNKNOWN_VALUE", "There is no house rule of this name.")
    for name, number, most in (("flowers", message.flowers, MOST_FLOWERS), ("jokers", message.jokers, MOST_JOKERS)):
        if number > most:
            fields.wrong(f"{path}.{name}", "OUT_OF_RANGE", f"A set has at most {most} {name}.")
    return house_rules(
        (id for id in message.ids if id in IDS or id in PRESETS),
        message.flowers if message.HasField("flowers") else None,
        message.jokers if message.HasField("jokers") else None,
    )


def _place(fields: Fields, path: str, message: table_pb2.Place) -> Place:
    fields.known(path, message)
    rack = fields.tiles(f"{path}.rack", message.rack)
    set_out = None
    if message.HasField("set_out"):
        fields.known(f"{path}.set_out", message.set_out)
        tiles = fields.tiles(f"{path}.set_out.tiles", message.set_out.tiles)
        set_out = SetOut(tiles, message.set_out.blind, tuple(message.set_out.picks))
    incoming = fields.tiles(f"{path}.incoming", message.incoming)
    return Place(rack, set_out, incoming, message.looked, message.offer if message.HasField("offer") else None)


def _debt(fields: Fields, path: str, message: table_pb2.Debt) -> Debt | None:
    fields.known(path, message)
    debtor = fields.seat(f"{path}.debtor", message.debtor)
    creditor = fields.seat(f"{path}.creditor", message.creditor)
    tiles = fields.number(f"{path}.tiles", message.tiles)
    return Debt(debtor, creditor, tiles) if debtor and creditor else None


def _act(fields: Fields, path: str, message: table_pb2.Act) -> Act | None:
    """Read an act; None once something is wrong."""
    before = len(fields.violations)
    fields.known(path, message)
    kind = message.WhichOneof("kind")
    deed = getattr(message, kind) if kind else None
    nobodys = kind == "deal" or (kind == "look" and message.look.everyone)
    seat = None
    if not nobodys:
        seat = fields.seat(f"{path}.seat", message.seat)
    elif message.seat:
        fields.wrong(f"{path}.seat", "NOT_ALLOWED", "A deal and everyone's look are no one seat's act.")
    stage = fields.stage(f"{path}.stage", message.stage) if message.stage else None
    if kind is None or deed is None:
        fields.wrong(f"{path}.kind", "MISSING", "What is done?")
        return None
    fields.known(f"{path}.{kind}", deed)
    # Where the seat is wrong the rest is read all the same, to say all that is wrong at once.
    act = _DEEDS[kind](fields, f"{path}.{kind}", deed, seat or Seat.EAST, stage)
    return act if len(fields.violations) == before else None


def _deal(fields: Fields, path: str, deed: table_pb2.Deal, seat: Seat, stage: Stage | None) -> Act:
    racks = []
    for each in SEATS:
        name = each.name.lower()
        rack = getattr(deed, name)
        if not deed.HasField(name):  # type: ignore[arg-type]
            fields.wrong(f"{path}.{name}", "MISSING", "Four racks are dealt; an empty one is given as empty.")
        fields.known(f"{path}.{name}", rack)
        racks.append(fields.tiles(f"{path}.{name}.tiles", rack.tiles))
    east, south, west, north = racks
    return Deal((east, south, west, north), stage)


def _pass(fields: Fields, path: str, deed: table_pb2.Pass, seat: Seat, stage: Stage | None) -> Act:
    tiles = fields.tiles(f"{path}.tiles", deed.tiles)
    picks = tuple(deed.picks)
    if picks and (sentence := picks_fault(picks, deed.blind)):
        fields.wrong(f"{path}.picks", "MISMATCH", sentence)
    receiver = fields.seat(f"{path}.receiver", deed.receiver) if deed.receiver else None
    return Pass(seat, tiles, deed.blind, picks, receiver, stage)


def _look(fields: Fields, path: str, deed: table_pb2.Look, seat: Seat, stage: Stage | None) -> Act:
    if deed.everyone and deed.tiles:
        fields.wrong(f"{path}.tiles", "NOT_ALLOWED", "Everyone's look names no tiles.")
    return Look(None if deed.everyone else seat, fields.tiles(f"{path}.tiles", deed.tiles), stage)


def _stop(fields: Fields, path: str, deed: table_pb2.Stop, seat: Seat, stage: Stage | None) -> Act:
    return Stop(seat, stage)


def _offer(fields: Fields, path: str, deed: table_pb2.Offer, seat: Seat, stage: Stage | None) -> Act:
    if not deed.HasField("tiles"):
        fields.wrong(f"{path}.tiles", "MISSING", "How many tiles are offered? None is said as 0.")
    return Offer(seat, deed.tiles, stage)


def _hand_back(fields: Fields, path: str, deed: table_pb2.HandBack, seat: Seat, stage: Stage | None) -> Act:
    passer = fields.seat(f"{path}.passer", deed.passer)
    if not deed.jokers:
        fields.wrong(f"{path}.jokers", "MISSING", "How many Jokers are handed back? At least one.")
    return HandBack(seat, passer or Seat.EAST, deed.jokers, stage)


def _replace(fields: Fields, path: str, deed: table_pb2.Replace, seat: Seat, stage: Stage | None) -> Act:
    return Replace(seat, fields.tiles(f"{path}.tiles", deed.tiles), stage)


def _draw(fields: Fields, path: str, deed: table_pb2.Draw, seat: Seat, stage: Stage | None) -> Act:
    return Draw(seat, fields.tile(f"{path}.tile", deed.tile) or Tile.BAM_1, stage)


def _count(fields: Fields, path: str, deed: table_pb2.Count, seat: Seat, stage: Stage | None) -> Act:
    if not deed.HasField("tiles"):
        fields.wrong(f"{path}.tiles", "MISSING", "How many tiles are counted on the rack?")
    return Count(seat, fields.number(f"{path}.tiles", deed.tiles), stage)


def _play(fields: Fields, path: str, deed: table_pb2.Play, seat: Seat, stage: Stage | None) -> Act:
    kind = fields.kind(f"{path}.kind", deed.kind)
    tile = None
    if kind is PlayKind.DISCARD:
        tile = fields.tile(f"{path}.tile", deed.tile)
        if tile == HIDDEN:
            fields.wrong(f"{path}.tile", "NOT_ALLOWED", "A discard lies face up.")
    elif deed.tile:
        fields.wrong(f"{path}.tile", "NOT_ALLOWED", "Only a discard names its tile.")
    return Play(seat, kind or PlayKind.CALL, tile, stage)


_DEEDS: dict[str, Callable[[Fields, str, Any, Seat, Stage | None], Act]] = {
    "deal": _deal,
    "tile_pass": _pass,
    "look": _look,
    "stop": _stop,
    "offer": _offer,
    "hand_back": _hand_back,
    "replace": _replace,
    "draw": _draw,
    "count": _count,
    "play": _play,
}
