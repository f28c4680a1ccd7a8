"""What a caller says beside its question: which languages it accepts, and by which numbers it knows its call; and what
it is told beside the answer."""

import re
from collections.abc import Iterable

from referee.ending import End

LANGUAGE, REQUEST, TRACE = "accept-language", "x-request-id", "traceparent"
# These two come back with the answer, as they came.
_HEARD = frozenset({LANGUAGE, REQUEST, TRACE})
_REQUEST = re.compile(r"[0-9A-Za-z_-]{1,64}")
# W3C: version, trace, parent and flags, in lower case; ff is no version, and noughts are no trace and no parent.
_TRACE = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")

Metadata = Iterable[tuple[str, str | bytes]]


def heard(metadata: Metadata, end: End) -> str:
    """Keep the numbers of a call where they are well formed; return the languages that its caller accepts."""
    languages = ""
    for key, value in metadata:
        if key in _HEARD:
            said = str(value)
            if key == LANGUAGE:
                languages = f"{languages},{said}" if languages else said
            elif key == REQUEST and _REQUEST.fullmatch(said):
                end.request = said
            elif key == TRACE and _TRACE.fullmatch(said):
                end.trace = said
    return languages


def trailing(end: End) -> tuple[tuple[str, str | bytes], ...]:
    """Return what goes back to a caller after the answer: the numbers of its call, and what a status has to say."""
    numbers = ((REQUEST, end.request), (TRACE, end.trace)) if end.request or end.trace else ()
    said = tuple(number for number in numbers if number[1])
    return (*said, ("grpc-status-details-bin", end.details)) if end.details else said
