"""Run a small deployment on one machine until Ctrl-C: three referees, Envoy, Prometheus and Alertmanager.

`make cluster`, or `cluster.py --base 52800` for ports that nobody else has. They run with the files of this folder;
only addresses are changed. What each process writes is in build/cluster/.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
ENVOY = ROOT / ".tools" / "envoy" / "bin" / "envoy"
USUAL = (50051, 50052, 50053, 9464, 9465, 9466, 8080, 9901, 9090, 9093)
PATIENCE = 60.0


class Cluster:
    """Processes, and the folder in which they write."""

    def __init__(self, place: Path, base: int) -> None:
        """Start all on the usual ports, or on those from `base`."""
        self._place = place
        self.ports = {usual: base + index if base else usual for index, usual in enumerate(USUAL)}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        for port, metrics in zip(USUAL[:3], USUAL[3:6], strict=True):
            self._start(f"referee-{port - 50050}", BIN / "referee", "serve", *self._told(port, metrics))
        self._copy("envoy/envoy.yaml", "envoy/replicas.yaml", "prometheus/alertmanager.yml")
        self._copy("prometheus/rules.yml", "prometheus/alerts.yml", "prometheus/play.yml")
        self._copy("prometheus/prometheus.yml", targets=[self.at(port) for port in USUAL[3:6]])
        subprocess.run([BIN / "python", ROOT / "deploy/envoy/descriptor.py", place / "referee.binpb"], check=True)
        self._start("envoy", ENVOY, "--config-path", "envoy.yaml", "--log-level", "warning", "--use-dynamic-base-id")
        listen = f"--web.listen-address={self.at(9090)}"
        self._start(
            "prometheus", "prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=prometheus", listen
        )
        listen = f"--web.listen-address={self.at(9093)}"
        alone = "--cluster.listen-address="
        self._start(
            "alertmanager",
            "prometheus-alertmanager",
            "--config.file=alertmanager.yml",
            "--storage.path=am",
            listen,
            alone,
        )

    def at(self, usual: int) -> str:
        """Return where something is that usually has this port."""
        return f"127.0.0.1:{self.ports[usual]}"

    def ready(self) -> bool:
        """Tell whether every part answers, and Envoy finds three replicas well."""
        try:
            for path in (f"{self.at(9090)}/-/ready", f"{self.at(9093)}/-/ready"):
                urlopen(f"http://{path}", timeout=PATIENCE).close()
            with urlopen(f"http://{self.at(9901)}/clusters", timeout=PATIENCE) as page:
                clusters: str = page.read().decode()
            return clusters.count("::health_flags::healthy") == 3
        except OSError:
            return False

    def ended(self) -> list[str]:
        """Return what has ended since this was asked last, as sentences."""
        over = [name for name, process in self.processes.items() if process.poll() is not None]
        return [f"{name} has ended with {self.processes.pop(name).returncode}." for name in over]

    def end(self) -> list[str]:
        """Stop all, the referees last; return what did not end well, as sentences."""
        wrong = []
        for name, process in reversed(self.processes.items()):
            process.terminate()
            try:
                status = process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                status = process.wait()
            if status not in (0, -signal.SIGTERM):
                wrong.append(f"{name} ended with {status}.")
        return wrong

    def _told(self, port: int, metrics: int) -> list[str]:
        return ["--listen", self.at(port), "--metrics", self.at(metrics), "--pin", "off", "--drain-pause", "4"]

    def _copy(self, *names: str, targets: list[str] | None = None) -> None:
        for name in names:
            text = (ROOT / "deploy" / name).read_text()
            if targets:
                text = re.sub(r'targets: \["127\.0\.0\.1:9464".*\]', f"targets: {targets}".replace("'", '"'), text)
            for usual, port in self.ports.items():
                text = re.sub(rf"(127\.0\.0\.1(?::|, port_value: )){usual}\b", rf"\g<1>{port}", text)
            (self._place / Path(name).name).write_text(text)

    def _start(self, name: str, *command: str | Path) -> None:
        with (self._place / f"{name}.log").open("wb") as log:
            # Apart from the terminal's group: Ctrl-C is for this program, which ends the others in order.
            self.processes[name] = subprocess.Popen(
                [str(each) for each in command], cwd=self._place, stdout=log, stderr=log, start_new_session=True
            )


def main() -> int:
    """Run until told to stop; return 1 if something did not start or did not end well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=int, default=0, help="first of ten ports; the usual ones if not given")
    told = parser.parse_args()
    stop: SimpleQueue[int] = SimpleQueue()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: stop.put(number))
    cluster = Cluster(ROOT / "build" / "cluster", told.base)
    try:
        started = _started(cluster, stop)
        if started:
            print(_look(cluster), flush=True)
        while started and stop.empty():
            _say(cluster.ended())
            _pause(stop)
    finally:
        print("stopping", flush=True)
        wrong = cluster.end()
        _say(wrong)
    return 0 if started and not wrong else 1


def _started(cluster: Cluster, stop: SimpleQueue[int]) -> bool:
    ends = time.monotonic() + PATIENCE
    while not cluster.ready():
        over = cluster.ended()
        _say(over)
        if over or time.monotonic() > ends or not stop.empty():
            return False
        _pause(stop)
    return True


def _pause(stop: SimpleQueue[int]) -> None:
    with suppress(Empty):
        stop.put(stop.get(timeout=0.5))


def _say(sentences: list[str]) -> None:
    for sentence in sentences:
        print(f"{sentence} build/cluster has what it wrote.", file=sys.stderr, flush=True)


def _look(cluster: Cluster) -> str:
    edge, games = cluster.at(8080), "'tests/real/games/*.charleston'"
    return f"""\
ready. deploy/README.md tells what to look at, and what to break. Ctrl-C ends it.

ask        .venv/bin/charleston check {games} --address {edge} --expected tests/real/expected.toml
in JSON    curl -H 'content-type: application/json' -d @clients/examples/request.json \\
               http://{edge}/charleston.referee.v1.RefereeService/Judge
replicas   {", ".join(cluster.at(port) for port in USUAL[:3])}
Envoy      http://{cluster.at(9901)}/clusters
Prometheus http://{cluster.at(9090)}/graph?g0.expr=sum%20by%20(code)%20(rate(referee_requests_total%5B1m%5D))
alerts     http://{cluster.at(9090)}/alerts, http://{cluster.at(9093)}
"""


if __name__ == "__main__":
    sys.exit(main())
