"""What stands between players and replicas: Envoy as deploy/envoy sets it up, or a client that knows every address."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.request import urlopen

import grpc

from charleston import RefereeClient
from charleston.referee.v1 import service_pb2, service_pb2_grpc
from tests.deploy.loss.load import SOON, Ask
from tests.deploy.loss.replicas import until
from tests.ports import free_port

ROOT = Path(__file__).parents[3]
ENVOY = ROOT / ".tools" / "envoy" / "bin" / "envoy"
SAMPLE = ROOT / "deploy" / "envoy"
ENDPOINT = "            - endpoint: {{address: {{socket_address: {{address: {}, port_value: {}}}}}}}\n"
NOTHING: Mapping[str, str] = {}
RETRY = re.compile(r"^ +retry_policy:\n(?: {30}.*\n)+", re.MULTILINE)


class Envoy:
    """Envoy with the configuration that is shipped, on ports of its own."""

    def __init__(
        self, place: Path, addresses: Sequence[str], *, retries: bool = True, changes: Mapping[str, str] = NOTHING
    ) -> None:
        """Start it before these replicas and wait until it finds them well; without retries it has to lose some.

        `changes` are made to its configuration; each has to be found there, once.
        """
        self._place = place
        port, self.admin = free_port(), free_port()
        self.address = f"127.0.0.1:{port}"
        ports = {"port_value: 8080": f"port_value: {port}", "port_value: 9901": f"port_value: {self.admin}"}
        text = changed((SAMPLE / "envoy.yaml").read_text(), ports | dict(changes))
        if not retries:
            text, left_out = RETRY.subn("", text)
            assert left_out == 2, "the retry policies are what this test has to leave out"
        (place / "envoy.yaml").write_text(text)
        subprocess.run([sys.executable, SAMPLE / "descriptor.py", place / "referee.binpb"], check=True)
        self.replicas(addresses)
        command = [str(ENVOY), "--config-path", "envoy.yaml", "--log-level", "warning", "--use-dynamic-base-id"]
        self.log = place / "envoy.jsonl"
        with self.log.open("ab") as out, (place / "envoy.log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=place, stdout=out, stderr=log, start_new_session=True)
        until(lambda: self.well() == len(addresses) or not self.up, f"Envoy finds {len(addresses)} replicas well")
        if not self.up:
            raise RuntimeError(f"Envoy ended: {(place / 'envoy.log').read_text()}")

    @property
    def up(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def replicas(self, addresses: Sequence[str]) -> None:
        """Tell it which replicas there are, by moving a file into the place of the other."""
        text = (SAMPLE / "replicas.yaml").read_text()
        lines = "".join(ENDPOINT.format(*address.rsplit(":", 1)) for address in addresses)
        text, found = re.subn(r"(?: +- endpoint: .*\n)+", lines, text)
        assert found == 1, "the endpoints are what this test has to change"
        (self._place / "replicas.new").write_text(text)
        os.replace(self._place / "replicas.new", self._place / "replicas.yaml")

    def well(self) -> int:
        """Return how many replicas it finds well; none while it is not up."""
        try:
            with urlopen(f"http://127.0.0.1:{self.admin}/clusters", timeout=SOON) as page:
                return page.read().decode().count("::health_flags::healthy")  # type: ignore[no-any-return]
        except OSError:
            return 0

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait(SOON)


def changed(text: str, changes: Mapping[str, str]) -> str:
    """Return a shipped configuration with changes, each of which has to be found there, once."""
    for stands, here in changes.items():
        assert text.count(stands) == 1, f"{stands} is what this test has to change"
        text = text.replace(stands, here)
    return text


def bare(*addresses: str) -> Ask:
    """Return a way to ask one address, or several in turn, that sends each question once and waits five seconds."""
    config = ("grpc.service_config", '{"loadBalancingConfig": [{"round_robin": {}}]}')
    options = [config, ("grpc.enable_retries", 0), ("grpc.enable_http_proxy", 0)]
    channel = grpc.insecure_channel(f"ipv4:{','.join(addresses)}", options)
    stub = service_pb2_grpc.RefereeServiceStub(channel)

    def ask(question: service_pb2.JudgeRequest) -> service_pb2.JudgeResponse:
        answer: service_pb2.JudgeResponse = stub.Judge(question, timeout=5)
        return answer

    return ask


def shipped(addresses: Sequence[str]) -> Ask:
    """Return a way to ask by the Python client, as it is shipped, that knows all addresses."""
    return RefereeClient(",".join(addresses)).judge
