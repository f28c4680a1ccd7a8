"""Transitions: lawful play is never accused, what was tampered with is caught, and nothing readable is too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import flow
from referee.differences import DifferenceKind
from referee.house import IDS, NO_HOUSE, HouseRules, house_rules
from referee.ruling import Verdict
from referee.stages import DIRECTIONS, SEATS, Direction, Seat, Stage
from referee.table import Place, Table
from referee.tiles import JOKER, ONE, Tile, Tiles
from referee.transition import transition
from referee.view import as_seen
from tests.lawful import Hand, as_told, hand

LAWS = settings(derandomize=True, deadline=None, max_examples=25)
ACCUSED = {Verdict.ILLEGAL, Verdict.MISDEAL}
seeds = st.integers(0, 2**32 - 1)
houses = st.lists(st.sampled_from([id for id in IDS if id != "claims.closed"]), max_size=2).map(house_rules)
STRAIGHT = [Stage.FIRST_RIGHT, Stage.FIRST_ACROSS, Stage.SECOND_LEFT, Stage.SECOND_ACROSS]


def pairs(random: Random, played: Hand) -> list[tuple[int, int]]:
    """Choose pairs of tables of a hand: each beside the next, some stages apart, and some anywhere."""
    places = range(len(played.tables))
    bare = [tuple(sorted(random.choices(played.bare, k=2))) for _ in range(10)]
    anywhere = [tuple(sorted(random.choices(places, k=2))) for _ in range(10)]
    return [*((i, i + 1) for i in places[:-1]), *((i, j) for i, j in (*bare, *anywhere))]


@LAWS
@given(seeds, houses)
def test_lawful_play_is_never_accused(seed: int, house: HouseRules) -> None:
    """Whatever lies between two tables of a lawful hand, without the acts nothing is held against it."""
    random = Random(seed)
    played = hand(random, house)
    for i, j in pairs(random, played):
        judged = transition(played.tables[i], played.tables[j])

        assert judged.verdict not in ACCUSED, (i, j, judged.differences)


@LAWS
@given(seeds)
def test_one_stage_of_lawful_play_is_lawful(seed: int) -> None:
    """Between the beginnings of two stages that follow each other lawful play is LEGAL, and not only not accused."""
    played = hand(Random(seed))
    tables = [played.tables[place] for place in played.bare]
    verdicts = [transition(before, after).verdict for before, after in pairwise(tables)]

    assert {Verdict.LEGAL} == set(verdicts)


@LAWS
@given(seeds, houses, st.booleans())
def test_lawful_play_with_its_acts_is_lawful(seed: int, house: HouseRules, jokers: bool) -> None:
    """With the acts between them two tables of a hand are LEGAL, Jokers handed back and all."""
    random = Random(seed)
    played = hand(random, house, jokers=jokers)
    verdicts = {
        transition(played.tables[i], played.tables[j], played.acts[i:j]).verdict for i, j in pairs(random, played)
    }

    assert {Verdict.LEGAL} == verdicts


@LAWS
@given(seeds, houses, st.sampled_from([*SEATS, None]))
def test_views_are_never_accused(seed: int, house: HouseRules, seat: Seat | None) -> None:
    """What one seat or a bystander sees of a lawful hand is not accused, with the acts as they know them or without."""
    random = Random(seed)
    played = hand(random, house)
    for i, j in pairs(random, played):
        before, after = as_seen(played.tables[i], seat), as_seen(played.tables[j], seat)
        told = [as_told(act, seat) for act in played.acts[i:j]]
        mixed = transition(played.tables[i], after), transition(before, played.tables[j])
        verdicts = {transition(before, after).verdict, transition(before, after, told).verdict}

        assert not ACCUSED & (verdicts | {each.verdict for each in mixed}), (i, j)


def one_pass(seed: int, stage: Stage) -> tuple[Table, Table]:
    """Return a table at the beginning of a stage, and the lawful one after that stage."""
    for attempt in range(100):
        played = hand(Random(seed + attempt), stops=0.0)
        tables = [played.tables[place] for place in played.bare]
        before = next(index for index, table in enumerate(tables) if table.stage is stage)
        if tables[before] != tables[before + 1]:
            return tables[before], tables[before + 1]
    raise AssertionError("no hand passes anything at this stage")


def racks(table: Table, racks: Iterable[Iterable[int]]) -> Table:
    """Put other racks on a table."""
    return table.at(table.stage, (Place(rack=bytes(sorted(rack))) for rack in racks))


def can_be_passed(before: Table, after: Table) -> bool:
    """Tell whether some pass leads from racks to racks: one seat's choice settles those of all that it goes round."""
    across = DIRECTIONS[before.stage] is Direction.ACROSS
    firsts = (Seat.EAST, Seat.SOUTH) if across else (Seat.EAST,)
    return all(
        any(goes_round(before, after, seat, passed) for passed in choices(before.place(seat))) for seat in firsts
    )


