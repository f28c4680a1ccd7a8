"""House rules: where real tables differ, by permanent id. None of them is the rulebook as it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from referee.tiles import COPIES, FLOWER, HIDDEN, JOKER, SET_SIZE, Tiles

MOST_FLOWERS = 24
MOST_JOKERS = 10
NOT_FOUR = bytes((FLOWER, JOKER, HIDDEN))
"""What there are not four each of; it comes last in tile order."""
_FLOWERS, _JOKERS = COPIES[FLOWER], COPIES[JOKER]
LARGEST_SET = SET_SIZE - COPIES[FLOWER] - COPIES[JOKER] + MOST_FLOWERS + MOST_JOKERS


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule: what it says, and which articles it changes."""

    id: str
    text: str
    changes: tuple[str, ...]


HOUSE = (
    HouseRule(
        "stop.at_set_out",
        "The second Charleston can be stopped only until the first tiles are set out in it.",
        ("stop.looked",),
    ),
    HouseRule(
        "east.13",
        "East is dealt 13 and draws the fourteenth at the opening; it does not discard before.",
        ("count.before", "count.during", "count.after", "play.east", "draw.house"),
    ),
    HouseRule(
        "left.draws",
        "When the seat to East's left owns one tile too few it may draw one, any time before the discard; until then "
        "that is no wrong count, and still short when East discards it is one.",
        ("count.before", "count.during", "count.after", "draw.house"),
    ),
    HouseRule(
        "east.declares",
        "East may declare mahjong on the dealt hand before anything is set out; the hand itself is not judged here.",
        ("play.nothing",),
    ),
    HouseRule(
        "ring.ends",
        "After four blind threes the passing is over and the opening follows at once.",
        ("blind.last_pass",),
    ),
    HouseRule(
        "right.north",
        "The order of turn is East, North, West, South, so that North sits at East's right.",
        ("order.direction", "joker.claim"),
    ),
    HouseRule(
        "claims.closed",
        "Nobody hands a Joker back or claims a count, for the server sees every face.",
        ("joker.claim", "count.claim"),
    ),
)
LEAGUE = "league"
PRESETS = {LEAGUE: ("stop.at_set_out", "left.draws", "east.declares", "ring.ends")}
IDS = tuple(rule.id for rule in HOUSE)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules of a table, in the order of HOUSE; flowers and jokers are None where the set is the usual one."""

    ids: tuple[str, ...] = ()
    flowers: int | None = None
    jokers: int | None = None
    said: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The ids in force, and `flowers` and `jokers` where the set is said to have another number of them."""

    def __post_init__(self) -> None:
        """Work out once what is asked of every act."""
        numbers = (("flowers", self.flowers), ("jokers", self.jokers))
        said = (*self.ids, *(name for name, number in numbers if number is not None))
        object.__setattr__(self, "said", said)

    def __contains__(self, id: str) -> bool:
        """Tell whether a house rule is in force."""
        return id in self.ids

    def __str__(self) -> str:
        """Return what is said, as the notation writes it; the empty string where nothing is."""
        numbers = (("flowers", self.flowers), ("jokers", self.jokers))
        return " ".join([*self.ids, *(f"{name} {number}" for name, number in numbers if number is not None)])

    def without(self, id: str) -> HouseRules:
        """Return the house rules less one of those said."""
        return _without(self.ids, self.flowers, self.jokers, id)

    def copies(self, tile: int) -> int:
        """Return how many of a face the set has."""
        number = self.flowers if tile == FLOWER else self.jokers if tile == JOKER else None
        return COPIES[tile] if number is None else number

    def has(self, tiles: Tiles) -> bool:
        """Tell whether the set has all these tiles, those that lie face down included."""
        count = tiles.count
        return (
            count(FLOWER) <= (_FLOWERS if self.flowers is None else self.flowers)
            and count(JOKER) <= (_JOKERS if self.jokers is None else self.jokers)
            and (HIDDEN not in tiles or len(tiles) <= self.set_size)
            and not _five_of_a_face(tiles)
        )

    @property
    def set_size(self) -> int:
        """How many tiles the set has."""
        usual = COPIES[FLOWER] + COPIES[JOKER]
        return SET_SIZE - usual + self.copies(FLOWER) + self.copies(JOKER)


def _five_of_a_face(tiles: Tiles) -> bool:
    """Tell whether there are five of a face of which every set has four.

    In tile order, read as one number, the first of five is as the one four on, and that byte of their difference is 0.
    To each byte 128 is added and 1 is taken away: 128 and more is left of any byte but that.
    """
    fours = bytes(sorted(tiles)).rstrip(NOT_FOUR)
    size = len(fours)
    if size > LARGEST_SET:
        return True
    number = int.from_bytes(fours, "big")
    return ((number ^ number >> 32 | _HIGH[size]) - _ONES[size]) & _HIGH[size] != _HIGH[size]


_HIGH = tuple(int.from_bytes(b"\x80" * size, "big") for size in range(LARGEST_SET + 1))
_ONES = tuple(high >> 7 for high in _HIGH)


@lru_cache(maxsize=1024)
def _without(ids: tuple[str, ...], flowers: int | None, jokers: int | None, id: str) -> HouseRules:
    """Return house rules less one; there are few, and each is left out in turn at every act."""
    kept = tuple(other for other in ids if other != id)
    return HouseRules(kept, None if id == "flowers" else flowers, None if id == "jokers" else jokers)


NO_HOUSE = HouseRules()


def house_rules(ids: Iterable[str], flowers: int | None = None, jokers: int | None = None) -> HouseRules:
    """Return house rules by their ids and presets; ValueError with the first that there is not."""
    chosen: set[str] = set()
    for id in ids:
        if id not in IDS and id not in PRESETS:
            raise ValueError(id)
        chosen.update(PRESETS.get(id, (id,)))
    return HouseRules(tuple(id for id in IDS if id in chosen), flowers, jokers)
