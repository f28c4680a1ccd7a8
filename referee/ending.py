"""What is known of a call once it has ended: all that its log line, the metrics and its span are made of.

No tile face, rack or table is in it: a Note has none, and of what a caller writes only a request id and a trace id are
taken, and those only in their form.
"""

import secrets

from referee.bugs import places
from referee.service import Note

NOTHING = Note()
# What has ended: a call; one question on a stream; a stream, whose questions were counted one by one.
CALL, PART, STREAM = "call", "part", "stream"

# Of these the caller or the end of the server is the cause, and nobody has to do anything.
_CALM = frozenset({"OK", "CANCELLED"})
_OURS = frozenset({"INTERNAL", "UNKNOWN", "DATA_LOSS"})


class End:
    """How one call ended, or one question on a stream, whose stream has an End of its own."""

    __slots__ = (
        "at",
        "bytes_in",
        "bytes_out",
        "caller",
        "code",
        "details",
        "fault",
        "kind",
        "message",
        "method",
        "nanoseconds",
        "note",
        "peer",
        "questions",
        "reason",
        "refused",
        "request",
        "trace",
    )

    def __init__(self, method: str, code: str = "OK", message: str = "", kind: str = CALL) -> None:
        self.method = method
        self.code = code
        self.message = message
        self.details = b""
        self.note = NOTHING
        self.kind = kind
        self.at = 0  # when it ended, in nanoseconds since 1970
        self.nanoseconds = 0  # from the question read to the answer made; while it goes on, less the clock at its begin
        self.bytes_in = 0
        self.bytes_out = 0
        self.questions = 0
        self.refused = 0
        self.reason = ""
        self.peer = ""
        self.caller = ""
        self.request = ""
        self.trace = ""
        self.fault: dict[str, object] = {}

    def refuse(self, code: str, message: str, reason: str = "", details: bytes = b"") -> None:
        """End without an answer; `reason` is a word for the metrics, and `details` a google.rpc.Status."""
        self.code = code
        self.message = message
        self.reason = reason
        self.details = details

    def blame(self, bug: Exception) -> None:
        """End with a fault of the referee's own; the text of the exception is left out, as it could quote a tile."""
        self.fault = {"fault": secrets.token_hex(4), "error": type(bug).__name__, "at": places(bug)}
        self.code = "INTERNAL"
        self.message = f"The referee itself is at fault; its log has more under {self.fault['fault']}."

    @property
    def level(self) -> str:
        """How much a log is to make of it: info, warning for what was refused, error for a fault of our own."""
        if self.code in _OURS:
            return "error"
        return "info" if self.code in _CALM and not self.refused else "warning"
