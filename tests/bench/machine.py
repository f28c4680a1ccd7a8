"""What /proc tells: the machine, the processor time of our own processes, what others took, and memory in use."""

from __future__ import annotations

import os
import platform
import re
import resource
import subprocess
import time
from importlib import metadata
from pathlib import Path

import referee.play

TICKS = os.sysconf("SC_CLK_TCK")
PACKAGES = ("charleston-referee", "grpcio", "protobuf", "prometheus-client", "structlog", "orjson", "chess", "uvloop")


def described() -> dict[str, object]:
    """Return the machine as it is told under a table."""
    about = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.*)$", about, re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+) kB", Path("/proc/meminfo").read_text(encoding="utf-8"), re.MULTILINE)
    return {
        "processor": model[1].strip() if model else platform.machine(),
        "cores": os.cpu_count(),
        "memory_gib": round(int(memory[1]) / 2**20, 1) if memory else 0,
        "system": f"{platform.system()} {platform.release()}",
        "compiled": compiled(),
    }


def compiled() -> bool:
    """Tell whether the hot modules are compiled, as `make compiled` leaves them."""
    return not referee.play.__file__.endswith(".py")


def versions() -> dict[str, str]:
    """Return the versions of what is measured and of what it runs on."""
    h2load = subprocess.run(["h2load", "--version"], capture_output=True, text=True, check=True).stdout
    found = {"python": platform.python_version(), "h2load": h2load.split("/")[-1].strip()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def children(pid: int) -> list[int]:
    """Return a process and all that came from it and live, parents first."""
    born: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text(encoding="latin-1").rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        born.setdefault(parent, []).append(int(path.parent.name))
    family = [pid]
    for each in family:
        family += born.get(each, [])
    return family


def spent(pid: int) -> float:
    """Return the seconds of processor time that a process has had, with all its threads; 0 once it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # its CPU clock, as clock_getcpuclockid names it
    except OSError:
        return 0.0


def tree_spent(pid: int) -> float:
    """Return the seconds of processor time of a process and of all that came from it and live."""
    return sum(map(spent, children(pid)))


def resident(pid: int) -> float:
    """Return the MiB that a process and all that came from it hold in memory, each with what it shares."""
    total = 0
    for each in children(pid):
        rolled = Path(f"/proc/{each}/smaps_rollup").read_text(encoding="ascii")
        found = re.search(r"^Rss:\s*(\d+) kB", rolled, re.MULTILINE)
        total += int(found[1]) if found else 0
    return total / 1024


class Others:
    """How many cores other programs take, on the mean, from now on until asked."""

    def __init__(self) -> None:
        """Begin to watch."""
        self._began = time.monotonic()
        self._busy = _busy() - ours()

    def cores(self) -> float:
        """Return the cores that others took since it began."""
        return max(0.0, _busy() - ours() - self._busy) / (time.monotonic() - self._began)


def _busy() -> float:
    """Return the seconds that all cores have worked, or were taken by other machines of the same host."""
    user, nice, system, _idle, _wait, _irq, _soft, steal = map(int, _stat().split()[1:9])
    return (user + nice + system + steal) / TICKS


def _stat() -> str:
    return Path("/proc/stat").read_text(encoding="ascii").partition("\n")[0]


def ours() -> float:
    """Return the seconds of processor time of this process, of all it started, and of those that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return tree_spent(os.getpid()) + ended.ru_utime + ended.ru_stime
