"""The programs that watch, as a deployment runs them: Prometheus, Alertmanager, and a hook that hears alerts."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.deploy.loss.load import SOON
from tests.deploy.loss.replicas import until
from tests.ports import free_port

HERE = Path(__file__).parents[3] / "deploy" / "prometheus"


def changed(name: str, changes: dict[str, str]) -> str:
    """Return a file of deploy/prometheus with some words changed, each of which has to be in it."""
    text = (HERE / name).read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, f"{name} has no {old}"
        text = text.replace(old, new)
    return text


@contextmanager
def program(place: Path, *command: str) -> Iterator[None]:
    """Run a program until the block ends; what it says goes into a file that is named after it."""
    with (place / f"{command[0]}.log").open("wb") as said:
        run = subprocess.Popen(command, stdout=said, stderr=said)
        try:
            yield
        finally:
            ended(run)


def ended(process: subprocess.Popen[bytes]) -> None:
    """Tell a process to stop; kill it if it does not."""
    process.terminate()
    try:
        process.wait(SOON)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def hook() -> Iterator[tuple[str, Queue[dict[str, Any]]]]:
    """Listen for what Alertmanager sends; give the address, and the alerts as they come, each with `path`."""
    alerts: Queue[dict[str, Any]] = Queue()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            for alert in body["alerts"]:
                alerts.put({**alert, "path": self.path})
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", alerts
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def alertmanager(place: Path, hook: str) -> Iterator[str]:
    """Run Alertmanager as the sample sets it up, but for the hook and the wait; give its address."""
    address = f"127.0.0.1:{free_port()}"
    changes = {"127.0.0.1:9095": hook, "group_wait: 30s": "group_wait: 0s"}
    (place / "alertmanager.yml").write_text(changed("alertmanager.yml", changes))
    options = {
        "config.file": place / "alertmanager.yml",
        "storage.path": place / "alertmanager",
        "web.listen-address": address,
        "cluster.listen-address": "",
    }
    with program(place, "prometheus-alertmanager", *(f"--{name}={value}" for name, value in options.items())):
        yield address


class Prometheus:
    """A Prometheus that runs."""

    def __init__(self, address: str) -> None:
        self._address = address

    def query(self, expr: str) -> list[dict[str, Any]]:
        """Return the series of an expression now."""
        result: list[dict[str, Any]] = self._get("query", query=expr)["result"]
        return result

    def over(self, expr: str, seconds: float, step: float) -> list[dict[str, Any]]:
        """Return the series of an expression over the last so many seconds."""
        now = time.time()
        found = self._get("query_range", query=expr, start=f"{now - seconds}", end=f"{now}", step=f"{step}")
        result: list[dict[str, Any]] = found["result"]
        return result

    def exemplars(self, expr: str) -> list[dict[str, str]]:
        """Return the labels of the exemplars of an expression."""
        now = time.time()
        found = self._get("query_exemplars", query=expr, start=f"{now - 600}", end=f"{now}")
        return [exemplar["labels"] for series in found for exemplar in series["exemplars"]]

    def up(self) -> bool:
        """Tell whether it answers."""
        try:
            self.query("1")
        except OSError:
            return False
        return True

    def _get(self, path: str, **asked: str) -> Any:
        with urlopen(f"http://{self._address}/api/v1/{path}?{urlencode(asked)}", timeout=SOON) as answer:
            return json.load(answer)["data"]


@contextmanager
def prometheus(place: Path, targets: Sequence[str], alertmanager: str) -> Iterator[Prometheus]:
    """Run Prometheus as the sample sets it up, but for the addresses, and with every interval a second."""
    address = f"127.0.0.1:{free_port()}"
    (place / "prometheus.yml").write_text(
        changed(
            "prometheus.yml",
            {
                "15s": "1s",
                '"127.0.0.1:9093"': json.dumps(alertmanager),
                '"127.0.0.1:9464", "127.0.0.1:9465"': ", ".join(map(json.dumps, targets)),
            },
        )
    )
    (place / "rules.yml").write_text(changed("rules.yml", {}))
    (place / "alerts.yml").write_text(changed("alerts.yml", {}))
    (place / "play.yml").write_text(changed("play.yml", {"interval: 5m": "interval: 1s"}))
    options = {
        "config.file": place / "prometheus.yml",
        "storage.tsdb.path": place / "prometheus",
        "web.listen-address": address,
        "enable-feature": "exemplar-storage",
    }
    with program(place, "prometheus", *(f"--{name}={value}" for name, value in options.items())):
        up = Prometheus(address)
        until(up.up, "Prometheus answers")
        yield up
