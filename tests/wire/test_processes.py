"""Several worker processes are one referee: they share a port, are watched over, replaced, and stopped together."""

from __future__ import annotations

import json
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from threading import Event
from time import monotonic
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.ports import free_ports
from tests.wire.asking import (
    CHECK,
    LEGAL,
    NOT_SERVING,
    SERVING,
    SOON,
    WATCH,
    Opened,
    Process,
    Sending,
    ask,
    channel,
    judged,
    path,
    referee,
)

TWO = ("--workers", "2", "--log", "off")
PATIENT = (*TWO, "--grace", "600", "--patience", "600")
CPUS = os.sched_getaffinity(0)


def pids(running: Process) -> list[int]:
    """Return the processes of the workers as they were when all had started."""
    return [line["pid"] for line in running.before if line["event"] == "worker_started"]


def sample(address: str, name: str) -> float:
    """Read the sum of a metric's samples from a metrics port."""
    with urlopen(f"http://{address}/metrics", timeout=SOON) as page:
        families = text_string_to_metric_families(page.read().decode())
        return sum(one.value for family in families for one in family.samples if one.name == name)


def gone(pid: int) -> bool:
    """Wait until a process has ended; it is nobody's child here, so that its id is free at once."""
    last = monotonic() + SOON
    while monotonic() < last:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
            continue
        return True
    return False


def several(running: Process, opens: ExitStack, number: int = 16) -> list[Opened]:
    """Open so many connections that each worker very likely has one."""
    return [opens.enter_context(channel(running.address)) for _ in range(number)]


def workers_line(running: Process, event: str) -> dict[str, Any]:
    """Wait for a line of the log."""
    while (line := running.line()) and line["event"] != event:
        pass
    return line


def test_workers_share_a_port_and_each_has_its_own_metrics() -> None:
    """Each call is counted on exactly one of the metrics ports, and every worker takes some."""
    with referee(*TWO) as running, ExitStack() as opens:
        verdicts = [judged(opened) for opened in several(running, opens, 40)]
        counted = [sample(metrics, "referee_requests_total") for metrics in running.metrics]

    assert ["VERDICT_LEGAL"] * 40 == verdicts
    assert 40 == sum(counted)
    assert 0 not in counted


def test_the_metrics_ports_count_up() -> None:
    """The first worker has the metrics port that was asked for, the second the next."""
    port = free_ports(2)
    with referee(*TWO, "--metrics", f"127.0.0.1:{port}") as running:
        metrics = running.metrics

    assert [f"127.0.0.1:{port}", f"127.0.0.1:{port + 1}"] == metrics


def test_a_worker_that_is_killed_under_load() -> None:
    """While calls go on one worker is killed: the other's callers notice nothing, and it is replaced and counted."""
    with referee(*TWO) as running, ExitStack() as opens, ThreadPoolExecutor() as callers:
        over = Event()
        opened = several(running, opens, 8)
        assert ["VERDICT_LEGAL"] * 8 == [judged(one) for one in opened]
        asking = [callers.submit(codes, one, over) for one in opened]
        os.kill(pids(running)[0], signal.SIGKILL)
        died, started = workers_line(running, "worker_died"), workers_line(running, "worker_started")
        over.set()
        seen = [each.result() for each in asking]
        replaced = sample(started["metrics"], "referee_workers_replaced_total")

    assert (pids(running)[0], "SIGKILL", 1, 1) == (died["pid"], died["how"], died["replaced"], replaced)
    assert died["worker"] == started["worker"]
    assert {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE} >= set().union(*seen)
    assert any({grpc.StatusCode.OK} == set(one) for one in seen)
    assert all(one[-1] is grpc.StatusCode.OK for one in seen)


def codes(opened: Opened, over: Event) -> list[grpc.StatusCode]:
    """Ask until it is over, and then until it is answered once more; return how each call ended."""
    seen: list[grpc.StatusCode] = []
    last = monotonic() + SOON
    while not over.is_set() or (seen[-1:] != [grpc.StatusCode.OK] and monotonic() < last):
        judge = opened.unary_unary(path("Judge"))
        call = judge.future(LEGAL.SerializeToString(), timeout=SOON, wait_for_ready=over.is_set())
        seen.append(call.exception().code() if call.exception() else grpc.StatusCode.OK)
    return seen


def test_all_workers_drain() -> None:
    """One signal to the parent: every worker says NOT_SERVING, answers what it has taken, and all end with 0."""
    with referee(*PATIENT) as running, ExitStack() as opens:
        opened = several(running, opens)
        watches = [one.unary_stream(WATCH)(b"", timeout=SOON) for one in opened]
        assert {SERVING} == {next(watch) for watch in watches}
        taken = [Sending(one, "Judge", LEGAL.SerializeToString()) for one in opened]
        running.signal(signal.SIGTERM)
        told = {next(watch) for watch in watches}
        answers = [one.send() for one in taken]
        status, output, complaints = running.ended()

    assert {NOT_SERVING} == told
    assert 16 == len(answers)
    assert (0, "") == (status, complaints)
    assert ["stopping", "stopped"] == [json.loads(line)["event"] for line in output.splitlines()]


