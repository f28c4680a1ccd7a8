"""The tolerant parser: acts, tables and games from text. It goes on after an error, to find them all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from referee.acts import Act, Count, Deal, Draw, HandBack, Look, Offer, Pass, Play, PlayKind, Replace, Stop
from referee.house import IDS, MOST_FLOWERS, MOST_JOKERS, NO_HOUSE, PRESETS, HouseRules, house_rules
from referee.notation.game import Claim, Game, Line, NotationError, Problem
from referee.notation.reading import Unread, Words
from referee.stages import SEATS, Seat, Stage
from referee.table import EMPTY, NEWEST_RULEBOOK, Debt, Place, SetOut, Table
from referee.tiles import Tiles
from referee.unreachable import picks_fault

_CLAUSES = ("blind", "to", "at")
_PARTS = ("|", "blind")
_NUMBERS = {"flowers": MOST_FLOWERS, "jokers": MOST_JOKERS}
T = TypeVar("T")


def parse_tiles(text: str) -> Tiles:
    """Read tiles such as `1b 3c J`, in the order written; NotationError if one is no tile."""
    return _one_line(text, lambda words: words.tiles())


def parse_act(text: str) -> Act:
    """Read one act such as `EAST passes 1b 3c 9d`; NotationError if it is none."""

    def act(words: Words) -> Act:
        entry = _entry(words)
        if isinstance(entry, Claim):
            raise Unread(1, "expected an act, not what a log claims")
        return entry

    return _one_line(text, act)


def parse_table(text: str) -> Table:
    """Read a table; NotationError with all that cannot be read."""
    game = parse_game(text)
    if game.table is None or game.lines:
        line = game.lines[0].number if game.lines else 1
        raise NotationError([Problem(line, 1, "expected a table, such as 'table at FIRST_LEFT' and a line a seat")])
    return game.table


def parse_game(text: str) -> Game:
    """Read a game: perhaps a table, then one act or claim a line; NotationError with all that cannot be read."""
    lines: list[Line] = []
    problems: list[Problem] = []
    table: _TableLines | None = None
    house: HouseRules | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        words = Words(line)
        try:
            if not words:
                continue
            if words.next == "house" and house is None and table is None and not lines:
                house = _house(words)
            elif words.next == "table" and table is None and not lines:
                table = _TableLines(words)
            elif table is not None and not lines and words.second in ("rack", "owes"):
                table.line(words)
            else:
                lines.append(Line(_entry(words), number))
        except Unread as unread:
            problems.append(Problem(number, unread.column, unread.message))
    if problems:
        raise NotationError(problems)
    rules = house or NO_HOUSE
    return Game(tuple(lines), table.table(rules)) if table else Game(tuple(lines), None, rules)


def _one_line(text: str, read: Callable[[Words], T]) -> T:
    words = Words(text)
    try:
        result = read(words)
        words.end()
    except Unread as unread:
        raise NotationError([Problem(1, unread.column, unread.message)]) from None
    return result


class _TableLines:
    """The lines of a table, as far as they have been read."""

    def __init__(self, words: Words) -> None:
        words.take()
        words.expect("at")
        self._stage = words.stage()
        self._rulebook = words.number("the version") if words.skip("rulebook") else NEWEST_RULEBOOK
        words.end()
        self._places: dict[Seat, Place] = {}
        self._debts: list[Debt] = []

    def line(self, words: Words) -> None:
        seat = words.seat()
        if words.skip("owes"):
            self._debts.append(Debt(seat, words.seat(), words.number("how many tiles are owed")))
        elif seat in self._places:
            words.fail("'owes': this seat has its line already")
        else:
            self._places[seat] = _place(words)
        words.end()

    def table(self, house: HouseRules) -> Table:
        east, south, west, north = (self._places.get(seat, EMPTY) for seat in SEATS)
        return Table(self._stage, (east, south, west, north), tuple(self._debts), self._rulebook, house)


def parse_house(text: str) -> HouseRules:
    """Read house rules such as `league jokers 10`; NotationError if one is none."""
    return _one_line(f"house {text}", _house)


def _house(words: Words) -> HouseRules:
    words.take()
    ids: list[str] = []
    numbers: dict[str, int] = {}
    while words:
        if words.next in _NUMBERS:
            name = words.take()
            numbers[name] = words.number(f"none to {_NUMBERS[name]}", most=_NUMBERS[name])
        elif words.next in IDS or words.next in PRESETS:
            ids.append(words.take())
        else:
            words.fail(f"a house rule: {', '.join((*IDS, *PRESETS, *_NUMBERS))}")
    return house_rules(ids, **numbers)


def _place(words: Words) -> Place:
    rack: Tiles = b""
    set_out: SetOut | None = None
    incoming: Tiles = b""
    looked, offer = False, None
    while True:
        match words.next:
            case "rack":
                words.take()
                rack = words.tiles(_PARTS)
            case "out":
                words.take()
                set_out = SetOut(words.tiles(_PARTS), *_blind(words))
            case "in":
                words.take()
                incoming = words.tiles(_PARTS)
            case "looked":
                words.take()
                looked = True
            case "offer":
                words.take()
                offer = words.number("how many tiles are offered")
            case _:
                words.fail("'rack', 'out', 'in', 'looked' or 'offer'")
        if not words.skip("|"):
            return Place(rack, set_out, incoming, looked, offer)


def _blind(words: Words) -> tuple[int, tuple[int, ...]]:
    if not words.skip("blind"):
        return 0, ()
    blind = words.number("how many tiles are taken blind")
    picks = words.numbers() if words.skip("of") else ()
    if picks and (sentence := picks_fault(picks, blind)):
        words.fail(f"other picks: {sentence.rstrip('.').lower()}")
    return blind, picks


def _entry(words: Words) -> Act | Claim:
    if words.skip("deal", "deals"):
        return _deal(words)
    if words.skip("everyone", "everybody", "all"):
        words.expect("looks", "look")
        return Look(None, stage=_at_end(words))
    if not words.is_seat():
        words.fail("a seat, 'deal' or 'everyone'", _FIRST)
    seat = words.seat()
    read = _VERBS.get(words.next)
    if read is None:
        words.fail("what the seat does, such as passes, looks, stops, offers or discards", _VERBS)
    words.take()
    return read(words, seat)


def _at_end(words: Words) -> Stage | None:
    stage = words.stage() if words.skip("at") else None
    words.end()
    return stage


def _deal(words: Words) -> Deal:
    racks: dict[Seat, Tiles] = {}
    while True:
        seat = words.seat()
        if seat in racks:
            words.fail("another seat: this one has its rack already")
        racks[seat] = words.tiles(("/", "at"))
        if not words.skip("/"):
            break
    if missing := [seat.name for seat in SEATS if seat not in racks]:
        words.fail(f"a rack for {' and '.join(missing)}")
    return Deal((racks[Seat.EAST], racks[Seat.SOUTH], racks[Seat.WEST], racks[Seat.NORTH]), _at_end(words))


def _pass(words: Words, seat: Seat) -> Pass:
    tiles = words.tiles(_CLAUSES)
    blind, picks = _blind(words)
    receiver = words.seat() if words.skip("to") else None
    return Pass(seat, tiles, blind, picks, receiver, _at_end(words))


def _hand_back(words: Words, seat: Seat) -> HandBack:
    words.expect("back")
    jokers = words.number("how many Jokers")
    words.expect("j", "joker", "jokers")
    words.expect("to")
    return HandBack(seat, words.seat(), jokers, _at_end(words))


def _declare(words: Words, seat: Seat) -> Play:
    kinds = {"dead": PlayKind.DECLARE_DEAD, "mahjong": PlayKind.DECLARE_MAHJONG}
    if words.next not in kinds:
        words.fail("'dead' or 'mahjong'")
    return Play(seat, kinds[words.take()], stage=_at_end(words))


def _holds(words: Words, seat: Seat) -> Claim:
    claim = Claim(seat, words.tiles())
    words.end()
    return claim


_FIRST = ("deal", "everyone", "table", *Seat.__members__)
_VERBS: dict[str, Callable[[Words, Seat], Act | Claim]] = {
    "passes": _pass,
    "pass": _pass,
    "looks": lambda words, seat: Look(seat, words.tiles(("at",)), _at_end(words)),
    "stops": lambda words, seat: Stop(seat, _at_end(words)),
    "offers": lambda words, seat: Offer(seat, words.number("how many tiles are offered"), _at_end(words)),
    "hands": _hand_back,
    "replaces": lambda words, seat: Replace(seat, words.tiles(("at",)), _at_end(words)),
    "draws": lambda words, seat: Draw(seat, words.tile(), _at_end(words)),
    "counts": lambda words, seat: Count(seat, words.number("how many tiles are counted"), _at_end(words)),
    "discards": lambda words, seat: Play(seat, PlayKind.DISCARD, words.tile(), _at_end(words)),
    "calls": lambda words, seat: Play(seat, PlayKind.CALL, stage=_at_end(words)),
    "exposes": lambda words, seat: Play(seat, PlayKind.EXPOSE, stage=_at_end(words)),
    "declares": _declare,
    "holds": _holds,
}