def choices(place: Place) -> Iterator[Counter[int]]:
    """Yield every pass of three that a rack can make."""
    held = Counter(place.rack)
    for tiles in combinations_with_replacement(sorted(set(held) - {JOKER}), 3):
        if Counter(tiles) <= held:
            yield Counter(tiles)


def goes_round(before: Table, after: Table, first: Seat, passed: Counter[int]) -> bool:
    """Tell whether a seat can pass this: what each receiver then must have passed comes back to it as the same."""
    seat, passes = before.receiver(first), passed
    while True:
        left = Counter(before.place(seat).rack)
        left.update(passes)
        left.subtract(after.place(seat).rack)
        if min(left.values()) < 0 or not +left <= Counter(before.place(seat).rack) or left[JOKER]:
            return False
        passes = +left
        if seat is first:
            return passes == passed
        seat = before.receiver(seat)


def swapped(random: Random, table: Table) -> Table:
    """Swap a tile between two racks."""
    held = [list(place.rack) for place in table.places]
    one, other = random.sample(range(4), 2)
    i, j = random.randrange(len(held[one])), random.randrange(len(held[other]))
    held[one][i], held[other][j] = held[other][j], held[one][i]
    return racks(table, held)


@LAWS
@given(seeds, st.sampled_from(STRAIGHT))
def test_a_swapped_tile_is_caught_unless_it_could_have_been_passed(seed: int, stage: Stage) -> None:
    """After a pass without blind tiles two tiles swapped are ILLEGAL exactly when no choice of passes explains them."""
    random = Random(seed)
    before, after = one_pass(seed, stage)
    tampered = [swapped(random, after) for _ in range(10)]
    explained = [Verdict.LEGAL if can_be_passed(before, table) else Verdict.ILLEGAL for table in tampered]

    assert explained == [transition(before, table).verdict for table in tampered]


@LAWS
@given(seeds, st.sampled_from([*STRAIGHT, Stage.FIRST_LEFT, Stage.SECOND_RIGHT, Stage.COURTESY]), st.booleans())
def test_a_tile_dropped_or_doubled_is_a_misdeal(seed: int, stage: Stage, doubled: bool) -> None:
    """A tile that is gone, or there twice, is a wrong count, and tiles that went nowhere or came from there."""
    random = Random(seed)
    before, after = one_pass(seed, stage)
    held = [list(place.rack) for place in after.places]
    rack = random.choice(held)
    tile = random.choice(rack)
    if doubled:
        rack.append(tile)
    else:
        rack.remove(tile)
    judged = transition(before, racks(after, held))

    assert Verdict.MISDEAL is judged.verdict
    assert {DifferenceKind.COUNT, DifferenceKind.TILES} <= {difference.kind for difference in judged.differences}


