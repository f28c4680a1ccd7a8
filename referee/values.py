"""Values: what is equal to whatever has the same parts, and never changes once it is made.

The type checker refuses a change. At run time nothing stands in the way: a dataclass that refuses it takes 0.55 us to
make and one that does not 0.14, and every act makes a table, a place or more, and perhaps a pile. Rulings, most of
which are one and the same, are frozen as usual.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Make a class of values: compared and hashed by their parts, and with room for nothing else."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
