"""What leaves the service: an answer's bytes and what may be noted of it, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from charleston.referee.v1 import ruling_pb2
from referee.codec import SERVED, Malformed, NotServed, TooMany, Violation

REASONS = tuple(name.removeprefix("REASON_") for name in ruling_pb2.Reason.keys()[1:])
"""Why a question is refused that describes no table or act."""


class Note(NamedTuple):
    """What a log line and a metric may know of an answer: never a tile.

    `code` is the status of one among many, `steps` is a Replay act by act. Of a ruling: `moment` of a misdeal, how many
    `jokers` go back, and the ids of the articles that face-down tiles left `undecided`.
    """

    stage: str = ""
    verdict: str = ""
    rules: tuple[str, ...] = ()
    acts: int = 0
    ruling: str = ""
    reason: str = ""
    code: str = "OK"
    many: tuple[Any, ...] = ()
    """The notes of many questions, a Note each."""
    moment: str = ""
    jokers: int = 0
    undecided: tuple[str, ...] = ()
    steps: tuple[Any, ...] = ()
    """The notes of the steps, a Note each."""


class Reply(NamedTuple):
    """An answer's bytes, and what may be noted of it."""

    body: bytes
    note: Note = Note()


Method = Callable[[bytes, str], Reply]


class Refused(Exception):
    """No answer: a status code by name, its text, and its google.rpc.Status, with the details if it has some."""

    def __init__(self, code: str, message: str, details: Iterable[Message] = (), reason: str = "") -> None:
        """Make the status; the text and the details name no tile."""
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.note = Note(reason=reason, code=code)
        self.status = status_pb2.Status(code=code_pb2.Code.Value(code), message=message)
        for detail in details:
            packed = AnyMessage()
            packed.Pack(detail)
            self.status.details.append(packed)

    @property
    def details(self) -> bytes:
        """The status as bytes where it has details."""
        return body_of(self.status) if self.status.details else b""


def method(ask: Callable[[bytes, str], Reply]) -> Method:
    """Make a method that turns what cannot be read into a Refused."""

    def answer(body: bytes, accept_language: str) -> Reply:
        try:
            return ask(body, accept_language)
        except (Malformed, NotServed, TooMany) as wrong:
            raise refusal(wrong) from None

    return answer


def refusal(wrong: Malformed | NotServed | TooMany) -> Refused:
    """Return what the caller gets for a question that cannot be put to this referee."""
    match wrong:
        case Malformed():
            return _malformed(wrong.violations)
        case NotServed():
            return _not_served(wrong.rulebook)
        case TooMany():
            return Refused("RESOURCE_EXHAUSTED", str(wrong), reason=wrong.what)


def _malformed(violations: Iterable[Violation]) -> Refused:
    violations = list(violations)
    first = violations[0]
    details = error_details_pb2.BadRequest(
        field_violations=[
            error_details_pb2.BadRequest.FieldViolation(field=v.path, reason=v.reason, description=v.sentence)
            for v in violations
        ]
    )
    text = f"{first.path}: {first.sentence}" if first.path else first.sentence
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    return Refused("INVALID_ARGUMENT", f"{text}{more}", [details], first.reason)


def _not_served(rulebook: int) -> Refused:
    served = ", ".join(map(str, SERVED))
    sentence = f"Rulebook version {rulebook} is not served here; served: {served}."
    violation = error_details_pb2.PreconditionFailure.Violation(
        type="RULEBOOK", subject=str(rulebook), description=sentence
    )
    return Refused("FAILED_PRECONDITION", sentence, [error_details_pb2.PreconditionFailure(violations=[violation])])


def body_of(message: Message) -> bytes:
    """Return the bytes of a message, the same for the same message."""
    body: bytes = message.SerializeToString(deterministic=True)
    return body
