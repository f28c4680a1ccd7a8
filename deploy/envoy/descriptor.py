"""Write the descriptor set from which Envoy makes JSON of calls: `descriptor.py referee.binpb`.

With the service go the messages of an error. Without them Envoy answers a bad question with 400 and an empty body.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.rpc import error_details_pb2, status_pb2

from charleston.referee.v1 import service_pb2


def files(*wanted: FileDescriptor) -> Iterator[FileDescriptor]:
    """Yield files after those that they import."""
    for file in wanted:
        yield from files(*file.dependencies)
        yield file


def descriptor() -> bytes:
    """Return the descriptor set as bytes."""
    found = FileDescriptorSet()
    for file in dict.fromkeys(files(service_pb2.DESCRIPTOR, status_pb2.DESCRIPTOR, error_details_pb2.DESCRIPTOR)):
        found.file.append(FileDescriptorProto.FromString(file.serialized_pb))
    return found.SerializeToString(deterministic=True)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(descriptor())
