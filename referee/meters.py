"""What the referee measures: each meter with what it tells, and when its reading is a worry.

Names and labels are an interface. Every label is from a closed set: our methods, gRPC's codes, stages, verdicts, ids
of articles, reasons. Nothing that a caller makes up becomes one, and no tile ever does.
"""

from typing import Literal, NamedTuple

# From a tenth of a millisecond, where one act is judged, to the seconds that only a fault would take.
SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
# From the shortest question to the largest message that is taken unless told otherwise.
BYTES = (64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262144.0, 1048576.0, 4194304.0)


# Why a caller is refused, whatever it asks.
REFUSALS = (
    "acts",
    "bytes",
    "concurrency",
    "no_token",
    "overload",
    "questions",
    "rate",
    "streams",
    "wrong_token",
)


class Meter(NamedTuple):
    """One thing that is measured; `name` is without the _total that a counter is read by."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    labels: tuple[str, ...]
    tells: str
    worry: str
    bounds: tuple[float, ...] = ()


STARTED = Meter(
    "referee_requests_started",
    "counter",
    ("method",),
    "Calls that came, by method.",
    "It falls to nothing on one replica of several: nobody reaches it.",
)
HANDLED = Meter(
    "referee_requests",
    "counter",
    ("method", "code"),
    "Calls that ended, by method and by the status that the caller got.",
    "Any INTERNAL: a fault of the referee's own, and the log has its place. Many UNAVAILABLE while nothing restarts.",
)
IN_FLIGHT = Meter(
    "referee_requests_in_flight",
    "gauge",
    ("method",),
    "Calls that came and have not ended; a stream counts for as long as it is open.",
    "More than `--threads` for long, streams apart: calls wait for a thread, or for their callers to send a question. "
    "JudgeStream near `--max-streams`: the next one is turned away.",
)
SECONDS_TAKEN = Meter(
    "referee_request_seconds",
    "histogram",
    ("method", "code"),
    "Seconds from a question read to its answer made, by method and status; of a stream each question.",
    "Judge beyond 0.005 more than once in a hundred, on a machine that is not busy with something else.",
    SECONDS,
)
BYTES_IN = Meter(
    "referee_request_bytes",
    "histogram",
    ("method",),
    "Bytes of a question, by method; of a stream each question.",
    "It nears `--max-bytes`: the next batch is refused.",
    BYTES,
)
BYTES_OUT = Meter(
    "referee_response_bytes",
    "histogram",
    ("method",),
    "Bytes of an answer, by method; of a stream each answer.",
    "It grows and nothing was deployed: a caller has begun to ask for views or traces.",
    BYTES,
)
QUESTIONS = Meter(
    "referee_questions",
    "counter",
    ("method", "code"),
    "Questions in batches and on streams, by method and by the status that each got.",
    "A share of INVALID_ARGUMENT that lasts: see referee_malformed_total.",
)
RULINGS = Meter(
    "referee_rulings",
    "counter",
    ("stage", "verdict"),
    "Rulings given, by the stage at which the act was judged and by verdict; of a Replay one for each act.",
    "MISDEAL or JOKER_RETURN off their norm: a game deals or counts wrongly, or lets Jokers be passed.",
)
FINDINGS = Meter(
    "referee_findings",
    "counter",
    ("stage", "rule"),
    "Rulings that found an article broken, by stage and by the id of the article.",
    "One article rises after a release of a game: its front end offers what the rules forbid.",
)
UNDECIDED = Meter(
    "referee_undecided",
    "counter",
    ("rule",),
    "Rulings in which face-down tiles left an article undecided, by the id of the article.",
    "It rises where a game sends every face: some rack is sent face down by mistake.",
)
JOKERS = Meter(
    "referee_jokers_returned",
    "counter",
    ("rule",),
    "Jokers that went back, by the article: passed just now, or found later.",
    "It is off its norm: see referee_rulings_total.",
)
MISDEALS = Meter(
    "referee_misdeals",
    "counter",
    ("moment",),
    "Hands thrown in, by when they were counted: before the first pass, during the passing, or after it.",
    "DURING or AFTER at all, where a program moves the tiles: it loses or doubles one.",
)
MALFORMED = Meter(
    "referee_malformed",
    "counter",
    ("reason",),
    "Questions refused because they describe no table or act, by what was wrong first.",
    "More than a few in an hour: a caller has a bug, and the log names its address.",
)
REFUSED = Meter(
    "referee_callers_refused",
    "counter",
    ("reason",),
    "Calls refused for who asked or how much, not for what was asked.",
    "More than a few in an hour: a token was revoked, a caller is over its limit, or the referee is too small.",
)
REPLACED = Meter(
    "referee_workers_replaced",
    "counter",
    (),
    "Worker processes that died in this one's place and were replaced; nought with one worker.",
    "At all: a worker dies only when it is killed, most often for its memory.",
)
LINES_LOST = Meter(
    "referee_log_lines_lost",
    "counter",
    (),
    "Lines of the log that were lost because nobody read it: 10,000 were waiting.",
    "At all: whoever collects the log has stopped.",
)
BUILD = Meter(
    "referee_build_info",
    "gauge",
    ("version", "python", "grpc", "protobuf"),
    "Always 1; its labels say what is running.",
    "Two versions for longer than a rollout takes.",
)
RULEBOOK_INFO = Meter(
    "referee_rulebook_info",
    "gauge",
    ("newest", "served"),
    "Always 1; its labels say by which version of the rulebook a table without one is judged, and which are served.",
    "Two replicas disagree for longer than a rollout takes: the same question can get two answers.",
)

METERS = (
    STARTED,
    HANDLED,
    IN_FLIGHT,
    SECONDS_TAKEN,
    BYTES_IN,
    BYTES_OUT,
    QUESTIONS,
    RULINGS,
    FINDINGS,
    UNDECIDED,
    JOKERS,
    MISDEALS,
    MALFORMED,
    REFUSED,
    REPLACED,
    LINES_LOST,
    BUILD,
    RULEBOOK_INFO,
)
