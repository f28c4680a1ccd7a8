"""Random lawful play: hands dealt and played to East's discard by choosing among what is open."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from referee.acts import Act, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.house import NO_HOUSE, HouseRules
from referee.judge import judge
from referee.next import ActKind, OpenAct, what_next
from referee.ruling import Verdict
from referee.stages import SEATS, Seat, Stage
from referee.table import Table
from referee.tiles import FACES, HIDDEN, JOKER, ONE, Tile, Tiles, without_jokers


class Hand(NamedTuple):
    """A hand as it was played: the tables, from the one where nothing is dealt on, and the act between each two."""

    tables: tuple[Table, ...]
    acts: tuple[Act, ...]

    @property
    def bare(self) -> list[int]:
        """The places of the tables at which a stage begins, and of the one after the discard."""
        stages = [table.stage for table in self.tables]
        return [i for i, stage in enumerate(stages) if i == 0 or stage is not stages[i - 1]]


def hand(random: Random, house: HouseRules = NO_HOUSE, *, jokers: bool = False, stops: float = 0.3) -> Hand:
    """Deal a hand and play it: `jokers` are passed now and then and handed back, `stops` is how likely a stop is."""
    table = Table(house=house)
    wall = [face for face in FACES for _ in range(house.copies(face))]
    random.shuffle(wall)
    east, south, west, north = (bytes(wall.pop() for _ in range(table.dealt(seat))) for seat in SEATS)
    tables, acts = [table], list[Act]()
    act: Act = Deal((east, south, west, north))
    while True:
        ruling, table = judge(table, act)
        assert ruling.verdict in (Verdict.LEGAL, Verdict.JOKER_RETURN), (act, ruling)
        acts.append(act)
        tables.append(table)
        if table.stage is Stage.PLAY:
            return Hand(tuple(tables), tuple(acts))
        act = random.choice(list(_open(random, table, wall, jokers, stops)))


def _open(random: Random, table: Table, wall: list[Tile], jokers: bool, stops: float) -> Iterator[Act]:
    entries = [(entry.seat, act) for entry in what_next(table).seats for act in entry.acts]
    for seat, act in entries:
        rack = table.place(seat).rack
        plain = without_jokers(rack)
        match act.kind:
            case ActKind.PASS:
                yield _pass(random, seat, act, rack, plain, jokers)
            case ActKind.LOOK:
                yield Look(seat)
            case ActKind.STOP if random.random() < stops / 4:
                yield Stop(seat)
            case ActKind.OFFER if act.must or random.random() < 0.1:
                yield Offer(seat, random.randint(0, act.tiles))
            case ActKind.HAND_BACK if jokers and random.random() < 0.1:
                yield HandBack(seat, random.choice(act.receivers), random.randint(1, act.tiles))
            case ActKind.REPLACE:
                yield Replace(seat, bytes(random.sample(plain, act.tiles)))
            case ActKind.DRAW:
                yield Draw(seat, wall[-1])
            case ActKind.DISCARD:
                yield Play(seat, PlayKind.DISCARD, Tile(random.choice(rack)))


def _pass(random: Random, seat: Seat, act: OpenAct, rack: Tiles, plain: Tiles, jokers: bool) -> Pass:
    blind = random.randint(0, act.blind) if random.random() < 0.5 else 0
    own = random.sample(plain, act.tiles - blind)
    if jokers and own and JOKER in rack and random.random() < 0.3:
        own[0] = JOKER
    picks = tuple(sorted(random.sample((1, 2, 3), blind))) if random.random() < 0.5 else ()
    return Pass(seat, bytes(own), blind, picks)


def as_told(act: Act, seat: Seat | None) -> Act:
    """Return an act as a seat knows of it: the tiles of others lie face down."""
    match act:
        case Deal():
            east, south, west, north = (
                rack if each is seat else ONE[HIDDEN] * len(rack) for each, rack in zip(SEATS, act.racks, strict=True)
            )
            return Deal((east, south, west, north))
        case Pass() if act.seat is not seat:
            return Pass(act.seat, ONE[HIDDEN] * len(act.tiles), act.blind, act.picks)
        case Replace() if act.seat is not seat:
            return Replace(act.seat, ONE[HIDDEN] * len(act.tiles))
        case _:
            return act
