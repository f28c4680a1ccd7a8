"""The protocol reference, made from the comments of the proto files; and the test vectors of a ruling's id."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

from referee.acts import Act
from referee.ids import canonical, ruling_id
from referee.notation import parse_act, parse_table
from referee.table import Table
from tests.house.pages_tables import table

PROTO = Path(__file__).resolve().parents[2] / "proto"
OURS = "charleston.referee.v1"
KEY = b"0123456789abcdef"
VECTORS: tuple[tuple[str, str], ...] = (
    ("table at UNDEALT", ""),
    ("table at UNDEALT", "EAST passes 1b 2b 3b at FIRST_RIGHT"),
    (
        "house ring.ends jokers 10\n"
        "table at FIRST_LEFT\n"
        "EAST rack 1b 2b 4b 9b 2c 4c 6c 8c 1d 3d 5d E F F\n"
        "SOUTH rack 1b 3b 5b 7b 1c 3c 5c 7c 2d 4d 6d S F\n"
        "WEST rack 2b 4b 6b 8b 9c 9c 1d 9d W R J | out 3d 7d blind 1 of 2\n"
        "NORTH rack 5b 6b 7b 8b 9b 5c 6c 7c 8d 8d N G O",
        "NORTH passes blind 3 at FIRST_LEFT",
    ),
)


@cache
def files() -> tuple[FileDescriptorProto, ...]:
    """Build our proto files with their comments, the service first."""
    buf = Path(sys.executable).with_name("buf")
    image = subprocess.run([buf, "build", "-o", "-"], cwd=PROTO, check=True, capture_output=True).stdout
    ours = [file for file in FileDescriptorSet.FromString(image).file if file.package == OURS]
    order = {"service": 0, "table": 1, "ruling": 2}
    return tuple(sorted(ours, key=lambda file: order[Path(file.name).stem]))


def service() -> str:
    """Return the service: what it says of itself, and its methods."""
    (file, held), *_ = ((file, held) for file in files() for held in file.service)
    said = _comments(file)
    methods = (
        [
            f"`{method.name}`",
            _stream(method.client_streaming, method.input_type),
            _stream(method.server_streaming, method.output_type),
            _line(said[6, 0, 2, number]),
        ]
        for number, method in enumerate(held.method)
    )
    return f"{_prose(said[6, 0])}\n\n" + table(["method", "question", "answer", "what it asks"], methods)


def messages() -> str:
    """Return every message with its fields."""
    return "\n\n".join(part for file in files() for part in _messages(file))


def enums() -> str:
    """Return every enum with its values."""
    return "\n\n".join(part for file in files() for part in _enums(file))


def vectors() -> str:
    """Return questions with their canonical form and the id that the key gives them."""
    return "\n\n".join(f"```text\n{canonical(*question)}\n```\n\n`{ruling_id(KEY, *question)}`" for question in asked())


def asked() -> Iterator[tuple[Table, Act | None]]:
    """Yield the questions of the vectors."""
    for text, act in VECTORS:
        yield parse_table(text), parse_act(act) if act else None


def _messages(file: FileDescriptorProto) -> Iterator[str]:
    said = _comments(file)
    for number, message in enumerate(file.message_type):
        part = f"### {message.name}\n\n{_prose(said[4, number])}"
        for index, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):
                part += f"\n\nOne of `{oneof.name}`: {_line(said[4, number, 8, index])}"
        rows = [
            [str(field.number), f"`{field.name}`", _type(field), _line(said[4, number, 2, index])]
            for index, field in enumerate(message.field)
        ]
        yield f"{part}\n\n{table(['no.', 'field', 'type', 'what it is'], rows)}" if rows else part


def _enums(file: FileDescriptorProto) -> Iterator[str]:
    said = _comments(file)
    for number, enum in enumerate(file.enum_type):
        rows = [
            [str(value.number), f"`{value.name}`", _line(said[5, number, 2, index])]
            for index, value in enumerate(enum.value)
        ]
        yield f"### {enum.name}\n\n{_prose(said[5, number])}\n\n{table(['no.', 'value', 'what it means'], rows)}"


def _comments(file: FileDescriptorProto) -> dict[tuple[int, ...], str]:
    return {tuple(at.path): at.leading_comments for at in file.source_code_info.location}


def _line(comment: str) -> str:
    return " ".join(comment.split())


def _prose(comment: str) -> str:
    """Return a comment as Markdown: paragraphs stay apart, and codes that are set in become a list."""
    return "\n\n".join(_paragraph(paragraph) for paragraph in comment.strip("\n").split("\n\n"))


def _paragraph(text: str) -> str:
    blocks = [""]
    for line in text.splitlines():
        first, _, rest = line.strip().partition(" ")
        if line.startswith("   ") and first.isupper():
            blocks.append(f"- `{first}`: {rest.strip()}")
        else:
            blocks[-1] += f" {line.strip()}"
    said, items = blocks[0].strip(), blocks[1:]
    return f"{said}\n\n" + "\n".join(items) if items else said


def _stream(streams: bool, type: str) -> str:
    return ("stream of " if streams else "") + _link(type)


def _type(field: FieldDescriptorProto) -> str:
    name = _link(field.type_name) if field.type_name else FieldDescriptorProto.Type.Name(field.type)[5:].lower()
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


def _link(type: str) -> str:
    name = type.rpartition(".")[2]
    return f"[{name}](#{name.lower()})" if type.startswith(f".{OURS}.") else f"`{type.lstrip('.')}`"
