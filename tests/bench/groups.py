"""What is measured side by side: each group has its own servers, its own rounds, and fills rows of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from tests.bench import inside, latency, rounds, serving
from tests.bench.loads import Load
from tests.bench.machine import Others
from tests.bench.questions import FULL, RULING_ONLY, VIEWS, batch, replay, stream, unary, whole_games
from tests.bench.rounds import QUIET, Spread

ALIKE = ("echo", "echo ruling", "full", "unary echo")
"""What one pinned worker is measured over, when it has the same shape."""
OWN = "own "
"""What the name of an echo begins with that is carried as the referee's calls are; without, Python's threads do it."""
Thing = Callable[[], Mapping[str, float]]


@dataclass(slots=True)
class Plan:
    """How long to look: rounds, seconds of one measurement, calls for the memory row; and what is told meanwhile."""

    rounds: int = 5
    seconds: float = 5.0
    calls: int = 1_000_000
    quiet: float = QUIET
    tell: Callable[[str], None] = print


@dataclass(slots=True)
class Found:
    """What was found: the rows by id, and whatever else was measured, by name."""

    rows: dict[str, Spread] = field(default_factory=dict)
    costs: dict[str, Spread] = field(default_factory=dict)
    """Rows of two servers of one shape, by what a call costs them: what the rates come to where nobody disturbs."""
    own: dict[str, Spread] = field(default_factory=dict)
    """The same rows over an echo that is carried as the referee's calls are, where there was one."""
    values: dict[str, Spread] = field(default_factory=dict)


def measured(plan: Plan, title: str, things: Mapping[str, Thing], rows: Mapping[str, tuple[str, str]]) -> Found:
    """Measure things in rounds; each row is one of the measured over another, or with no other by itself."""
    plan.tell(f"{title}:")
    kept, loud = rounds.measure(things, plan.rounds, lambda: Others().cores, quiet=plan.quiet, tell=plan.tell)
    found = Found(values={name: rounds.value(kept, loud, name) for name in kept[0].measured})
    for row, (upper, lower) in rows.items():
        found.rows[row] = rounds.ratio(kept, loud, upper, lower) if lower else rounds.value(kept, loud, upper)
        if lower in ALIKE:
            found.costs[row] = rounds.ratio(kept, loud, f"{lower} us", f"{upper} us")
        if OWN + lower in things:
            found.own[row] = rounds.ratio(kept, loud, upper, OWN + lower)
    return found


def one_process(plan: Plan) -> Found:
    """Measure unary calls: full, ruling only and with views, beside echoes of as many bytes."""
    with ExitStack() as stack:
        ours = stack.enter_context(serving.referee())
        echo, own = (stack.enter_context(serving.echo(shape, ours.cpu())) for shape in ("sync", "own"))
        loads = {
            name: Load(server, "Judge", unary(options), clients=16, streams=4, seconds=plan.seconds)
            for name, server, options in (
                ("echo", echo, FULL),
                (f"{OWN}echo", own, FULL),
                ("full", ours, FULL),
                ("echo ruling", echo, RULING_ONLY),
                (f"{OWN}echo ruling", own, RULING_ONLY),
                ("ruling", ours, RULING_ONLY),
                ("views", ours, VIEWS),
            )
        }
        things = {name: partial(load.measured, name) for name, load in loads.items()}
        rows = {"unary": ("full", "echo"), "ruling": ("ruling", "echo ruling"), "views": ("views", "full")}
        return measured(plan, "Unary calls, one process", things, rows)


def two_processes(plan: Plan) -> Found:
    """Measure two workers beside one bare asyncio echo."""
    with serving.referee(workers=2) as ours, serving.echo("asyncio") as echo:
        loads = {
            "two": Load(ours, "Judge", unary(FULL), clients=32, streams=2, seconds=plan.seconds),
            "asyncio": Load(echo, "Judge", unary(FULL), clients=32, streams=2, seconds=plan.seconds),
        }
        things = {name: partial(load.measured, name) for name, load in loads.items()}
        return measured(plan, "Unary calls, two processes", things, {"two": ("two", "asyncio")})


