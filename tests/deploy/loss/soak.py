"""Ask for long, and see that nothing grows: `python -m tests.deploy.loss.soak --seconds 3600`.

Three replicas behind Envoy. No question may be lost or judged wrongly, memory and descriptors of every process stay as
they are once it is warm, and the replicas' own counters add up to what was asked. It exits with 1 if any of it fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from tests.deploy.loss.fronts import Envoy, bare
from tests.deploy.loss.hands import hands
from tests.deploy.loss.load import Players
from tests.deploy.loss.replicas import Replica, until
from tests.deploy.loss.table import Window, printed, rows
from tests.ports import free_port

PARTS = 12
WARM = 4  # parts: by then caches are full and every thread has been used
GROWTH = 1.10


class Use(NamedTuple):
    """What a process holds at one moment: memory in kilobytes, and open descriptors."""

    memory: int
    descriptors: int


def use(pid: int) -> Use:
    """Return what a process of this machine holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    (memory,) = (int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return Use(memory, len(list(Path(f"/proc/{pid}/fd").iterdir())))


def faults(uses: Mapping[str, Sequence[Use]]) -> Iterator[str]:
    """Yield a sentence for each process that has grown since it was warm."""
    for name, found in uses.items():
        warm, last = found[WARM], found[-1]
        if last.memory > warm.memory * GROWTH:
            yield f"{name} has grown from {warm.memory} to {last.memory} kB."
        if last.descriptors > warm.descriptors * GROWTH + 2:
            yield f"{name} had {warm.descriptors} descriptors open, and has {last.descriptors}."


def soak(seconds: float, rate: float) -> int:
    """Ask for so long; print what came of it, and return the exit status."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-soak-")))
        replicas = [Replica(place, f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}") for _ in range(3)]
        for replica in replicas:
            stack.callback(replica.end)
            replica.start()
        envoy = Envoy(place, [replica.address for replica in replicas])
        stack.callback(envoy.end)
        processes = {f"replica {n}": replica.pid for n, replica in enumerate(replicas, 1)} | {
            "envoy": envoy.process.pid
        }
        uses: dict[str, list[Use]] = {name: [use(pid)] for name, pid in processes.items()}
        players = Players(bare(envoy.address), hands(), rate=rate)
        stack.callback(players.stop)
        windows = []
        for part in range(1, PARTS + 1):
            began = time.time()
            players.more(round(seconds * rate / PARTS))
            windows.append(Window(f"part {part}", began, time.time()))
            for name, pid in processes.items():
                uses[name].append(use(pid))
        found = rows(players.stop(), windows)
        asked = found[-1].asked
        print(f"\n{printed(found)}\n")
        for name, each in uses.items():
            print(f"{name:10} kB {' '.join(str(one.memory) for one in each)}, descriptors {each[-1].descriptors}")
        wrong = list(faults(uses))
        try:
            until(lambda: sum(replica.judged() for replica in replicas) == asked, "the counters add up")
        except TimeoutError:
            counted = sum(replica.judged() for replica in replicas)
            wrong.append(f"{asked} questions were asked, and the replicas have counted {counted:.0f}.")
        else:
            print(f"the replicas have counted {asked} calls, as many as were asked")
    if found[-1].lost or found[-1].wrong:
        wrong.append(f"{found[-1].lost} questions were lost and {found[-1].wrong} judged wrongly.")
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


def main() -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600, help="how long, if the pace is kept")
    parser.add_argument("--rate", type=float, default=300, help="questions a second")
    told = parser.parse_args()
    return soak(told.seconds, told.rate)


if __name__ == "__main__":
    sys.exit(main())
