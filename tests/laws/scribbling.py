"""Messages that somebody has scribbled on: any field changed to anything that the wire can carry."""

from __future__ import annotations

from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

NUMBERS = (0, 1, 2, 3, 3, 4, 13, 14, 152, 153, 2**31, 2**32 - 1)
ENUMS = (*range(12), *range(30, 40), 10, 36, 36, -1, 41, 1000, 2**31 - 1, -(2**31))
STRINGS = ("", "league", "fr-CH;q=0.5", "no.such", "\x00", "é" * 300)
UNKNOWN = (
    b"\x98\x06\x01",  # field 99, a number
    b"\x9a\x06\x03abc",  # field 99, three bytes
    b"\x9b\x06\x9c\x06",  # field 99, an empty group
    b"\xa2\x1f\x00",  # field 500, no bytes
)


class Scribbler(Random):
    """Scribbles on messages, the same way for the same seed."""

    def value(self, field: FieldDescriptor) -> Any:
        """Return a value that the field can carry on the wire."""
        if field.type == FieldDescriptor.TYPE_ENUM:
            return self.choice(ENUMS)
        if field.type == FieldDescriptor.TYPE_BOOL:
            return self.random() < 0.5
        if field.type == FieldDescriptor.TYPE_STRING:
            return self.choice(STRINGS)
        assert field.type == FieldDescriptor.TYPE_UINT32, f"what can {field.full_name} carry?"
        return self.choice(NUMBERS)

    def fill(self, message: Message, most: int = 4) -> None:
        """Fill an empty message with anything, its fields set or not."""
        for field in message.DESCRIPTOR.fields:
            if self.random() < 0.6:
                self.set(message, field, most)

    def set(self, message: Message, field: Any, most: int = 4) -> None:
        """Set a field to anything; a repeated one to a few."""
        if field.message_type and field.is_repeated:
            for _ in range(self.randrange(most)):
                self.fill(getattr(message, field.name).add(), most - 1)
        elif field.message_type:
            getattr(message, field.name).SetInParent()
            self.fill(getattr(message, field.name), most)
        elif field.is_repeated:
            values = getattr(message, field.name)
            del values[:]
            values.extend(self.value(field) for _ in range(self.randrange(most + 1)))
        else:
            setattr(message, field.name, self.value(field))

    def scribble(self, message: Message) -> None:
        """Change one thing somewhere in a message."""
        while True:
            within = [field for field, _ in message.ListFields() if field.message_type]
            if not within or self.random() < 0.25:
                break
            inner = getattr(message, self.choice(within).name)
            if isinstance(inner, Message):
                message = inner
            elif inner:
                message = self.choice(inner)
        descriptor: Any = message.DESCRIPTOR
        if not descriptor.fields or self.random() < 0.08:
            message.MergeFromString(self.choice(UNKNOWN))
            return
        field = self.choice(descriptor.fields)
        if field.is_repeated and not field.message_type and getattr(message, field.name):
            self.scribble_on(field, getattr(message, field.name))
        elif self.random() < 0.15:
            message.ClearField(field.name)
        else:
            self.set(message, field)

    def scribble_on(self, field: FieldDescriptor, values: Any) -> None:
        """Change one thing in a list: one more, one fewer, one repeated, one another, or the order."""
        where = self.randrange(len(values))
        match self.randrange(5):
            case 0:
                values.append(self.value(field))
            case 1:
                del values[where]
            case 2:
                values.append(values[where])
            case 3:
                values[where] = self.value(field)
            case _:
                shuffled = list(values)
                self.shuffle(shuffled)
                del values[:]
                values.extend(shuffled)

    def smudge(self, body: bytes) -> bytes:
        """Return bytes with some of them changed, lost or added."""
        smudged = bytearray(body)
        for _ in range(self.randrange(1, 4)):
            where = self.randrange(len(smudged) + 1)
            match self.randrange(3):
                case 0:
                    smudged[where : where + 1] = bytes([self.randrange(256)])
                case 1:
                    del smudged[where : where + self.randrange(1, 9)]
                case _:
                    smudged[where:where] = self.randbytes(self.randrange(1, 5))
        return bytes(smudged)
