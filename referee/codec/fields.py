"""The small questions asked of a message's fields, each answer with its path when it is no answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TypeVar

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from referee.acts import PlayKind
from referee.codec.malformed import MOST_VIOLATIONS, Malformed, Violation
from referee.house import LARGEST_SET
from referee.stages import Seat, Stage
from referee.tiles import Tile, Tiles
from referee.unreachable import Fault

E = TypeVar("E", bound=IntEnum)

_TILES = {tile.value: tile for tile in Tile}
_SEATS = {seat.value: seat for seat in Seat}
_STAGES = {stage.value: stage for stage in Stage}
_KINDS = {kind.value: kind for kind in PlayKind}


# Protobuf makes an object of each unknown field: of megabytes of them that would take a second and more.
_FEW = 4096


class Fields:
    """Reads the fields of one request and gathers what is wrong with them, in the order read."""

    def __init__(self) -> None:
        """Begin with nothing wrong."""
        self.violations: list[Violation] = []

    def wrong(self, path: str, reason: str, sentence: str) -> None:
        """Note that a field is malformed; raise Malformed once there are as many as an answer holds."""
        self.violations.append(Violation(path, reason, sentence))
        if len(self.violations) == MOST_VIOLATIONS:
            raise Malformed(self.violations)

    def faults(self, path: str, faults: Iterable[Fault]) -> None:
        """Note what the core finds malformed, under a path."""
        for fault in faults:
            self.wrong(f"{path}.{fault.path}", fault.reason.name, fault.sentence)

    def tiles(self, path: str, values: Sequence[int]) -> Tiles:
        """Read tiles; no list can have more than the largest set, which bounds what one request costs."""
        if len(values) > LARGEST_SET:
            self.wrong(path, "OUT_OF_RANGE", f"No set has more than {LARGEST_SET} tiles.")
            return b""
        tiles = bytes(value for value in values if value in _TILES)
        if len(tiles) < len(values):
            for index, value in enumerate(values):
                self._one_of(_TILES, f"{path}[{index}]", value, "tile")
        return tiles

    def tile(self, path: str, value: int) -> Tile | None:
        """Read one tile, which must be there."""
        return self._one_of(_TILES, path, value, "tile")

    def seat(self, path: str, value: int) -> Seat | None:
        """Read a seat, which must be named."""
        return self._one_of(_SEATS, path, value, "seat")

    def stage(self, path: str, value: int) -> Stage | None:
        """Read a stage, which must be named."""
        return self._one_of(_STAGES, path, value, "stage")

    def kind(self, path: str, value: int) -> PlayKind | None:
        """Read what of the game proper is tried, which must be named."""
        return self._one_of(_KINDS, path, value, "kind of play")

    def number(self, path: str, value: int) -> int:
        """Read a number of tiles that no larger set than ours could exceed."""
        if value > LARGEST_SET:
            self.wrong(path, "OUT_OF_RANGE", f"No set has more than {LARGEST_SET} tiles.")
        return value

    def known(self, path: str, message: Message) -> None:
        """Note fields that this referee does not know: a rule it does not know must not be ignored."""
        if message.ByteSize() > _FEW and (size := _unknown(message)) > _FEW:
            self.wrong(path, "UNKNOWN_FIELD", f"{size} bytes of this message are in fields that are not known here.")
            return
        numbers = dict.fromkeys(field.field_number for field in UnknownFieldSet(message))  # type: ignore[attr-defined]
        for number in numbers:
            self.wrong(path, "UNKNOWN_FIELD", f"Field {number} of this message is not known here.")

    def _one_of(self, values: dict[int, E], path: str, value: int, what: str) -> E | None:
        if not value:
            self.wrong(path, "MISSING", f"Which {what} is meant?")
            return None
        if value not in values:
            self.wrong(path, "UNKNOWN_VALUE", f"There is no {what} with the number {value}.")
        return values.get(value)


def _unknown(message: Message) -> int:
    """Return how many bytes of a message are in fields that this referee does not know; its parts have their own."""
    rest = type(message)()
    rest.CopyFrom(message)
    for field, _ in message.ListFields():
        rest.ClearField(field.name)
    return rest.ByteSize()
