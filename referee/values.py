"""Values: what is equal to whatever has the same parts, and never changes once it is made.

The type checker refuses a change. At run time nothing stands in the way, for a dataclass that does costs four times as
much to make, and a judgement makes tables, places and piles by the dozen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class of values: compared and hashed by their parts, and with room for nothing else."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
