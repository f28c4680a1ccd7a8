"""Rulings, tables and what comes next as protobuf writes them: what the bytes of the codec are compared with."""

from __future__ import annotations

from collections.abc import Iterator

from charleston.referee.v1 import ruling_pb2, table_pb2
from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, Replace, Stop
from referee.codec.rulings import fact_text
from referee.judge import Judgement
from referee.next import Next, SeatNext, what_next
from referee.phrases import Phrases
from referee.ruling import Finding, JokerReturn, Misdeal
from referee.stages import NOT_DEALT, SEATS, Seat
from referee.table import Place, Table
from referee.tiles import Tiles
from referee.view import as_seen

_VIEWERS: dict[Seat | None, ruling_pb2.Viewer.ValueType] = {
    Seat.EAST: ruling_pb2.VIEWER_EAST,
    Seat.SOUTH: ruling_pb2.VIEWER_SOUTH,
    Seat.WEST: ruling_pb2.VIEWER_WEST,
    Seat.NORTH: ruling_pb2.VIEWER_NORTH,
    None: ruling_pb2.VIEWER_BYSTANDER,
}


def write_ruling(
    phrases: Phrases, table: Table, act: Act | None, judgement: Judgement, then: Next
) -> ruling_pb2.Ruling:
    """Write the ruling on an act at a table, or on the table as it stands."""
    ruling = judgement.ruling
    message = ruling_pb2.Ruling(
        verdict=ruling_pb2.Verdict.ValueType(ruling.verdict),
        message=phrases.ruling(table, act, ruling, judgement.table, then),
        broken=[_finding(finding, phrases.finding(finding)) for finding in ruling.broken],
        undecided=[_finding(finding, phrases.undecided(finding)) for finding in ruling.undecided],
        rests_on=ruling.rests_on,
        trace=[ruling_pb2.Asked(rule=a.rule, outcome=ruling_pb2.Outcome.ValueType(a.outcome)) for a in ruling.trace],
    )
    match ruling.remedy:
        case JokerReturn(finder, passer, jokers):
            back = message.joker_return
            back.finder, back.passer, back.jokers = _seat(finder), _seat(passer), jokers
        case Misdeal(moment, counts):
            message.misdeal.moment = ruling_pb2.Moment.ValueType(moment)
            for count in counts:
                message.misdeal.counts.add(seat=_seat(count.seat), counted=count.counted, dealt=count.dealt)
    return message


def write_standing(table: Table, then: Next, viewer: ruling_pb2.Viewer.ValueType) -> ruling_pb2.Standing:
    """Write how a table stands for a viewer, and what comes next there."""
    return ruling_pb2.Standing(
        viewer=viewer,
        table=write_table(table),
        next=ruling_pb2.Next(
            seats=[_seat_next(entry) for entry in then.seats if entry.acts],
            waiting_for=[_seat(seat) for seat in then.waiting_for],
        ),
    )


def write_views(table: Table) -> Iterator[ruling_pb2.Standing]:
    """Write how a table stands for each seat and for a bystander, who see what they may and no more."""
    for seat, viewer in _VIEWERS.items():
        seen = as_seen(table, seat)
        yield write_standing(seen, what_next(seen), viewer)


def write_table(table: Table) -> table_pb2.Table:
    """Write a table; a table with nothing dealt has no places."""
    message = table_pb2.Table(rulebook=table.rulebook, stage=table_pb2.Stage.ValueType(table.stage))
    house = table.house
    if house.ids:
        message.house.ids.extend(house.ids)
    if house.flowers is not None:
        message.house.flowers = house.flowers
    if house.jokers is not None:
        message.house.jokers = house.jokers
    if table.stage not in NOT_DEALT:
        for seat in SEATS:
            _place(getattr(message, seat.name.lower()), table.place(seat))
    for debt in table.debts:
        message.debts.add(debtor=_seat(debt.debtor), creditor=_seat(debt.creditor), tiles=debt.tiles)
    return message


def write_act(act: Act) -> table_pb2.Act:
    """Write an act, with the stage if it names one."""
    message = table_pb2.Act(
        seat=_seat(act.seat) if act.seat else table_pb2.SEAT_UNSPECIFIED,
        stage=table_pb2.Stage.ValueType(act.stage) if act.stage else table_pb2.STAGE_UNSPECIFIED,
    )
    match act:
        case Deal():
            for seat, rack in zip(SEATS, act.racks, strict=True):
                getattr(message.deal, seat.name.lower()).tiles.extend(_tiles(rack))
                getattr(message.deal, seat.name.lower()).SetInParent()
        case Pass():
            receiver = _seat(act.receiver) if act.receiver else table_pb2.SEAT_UNSPECIFIED
            message.tile_pass.SetInParent()
            message.tile_pass.MergeFrom(
                table_pb2.Pass(tiles=_tiles(act.tiles), blind=act.blind, picks=act.picks, receiver=receiver)
            )
        case Look():
            message.look.SetInParent()
            message.look.MergeFrom(table_pb2.Look(everyone=act.seat is None, tiles=_tiles(act.tiles)))
        case Stop():
            message.stop.SetInParent()
        case Offer():
            message.offer.tiles = act.tiles
        case HandBack():
            message.hand_back.MergeFrom(table_pb2.HandBack(passer=_seat(act.passer), jokers=act.jokers))
        case Replace():
            message.replace.SetInParent()
            message.replace.MergeFrom(table_pb2.Replace(tiles=_tiles(act.tiles)))
        case Draw():
            message.draw.tile = table_pb2.Tile.ValueType(act.tile)
        case Count():
            message.count.tiles = act.tiles
        case Play():
            message.play.kind = table_pb2.PlayKind.ValueType(act.kind)
            message.play.tile = table_pb2.Tile.ValueType(act.tile or 0)
    return message


def _finding(finding: Finding, message: str) -> ruling_pb2.Finding:
    return ruling_pb2.Finding(
        rule=finding.rule,
        seat=_seat(finding.seat) if finding.seat else table_pb2.SEAT_UNSPECIFIED,
        facts=[ruling_pb2.Fact(name=name, value=fact_text(value)) for name, value in finding.facts],
        message=message,
    )


def _seat(seat: Seat) -> table_pb2.Seat.ValueType:
    return table_pb2.Seat.ValueType(seat)


def _tiles(tiles: Tiles) -> list[table_pb2.Tile.ValueType]:
    return [table_pb2.Tile.ValueType(tile) for tile in tiles]


def _place(message: table_pb2.Place, place: Place) -> None:
    message.SetInParent()
    message.rack.extend(_tiles(place.rack))
    if place.set_out is not None:
        message.set_out.SetInParent()
        message.set_out.tiles.extend(_tiles(place.set_out.tiles))
        message.set_out.blind = place.set_out.blind
        message.set_out.picks.extend(place.set_out.picks)
    message.incoming.extend(_tiles(place.incoming))
    message.looked = place.looked
    if place.offer is not None:
        message.offer = place.offer


def _seat_next(entry: SeatNext) -> ruling_pb2.SeatNext:
    message = ruling_pb2.SeatNext(seat=_seat(entry.seat))
    for act in entry.acts:
        message.acts.add(
            kind=ruling_pb2.ActKind.ValueType(act.kind),
            must=act.must,
            receivers=[_seat(receiver) for receiver in act.receivers],
            tiles=act.tiles,
            blind=act.blind,
        )
    if entry.example is not None:
        message.example.CopyFrom(write_act(entry.example))
    return message
