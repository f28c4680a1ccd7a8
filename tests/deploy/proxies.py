"""nginx and HAProxy as deploy/proxies sets them up, before real replicas of which one is killed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deploy.loss.fronts import bare, changed
from tests.deploy.loss.hands import hands
from tests.deploy.loss.load import SOON
from tests.deploy.loss.replicas import Replica, until
from tests.ports import free_port

PROXIES = Path(__file__).parents[2] / "deploy" / "proxies"


class Proxy:
    """A proxy with its shipped configuration, on a port of its own."""

    def __init__(self, place: Path, file: str, listens: str, addresses: list[str], command: list[str]) -> None:
        """Start it by a command that ends in the file's path."""
        self.address = f"127.0.0.1:{free_port()}"
        text = (PROXIES / file).read_text()
        for number, address in enumerate(addresses):
            text = text.replace(f"127.0.0.1:{50051 + number}", address)
        (place / file).write_text(changed(text, {listens: self.address, **self.also(file)}))
        self.log = place / "log"
        with self.log.open("wb") as log:
            line = [*command, str(place / file)]
            self.process = subprocess.Popen(line, cwd=place, stdout=log, stderr=log, start_new_session=True)

    def also(self, file: str) -> dict[str, str]:
        """Return what else has to be changed."""
        return {"127.0.0.1:8405": f"127.0.0.1:{free_port()}"} if file == "haproxy.cfg" else {}

    def end(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(SOON)


def nginx(place: Path, addresses: list[str]) -> Proxy:
    """Run nginx."""
    line = ["nginx", "-p", str(place), "-g", "daemon off;", "-c"]
    return Proxy(place, "nginx.conf", "127.0.0.1:8081", addresses, line)


def haproxy(place: Path, addresses: list[str]) -> Proxy:
    """Run HAProxy."""
    return Proxy(place, "haproxy.cfg", "127.0.0.1:8082", addresses, ["haproxy", "-f"])


def answers(address: str) -> bool:
    """Tell whether a referee answers there."""
    try:
        bare(address)(hands()[0][0].question)
    except Exception:
        return False
    return True


@pytest.mark.parametrize("start", [nginx, haproxy])
def test_a_proxy_hides_that_a_replica_dies(
    start: Callable[[Path, list[str]], Proxy], replicas: list[Replica], tmp_path: Path
) -> None:
    """All replicas are asked; one is killed, and every question sent once by the caller has its answer all the same."""
    before = [replica.judged() for replica in replicas]
    proxy = start(tmp_path, [replica.address for replica in replicas])
    try:
        until(lambda: answers(proxy.address), "the proxy answers")
        ask = bare(proxy.address)
        turns = [turn for hand in hands()[:4] for turn in hand]
        wrong = [turn for turn in turns[:60] if turn.answer != ask(turn.question)]
        # An answer is counted a little after it was given.
        until(lambda: all(r.judged() > b for r, b in zip(replicas, before, strict=True)), "each replica is asked")
        replicas[0].kill()
        wrong += [turn for turn in turns[60:] if turn.answer != ask(turn.question)]
    finally:
        proxy.end()
        if not replicas[0].up:
            replicas[0].start()

    assert [] == wrong
    assert b"TILE_" not in proxy.log.read_bytes()


def test_nginx_finds_no_fault_in_its_file(tmp_path: Path) -> None:
    """`nginx -t` takes the file as it is shipped."""
    subprocess.run(["nginx", "-t", "-q", "-p", tmp_path, "-c", PROXIES / "nginx.conf"], check=True)


def test_haproxy_finds_no_fault_in_its_file() -> None:
    """`haproxy -c` takes the file as it is shipped."""
    subprocess.run(["haproxy", "-c", "-q", "-f", PROXIES / "haproxy.cfg"], check=True)