def test_a_worker_that_is_told_to_stop_itself() -> None:
    """A worker that gets the signal instead of its parent drains, and is replaced."""
    with referee(*TWO) as running, ExitStack() as opens:
        os.kill(pids(running)[1], signal.SIGTERM)
        died, started = workers_line(running, "worker_died"), workers_line(running, "worker_started")
        verdicts = {judged(one) for one in several(running, opens)}

    assert "exit status 0" == died["how"]
    assert died["worker"] == started["worker"]
    assert {"VERDICT_LEGAL"} == verdicts


def test_a_signal_for_everybody() -> None:
    """A signal to parent and workers alike, as a service manager may send it, is one signal: all drain."""
    with referee(*PATIENT) as running, ExitStack() as opens:
        taken = [Sending(one, "Judge", LEGAL.SerializeToString()) for one in several(running, opens)]
        running.signal(signal.SIGTERM)
        for pid in pids(running):
            os.kill(pid, signal.SIGTERM)
        answers = [one.send() for one in taken]

        assert 16 == len(answers)
        assert 0 == running.ended()[0]


def test_a_second_signal_ends_all_at_once() -> None:
    """Whoever asks the parent twice does not wait for the grace, and leaves no worker behind."""
    with referee(*PATIENT) as running, channel(running.address) as opened:
        watch = opened.unary_stream(WATCH)(b"", timeout=SOON)
        next(watch)
        Sending(opened, "Judge", LEGAL.SerializeToString())
        running.signal(signal.SIGTERM)
        next(watch)
        running.signal(signal.SIGTERM)

        assert -signal.SIGTERM == running.process.wait(SOON)
        assert [True, True] == [gone(pid) for pid in pids(running)]


def test_no_worker_outlives_its_parent() -> None:
    """A parent that is killed takes its workers along, once they have answered what they had taken."""
    with referee(*PATIENT) as running, channel(running.address) as opened:
        taken = Sending(opened, "Judge", LEGAL.SerializeToString())
        running.signal(signal.SIGKILL)
        running.process.wait(SOON)
        answer = taken.send()

        assert answer
        assert [True, True] == [gone(pid) for pid in pids(running)]


@pytest.mark.parametrize(("first", "second"), [("2", "2"), ("2", "1"), ("1", "2")])
def test_a_port_in_use_is_not_shared(first: str, second: str) -> None:
    """A second referee on a port says so and ends with 1, however many workers each of them has."""
    with (
        referee("--workers", first) as running,
        referee("--workers", second, "--listen", running.address) as other,
    ):
        assert (1, "", f"referee: Cannot listen on {running.address}: Address already in use.\n") == other.ended()


def test_a_worker_that_cannot_start() -> None:
    """When the metrics port of the second worker is taken, the referee says so and ends with 1."""
    port = free_ports(2)
    with (
        socket.create_server(("127.0.0.1", port + 1)),
        referee(*TWO, "--metrics", f"127.0.0.1:{port}") as running,
    ):
        status, _, complaints = running.ended()

    assert 1 == status
    assert complaints.startswith(f"referee: Cannot serve metrics on 127.0.0.1:{port + 1}: Address already in use.")
    assert 1 == complaints.count("\n")


@pytest.mark.parametrize(
    ("pin", "workers", "shares"),
    [("on", len(CPUS), [{cpu} for cpu in CPUS]), ("off", 2, [CPUS] * 2), ("on", 1, [CPUS])],
    ids=["on", "off", "one"],
)
def test_a_cpu_for_each(pin: str, workers: int, shares: list[set[int]]) -> None:
    """Each worker keeps to a CPU of its own, unless told otherwise; a single one to any CPU."""
    with referee("--workers", str(workers), "--pin", pin) as running:
        kept = [os.sched_getaffinity(pid) for pid in pids(running) or [running.process.pid]]

    if workers == 1:
        assert [1] == [len(cpus) for cpus in kept]
    else:
        assert sorted(map(sorted, shares)) == sorted(map(sorted, kept))


def test_fewer_cpus_than_workers() -> None:
    """Where there are too few CPUs, none is kept to, and a line says so."""
    with referee("--workers", str(len(CPUS) + 1)) as running:
        first = running.before[0]
        kept = [os.sched_getaffinity(pid) for pid in pids(running)]

    assert ("unpinned", len(CPUS) + 1) == (first["event"], first["workers"])
    assert [CPUS] * (len(CPUS) + 1) == kept


def test_health_of_every_worker() -> None:
    """Whichever worker is asked says SERVING once the referee says that it serves."""
    with referee(*TWO) as running, ExitStack() as opens:
        health = {ask(one, CHECK) for one in several(running, opens)}

    assert {SERVING} == health
