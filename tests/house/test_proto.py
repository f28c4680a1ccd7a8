"""The proto files explain everything in them, and what is frozen stays as it is."""

import keyword
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from google.protobuf import descriptor_pb2
from google.rpc import status_pb2

PROTO = Path(__file__).resolve().parents[2] / "proto"
OURS = PROTO / "charleston" / "referee" / "v1"
TYPESCRIPT = set(
    "await break case catch class const continue debugger default delete do else enum export extends false"
    " finally for function if implements import in instanceof interface let new null package private"
    " protected public return static super switch this throw true try typeof undefined var void while with"
    " yield".split()
)
SUITS = [f"{suit}_{number}" for suit in ("BAM", "CRAK", "DOT") for number in range(1, 10)]
FROZEN = {
    "Seat": "EAST SOUTH WEST NORTH".split(),
    "Tile": [*SUITS, *"EAST SOUTH WEST NORTH RED GREEN SOAP FLOWER JOKER HIDDEN".split()],
    "Stage": (
        "UNDEALT FIRST_RIGHT FIRST_ACROSS FIRST_LEFT SECOND_LEFT SECOND_ACROSS SECOND_RIGHT COURTESY OPENING"
        " PLAY THROWN_IN"
    ).split(),
    "Verdict": "LEGAL UNDECIDED JOKER_RETURN ILLEGAL MISDEAL".split(),
}


class Thing(NamedTuple):
    """Anything that has a name in a proto file, with the comment before it."""

    kind: str
    name: str
    comment: str


@pytest.fixture(scope="module")
def files() -> list[descriptor_pb2.FileDescriptorProto]:
    """Build our proto files with their comments."""
    buf = Path(sys.executable).with_name("buf")
    image = subprocess.run([buf, "build", "-o", "-"], cwd=PROTO, check=True, capture_output=True).stdout
    every = descriptor_pb2.FileDescriptorSet.FromString(image).file
    return [file for file in every if file.package == "charleston.referee.v1"]


@pytest.fixture(scope="module")
def things(files: list[descriptor_pb2.FileDescriptorProto]) -> list[Thing]:
    """List everything that has a name, in all files."""
    return [thing for file in files for thing in things_in(file)]


def things_in(file: descriptor_pb2.FileDescriptorProto) -> Iterator[Thing]:
    comments = {tuple(at.path): at.leading_comments.strip() for at in file.source_code_info.location}

    def thing(kind: str, name: str, *path: int) -> Thing:
        return Thing(kind, name, comments.get(path, ""))

    # The numbers are those of the fields of FileDescriptorProto, and of what lies in them.
    for m, message in enumerate(file.message_type):
        assert not message.nested_type and not message.enum_type, "nothing here is nested"
        yield thing("message", message.name, 4, m)
        for f, field in enumerate(message.field):
            yield thing("field", field.name, 4, m, 2, f)
        for o, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):  # such a one stands for an optional field
                yield thing("oneof", oneof.name, 4, m, 8, o)
    for e, enum in enumerate(file.enum_type):
        yield thing("enum", enum.name, 5, e)
        for v, value in enumerate(enum.value):
            yield thing("value", value.name, 5, e, 2, v)
    for s, service in enumerate(file.service):
        yield thing("service", service.name, 6, s)
        for r, rpc in enumerate(service.method):
            yield thing("rpc", rpc.name, 6, s, 2, r)


def test_everything_is_explained(things: list[Thing]) -> None:
    """Every message, field, enum, value, service and RPC has a comment that begins with its name."""
    unexplained = [f"{kind} {name}" for kind, name, comment in things if comment.split()[:1] != [name]]

    assert len(things) > 200
    assert [] == unexplained


def test_every_file_says_what_it_holds() -> None:
    """A proto file opens with a comment, and no line in it is longer than 110 characters."""
    sources = {path.name: path.read_text(encoding="utf-8") for path in OURS.glob("*.proto")}

    assert {"ruling.proto", "service.proto", "table.proto"} == sources.keys()
    for name, text in sources.items():
        assert text.startswith("// "), name
        assert max(map(len, text.splitlines())) <= 110, name


@pytest.mark.parametrize("name", FROZEN)
def test_frozen_enums_keep_their_numbers(files: list[descriptor_pb2.FileDescriptorProto], name: str) -> None:
    """Seat, Tile, Stage and Verdict have exactly these values, numbered from 1 in this order, for ever."""
    enums = {enum.name: enum for file in files for enum in file.enum_type}
    expected = [f"{name.upper()}_{value}" for value in ("UNSPECIFIED", *FROZEN[name])]

    assert list(enumerate(expected)) == [(value.number, value.name) for value in enums[name].value]


def test_enums_say_whether_they_may_grow(things: list[Thing]) -> None:
    """The comment of a frozen enum says that it is frozen, that of any other that values may be added."""
    comments = {name: " ".join(comment.split()) for kind, name, comment in things if kind == "enum"}

    assert FROZEN.keys() == {name for name, comment in comments.items() if "This enum is frozen" in comment}
    assert comments.keys() - FROZEN.keys() == {
        name for name, comment in comments.items() if "Values may be added" in comment
    }


def test_no_field_is_a_keyword(things: list[Thing]) -> None:
    """No field has a name that Python or TypeScript keeps for itself."""
    reserved = set(chain(keyword.kwlist, keyword.softkwlist, TYPESCRIPT))
    fields = {name for kind, name, _ in things if kind in ("field", "oneof")}

    assert set() == fields & reserved


def test_the_copy_of_a_status_is_what_python_uses() -> None:
    """The google.rpc.Status kept here for other tools has the fields of the one that our Python code runs with."""
    buf = Path(sys.executable).with_name("buf")
    image = subprocess.run([buf, "build", "-o", "-"], cwd=PROTO, check=True, capture_output=True).stdout
    (copy,) = [f for f in descriptor_pb2.FileDescriptorSet.FromString(image).file if f.package == "google.rpc"]
    fields = [(field.name, field.number, field.type) for field in copy.message_type[0].field]

    assert [(field.name, field.number, field.type) for field in status_pb2.Status.DESCRIPTOR.fields] == fields
