"""Run the loss test and print its table: `python -m tests.deploy.loss`.

It exits with 1 if a question was lost or judged wrongly.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from tests.deploy.loss.events import ACROSS, HERE
from tests.deploy.loss.hosts import Hosts, hosts
from tests.deploy.loss.running import FRONTS, UP, Terms, run
from tests.deploy.loss.table import printed


def main() -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--front", choices=FRONTS, default="envoy", help="what stands between players and replicas")
    parser.add_argument("--rate", type=float, default=100, help="questions a second")
    parser.add_argument("--beat", type=int, default=500, help="questions that each state of things lasts")
    parser.add_argument("--events", help="names of events between commas; all that there are if not given")
    parser.add_argument("--across", action="store_true", help="replicas on hosts of their own, links cut and made slow")
    parser.add_argument("--no-retries", action="store_true", help="nobody asks again: this has to fail")
    parser.add_argument("--switch", help=argparse.SUPPRESS)  # the network that the caller made; then this runs in it
    told = parser.parse_args()
    if told.across and not told.switch:
        with hosts(UP) as network:
            inside = [*network.hosts[0].prefix, sys.executable, "-m", "tests.deploy.loss", *sys.argv[1:]]
            return subprocess.run([*inside, "--switch", network.switch]).returncode
    known = {event.__name__: event for event in (ACROSS if told.across else HERE)}
    chosen = told.events.split(",") if told.events else list(known)
    terms = Terms(told.front, told.rate, told.beat, retries=not told.no_retries)
    found = run([known[name] for name in chosen], terms, Hosts.named(told.switch, UP) if told.switch else None)
    where = "across hosts" if told.across else "on one machine"
    print(f"\nthrough {told.front}, {where}, {told.rate:g} questions a second\n\n{printed(found)}", flush=True)
    return 1 if found[-1].lost or found[-1].wrong else 0


if __name__ == "__main__":
    sys.exit(main())
