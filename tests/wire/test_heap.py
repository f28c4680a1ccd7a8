"""What is free goes back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Many blocks of glibc's, of which the last stays: it alone would keep all the others from going back.
FREED = """
import re
from referee import heap

def held():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024

blocks = [bytearray(1000) for _ in range(100_000)]
full = held()
del blocks[:-1]
heap.give_back()
print(full - held())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's heap, and /proc")
def test_what_is_free_is_given_back() -> None:
    """Of 95 MiB that were freed below a block that is held nearly all go back."""
    told = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=True, timeout=60)

    assert int(told.stdout) > 80
