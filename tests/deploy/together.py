"""The small deployment of `make cluster` comes up, judges, is watched, and ends without a trace."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from charleston import RefereeClient
from tests.deploy.loss.hands import hands
from tests.deploy.loss.load import SOON
from tests.deploy.loss.replicas import until
from tests.ports import free_ports

ROOT = Path(__file__).parents[2]


def scraped(prometheus: str) -> int:
    """Return how many referees Prometheus finds up."""
    with urlopen(f"http://{prometheus}/api/v1/query?query=up%7Bjob%3D%22referee%22%7D%3D%3D1", timeout=SOON) as page:
        return len(json.load(page)["data"]["result"])


def test_the_cluster_comes_up_judges_is_watched_and_ends(tmp_path: Path) -> None:
    """Three replicas judge behind Envoy, Prometheus scrapes all of them, and an interrupt ends everything with 0."""
    base = free_ports(10)
    line = [sys.executable, "deploy/cluster.py", "--base", str(base)]
    said = tmp_path / "said"
    with said.open("wb") as out:
        process = subprocess.Popen(line, cwd=ROOT, stdout=out, stderr=out)
    try:
        until(lambda: "ready" in said.read_text() or process.poll() is not None, "the cluster is ready")
        assert said.read_text().startswith("ready")
        with RefereeClient(f"127.0.0.1:{base + 6}") as referee:
            turn = hands()[0][0]
            answer = referee.judge(turn.question)
        until(lambda: 3 == scraped(f"127.0.0.1:{base + 8}"), "Prometheus has scraped three referees")
    finally:
        process.send_signal(signal.SIGINT)
        until(lambda: process.poll() is not None, "the cluster has ended")

    assert turn.answer == answer
    assert "stopping" == said.read_text().splitlines()[-1]
    assert 0 == process.returncode
    assert not re.search(rf":{base + 6}\b", subprocess.run(["ss", "-ltn"], capture_output=True, text=True).stdout)
