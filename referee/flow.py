"""Where tiles can have gone in one pass: whether the racks after it can come of the racks before.

In a pass with blind tiles in it a tile may travel past its receiver. How many tiles can go from each seat to each other
is one of few matrices, all of which the ring itself is asked for; a matrix explains two sets of racks if the faces that
seats have lost and gained can be sent along it, a seat perhaps passing a face and getting the same back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations, product

from referee import ring
from referee.place import PILE
from referee.stages import SEATS, Seat
from referee.table import SetOut
from referee.tiles import JOKER, Tiles

Racks = tuple[Tiles, Tiles, Tiles, Tiles]
Matrix = tuple[tuple[int, ...], ...]
_MOST_STEPS = 50_000


def straight(receiver: Callable[[Seat], Seat], tiles: int, seats: Iterable[Seat] = SEATS) -> Matrix:
    """Return the matrix of a pass in which each of the seats gives so many tiles to its receiver, and none blind."""
    rows = [[0] * 4 for _ in SEATS]
    for seat in seats:
        rows[seat - 1][receiver(seat) - 1] = tiles
    return tuple(map(tuple, rows))


@cache
def blind_matrices(step: int) -> tuple[Matrix, ...]:
    """Return every matrix of a blind pass to the seat that many turns on, those with fewer blind tiles first."""
    found: dict[Matrix, int] = {}
    for blinds in sorted(product(range(PILE + 1), repeat=4), key=sum):
        if all(blind == PILE for blind in blinds):
            found.setdefault(((0,) * 4,) * 4, sum(blinds))
            continue
        for picks in product(*(combinations(range(1, PILE + 1), blind) for blind in blinds)):
            found.setdefault(_matrix(blinds, picks, step), sum(blinds))
    return tuple(sorted(found, key=lambda matrix: (found[matrix], matrix)))


def _matrix(blinds: tuple[int, ...], picks: tuple[tuple[int, ...], ...], step: int) -> Matrix:
    # Ask the ring itself, with a different tile for each that is somebody's own: four seats have twelve at most.
    own = [bytes(3 * index + place + 1 for place in range(PILE - blinds[index])) for index in range(4)]
    east, south, west, north = (SetOut(own[index], blinds[index], picks[index]) for index in range(4))
    kept = ring.kept((east, south, west, north), tuple(seat.on(4 - step) for seat in SEATS))
    return tuple(tuple(sum(tile in tiles for tile in own[giver]) for tiles in kept) for giver in range(4))


def explained(matrices: Iterable[Matrix], before: Racks, after: Racks) -> bool | None:
    """Tell whether tiles sent along one of the matrices, no Joker among them, lead from racks to racks.

    None if that takes too long to find out, which no table of a real game has been seen to do.
    """
    search = _Search(before, after)
    try:
        return any(search.along(matrix) for matrix in matrices)
    except _TooLong:
        return None


class _TooLong(Exception):
    """The search has taken as many steps as it may."""


class _Search:
    """A search for the faces that went along each arc of a matrix."""

    def __init__(self, before: Racks, after: Racks) -> None:
        pairs = [(Counter(b), Counter(a)) for b, a in zip(before, after, strict=True)]
        self._lost = sorted((face, seat) for seat, (b, a) in enumerate(pairs) for face in (b - a).elements())
        self._gained: dict[int, list[int]] = {}
        for seat, (b, a) in enumerate(pairs):
            for face in (a - b).elements():
                self._gained.setdefault(face, []).append(seat)
        self._conserved = sum(map(len, before)) == sum(map(len, after))
        self._may_pass = [Counter(tile for tile in rack if tile != JOKER) for rack in before]
        self._room: list[list[int]] = []
        self._steps = 0

    def along(self, matrix: Matrix) -> bool:
        """Search along one matrix."""
        self._room = [[0 if giver == taker else row[taker] for taker in range(4)] for giver, row in enumerate(matrix)]
        gave = Counter(seat for _, seat in self._lost)
        if not self._conserved or any(sum(self._room[seat]) < gave[seat] for seat in range(4)):
            return False
        return self._send(0)

    def _send(self, index: int) -> bool:
        """Send the lost tiles from this one on to seats that have gained their face."""
        self._step()
        if index == len(self._lost):
            return self._turn_round()
        face, seat = self._lost[index]
        takers = self._gained.get(face, [])
        for taker in sorted(set(takers)):
            takers.remove(taker)
            if any(self._along(path, face, lambda: self._send(index + 1)) for path in _paths(seat, taker)):
                return True
            takers.append(taker)
        return False

    def _turn_round(self) -> bool:
        """Fill the arcs that are left with rounds of one face each, which change nobody's rack."""
        self._step()
        giver = next((seat for seat in range(4) if any(self._room[seat])), None)
        if giver is None:
            return True
        return any(
            self._along(path, face, self._turn_round)
            for face in sorted(self._may_pass[giver])
            for path in _paths(giver, giver)
        )

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _TooLong

    def _along(self, path: tuple[int, ...], face: int, then: Callable[[], bool]) -> bool:
        """Send a face along a path, each giver on it giving one of its own, and see what comes of the rest."""
        arcs = tuple(pairwise(path))
        if any(self._room[giver][taker] == 0 or self._may_pass[giver][face] == 0 for giver, taker in arcs):
            return False
        for giver, taker in arcs:
            self._room[giver][taker] -= 1
            self._may_pass[giver][face] -= 1
        done = then()
        for giver, taker in arcs:
            self._room[giver][taker] += 1
            self._may_pass[giver][face] += 1
        return done


@cache
def _paths(start: int, end: int) -> tuple[tuple[int, ...], ...]:
    """Return the paths from one seat to another that pass by no seat twice, the shortest first; or rounds."""
    between = [seat for seat in range(4) if seat not in (start, end)]
    return tuple(_orders(start, end, between))


def _orders(start: int, end: int, between: list[int]) -> Iterator[tuple[int, ...]]:
    for length in range(0 if start != end else 1, len(between) + 1):
        for stops in permutations(between, length):
            yield (start, *stops, end)
