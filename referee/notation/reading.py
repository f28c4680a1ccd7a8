"""One line of notation as words with columns, and the small questions that the parser asks of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NoReturn

from referee.notation.words import NOTHING, READ_NUMBER, READ_TILE
from referee.stages import Seat, Stage
from referee.tiles import SET_SIZE, Tile, Tiles

_WORD = re.compile(r"[/|]|[^\s,:;/|]+")
_SEATS = {seat.name.lower(): seat for seat in Seat}
_STAGES = {stage.name.lower(): stage for stage in Stage}
# A stage may be written as two words, and either can be misspelt.
_STAGE_WORDS = (*(name.upper() for name in _STAGES), "FIRST", "SECOND")
_LARGEST = 2**32 - 1


class Unread(Exception):
    """What cannot be read on this line, at this column."""

    def __init__(self, column: int, message: str) -> None:
        """Keep the column, from 1, and the sentence."""
        super().__init__(message)
        self.column, self.message = column, message


class Words:
    """The words of one line, read from left to right; a comment is no part of it."""

    def __init__(self, line: str) -> None:
        """Split the line."""
        text = line.split("#", 1)[0]
        self._words = [(match.start() + 1, match.group()) for match in _WORD.finditer(text)]
        self._end = len(text.rstrip()) + 1
        self._at = 0

    def __bool__(self) -> bool:
        """Tell whether a word is left."""
        return self._at < len(self._words)

    @property
    def next(self) -> str:
        """The next word in lower case, or the empty string at the end."""
        return self._words[self._at][1].lower() if self else ""

    @property
    def second(self) -> str:
        """The word after the next in lower case, or the empty string."""
        return self._words[self._at + 1][1].lower() if self._at + 1 < len(self._words) else ""

    def take(self) -> str:
        """Take the next word, in lower case."""
        word = self.next
        self._at += 1
        return word

    def skip(self, *words: str) -> bool:
        """Take the next word if it is one of these."""
        if self.next in words and self:
            self._at += 1
            return True
        return False

    def fail(self, expected: str, known: Iterable[str] = ()) -> NoReturn:
        """Say what was expected in place of the next word, and which of the known words may have been meant."""
        if not self:
            raise Unread(self._end, f"expected {expected}, but the line ends")
        column, word = self._words[self._at]
        raise Unread(column, f"expected {expected}, not '{_short(word)}'{_meant(word, known)}")

    def expect(self, *words: str) -> None:
        """Take the next word, which must be one of these."""
        if not self.skip(*words):
            self.fail(" or ".join(f"'{word}'" for word in words[:1]))

    def end(self) -> None:
        """Require that nothing is left."""
        if self:
            self.fail("the end of the line")

    def seat(self) -> Seat:
        """Take a seat."""
        if not self.is_seat():
            self.fail("a seat (EAST, SOUTH, WEST or NORTH)", Seat.__members__)
        return _SEATS[self.take()]

    def is_seat(self) -> bool:
        """Tell whether the next word is a seat."""
        return self.next in _SEATS

    def stage(self) -> Stage:
        """Take a stage, written as one word or two."""
        for word, taken in ((self.next.replace("-", "_"), 1), (f"{self.next}_{self.second}", 2)):
            if word in _STAGES:
                self._at += taken
                return _STAGES[word]
        self.fail("a stage such as FIRST_RIGHT", _STAGE_WORDS)

    def number(self, expected: str, most: int = _LARGEST) -> int:
        """Take a number of none or more, up to the most."""
        word = self.next
        if word in READ_NUMBER:
            return READ_NUMBER[self.take()]
        if not (word.isascii() and word.isdigit() and len(word) <= 10 and int(word) <= most):
            self.fail(expected)
        return int(self.take())

    def numbers(self) -> tuple[int, ...]:
        """Take the numbers that follow."""
        numbers = []
        while self.next.isascii() and self.next.isdigit():
            numbers.append(self.number("a number"))
        return tuple(numbers)

    def tile(self) -> Tile:
        """Take one tile."""
        if self.next not in READ_TILE:
            self.fail("a tile such as 3b, 5c, 9d, E, R or J")
        return READ_TILE[self.take()]

    def tiles(self, until: Iterable[str] = ()) -> Tiles:
        """Take tiles up to one of the words or the end; `nothing` stands for none, and 3b*2 for two of them."""
        if self.skip(NOTHING):
            return b""
        tiles: list[Tile] = []
        while self and self.next not in until:
            face, star, times = self.next.partition("*")
            if not star:
                tiles.append(self.tile())
                continue
            if face not in READ_TILE or not (times.isascii() and times.isdigit() and 1 <= len(times) <= 3):
                self.fail("a tile such as 3b, or several such as ?*13")
            if int(times) > SET_SIZE:
                self.fail(f"at most the {SET_SIZE} tiles of the set")
            tiles += [READ_TILE[face]] * int(times)
            self.take()
        return bytes(tiles)


def _short(word: str) -> str:
    word = "".join(letter if letter.isprintable() else "�" for letter in word[:21])
    return word if len(word) <= 20 else word[:20] + "…"


def _meant(word: str, known: Iterable[str]) -> str:
    names = {name.lower(): name for name in known}
    like = get_close_matches(_short(word).lower(), names, 1, 0.7)
    return f"; did you mean '{names[like[0]]}'?" if like else ""