def many(plan: Plan) -> Found:
    """Measure batches, replays and streams beside unary echoes."""
    with serving.referee() as ours, serving.echo("sync", ours.cpu()) as echo, serving.echo("own", ours.cpu()) as own:
        seconds = plan.seconds * 2 / 3
        games = [replay(game) for game in whole_games()[::4]]
        loads = {
            "unary echo": Load(echo, "Judge", unary(FULL), clients=16, streams=4, seconds=seconds),
            f"{OWN}unary echo": Load(own, "Judge", unary(FULL), clients=16, streams=4, seconds=seconds),
            "batch ruling": Load(ours, "JudgeBatch", [batch(RULING_ONLY)], clients=4, streams=1, seconds=seconds),
            "batch": Load(ours, "JudgeBatch", [batch(FULL)], clients=4, streams=1, seconds=seconds),
            "replay": Load(ours, "Replay", games, clients=4, streams=1, seconds=seconds),
            "streams": Load(ours, "JudgeStream", [stream()], clients=8, streams=1, seconds=seconds),
        }
        things = {name: partial(load.measured, name) for name, load in loads.items()}
        rows = {
            "batch-ruling": ("batch ruling", "unary echo"),
            "batch": ("batch", "unary echo"),
            "replay": ("replay", "unary echo"),
            "streams": ("streams", "unary echo"),
        }
        return measured(plan, "Batches, replays and streams", things, rows)


def waiting(plan: Plan) -> Found:
    """Measure how long calls wait, alone and beside batches."""
    with serving.referee() as ours:
        mix, beside, seconds = unary(FULL), batch(FULL), plan.seconds * 4 / 3
        things: dict[str, Thing] = {
            "alone": partial(latency.p99, ours, mix, seconds, "alone ms"),
            "beside": partial(latency.beside, ours, mix, beside, seconds, "beside ms"),
        }
        return measured(plan, "Waiting beside batches", things, {"p99": ("beside ms", "alone ms")})


def in_process(plan: Plan) -> Found:
    """Measure the core beside python-chess."""
    seconds = plan.seconds / 3
    things: dict[str, Thing] = {
        "acts": partial(inside.judged, seconds),
        "moves": partial(inside.moved, seconds),
        "archived": partial(inside.archived, seconds),
    }
    return measured(plan, "In process", things, {"chess": ("acts", "moves"), "games": ("games", "")})


def crowded(plan: Plan) -> Found:
    """Measure what a call costs with few and with many in flight, on as many connections."""
    with serving.referee() as ours:
        loads = {
            name: Load(ours, "Judge", unary(FULL), clients=8, streams=streams, seconds=plan.seconds)
            for name, streams in (("8", 1), ("256", 32))
        }
        things = {f"{name} in flight": partial(load.measured, f"{name} in flight") for name, load in loads.items()}
        return measured(plan, "Calls in flight", things, {"crowd": ("256 in flight us", "8 in flight us")})


def memory(plan: Plan) -> Found:
    """Measure what a fresh server holds after few calls and after many."""
    mix = unary(FULL)
    with serving.referee() as ours:
        # Sized small, so that what is held after few calls is not what was left by many.
        load = Load(ours, "Judge", mix, clients=16, streams=4, seconds=0.001)
        load.times(10_000 // len(mix))
        few, sent, told = ours.resident(), 10_000, 0
        while sent < plan.calls:
            load.times(2_000)
            sent += 2_000 * len(mix)
            if sent >= plan.calls * (told + 1) / 4:
                told += 1
                plan.tell(f"memory: {few:.1f} MiB after 10,000 calls, {ours.resident():.1f} after {sent:,}")
        much = ours.resident()
    values = {"MiB after few": few, "MiB after many": much, "calls for memory": float(sent)}
    single = {name: rounds.spread([value]) for name, value in values.items()}
    return Found(rows={"memory": rounds.spread([much / few])}, values=single)


GROUPS = (one_process, two_processes, many, waiting, in_process, crowded, memory)