@LAWS
@given(seeds, st.sampled_from([*STRAIGHT, Stage.FIRST_LEFT, Stage.SECOND_RIGHT, Stage.COURTESY]))
def test_a_joker_that_moved_is_caught(seed: int, stage: Stage) -> None:
    """A Joker that changed racks is a difference of kind JOKER, at the seat that has it and at the one that had it."""
    before, after = one_pass(seed, stage)
    held = [list(place.rack) for place in after.places]
    owner = next((index for index, rack in enumerate(held) if JOKER in rack), None)
    if owner is None:
        return
    taker = (owner + 1) % 4
    other = next(tile for tile in held[taker] if tile != JOKER)
    held[owner].remove(JOKER)
    held[taker].remove(other)
    held[owner].append(other)
    held[taker].append(JOKER)
    judged = transition(before, racks(after, held))
    seats = {difference.seat for difference in judged.differences if difference.kind is DifferenceKind.JOKER}

    assert Verdict.ILLEGAL is judged.verdict
    assert {SEATS[owner], SEATS[taker]} == seats


@pytest.mark.parametrize("stage", [Stage.FIRST_RIGHT, Stage.SECOND_LEFT])
def test_a_wrong_direction_is_named(stage: Stage) -> None:
    """Tiles that all went the other way are ILLEGAL by order.direction, and the way that they took is named."""
    before, _ = one_pass(7, stage)
    other_way = {Stage.FIRST_RIGHT: Direction.LEFT, Stage.SECOND_LEFT: Direction.RIGHT}[stage]
    gives: dict[Seat, Tiles] = {seat: bytes(t for t in before.place(seat).rack if t != JOKER)[:3] for seat in SEATS}
    held = {seat: Counter(before.place(seat).rack) - Counter(gives[seat]) for seat in SEATS}
    for seat in SEATS:
        held[seat.on(other_way)] += Counter(gives[seat])
    after = racks(before.at(Stage(stage + 1), before.places), (held[seat].elements() for seat in SEATS))
    judged = transition(before, after)

    assert Verdict.ILLEGAL is judged.verdict
    assert {("order.direction", other_way)} == {(each.rule, each.went) for each in judged.differences}


def test_equal_tables_are_lawful() -> None:
    """Every table follows itself, and no acts lead to it; with an empty list of acts nothing else does."""
    played = hand(Random(1))
    before, after = played.tables[1:3]

    assert {Verdict.LEGAL} == {transition(table, table).verdict for table in played.tables}
    assert {Verdict.LEGAL} == {transition(table, table, []).verdict for table in played.tables}
    assert Verdict.ILLEGAL is transition(before, after, []).verdict


def test_a_discard_takes_a_tile_of_easts() -> None:
    """East's discard leaves East one tile fewer and everybody else's rack as it was."""
    played = hand(Random(2))
    before, after = played.tables[-2:]
    kept = before.at(Stage.PLAY, before.places)
    east, south = before.places[0].rack, before.places[1].rack
    souths = racks(after, (east, south[1:], *(place.rack for place in before.places[2:])))

    assert Verdict.LEGAL is transition(before, after).verdict
    assert Verdict.ILLEGAL is transition(before, kept).verdict
    assert Verdict.ILLEGAL is transition(before, souths).verdict


def test_five_of_a_face_cannot_be_dealt() -> None:
    """A deal with more of a face than the set has is a difference, and the field is named."""
    table = hand(Random(3)).tables[1]
    five = table.put(Seat.EAST, Place(rack=ONE[Tile.BAM_1] * 5 + table.places[0].rack[:9]))
    judged = transition(Table(house=NO_HOUSE), five)

    assert Verdict.ILLEGAL is judged.verdict
    assert DifferenceKind.TILES in {difference.kind for difference in judged.differences}


def test_a_search_that_takes_too_long_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it takes too many steps to find out where the tiles went, the verdict is UNDECIDED."""
    before, after = one_pass(11, Stage.FIRST_RIGHT)
    monkeypatch.setattr(flow, "_MOST_STEPS", 1)

    assert Verdict.UNDECIDED is transition(before, after).verdict
