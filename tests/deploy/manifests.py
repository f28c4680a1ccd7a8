"""The manifests are rendered by kustomize, hold to Kubernetes' own schemas, and what they start judges."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from charleston import RefereeClient, RefereeError, Tls
from tests.deploy.containers import IMAGE, TOOLS, build, podman
from tests.deploy.loss.hands import hands
from tests.deploy.loss.replicas import until
from tests.ports import free_port

KUBERNETES = Path(__file__).parents[2] / "deploy" / "kubernetes"
AS_JSON = "import json, sys, yaml; json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)"
NAMED = {"app.kubernetes.io/name": "referee"}

Manifest = dict[str, Any]


def rendered(folder: Path) -> str:
    """Return what kustomize makes of a folder."""
    return subprocess.run([TOOLS / "kubectl", "kustomize", folder], capture_output=True, text=True, check=True).stdout


def manifests(text: str) -> list[Manifest]:
    """Return manifests in their order."""
    line = [str(TOOLS / "lint" / "bin" / "python"), "-c", AS_JSON]
    found: list[Manifest] = json.loads(
        subprocess.run(line, input=text, capture_output=True, text=True, check=True).stdout
    )
    return found


def read(text: str) -> dict[str, Manifest]:
    """Return manifests by their kinds."""
    return {manifest["kind"]: manifest for manifest in manifests(text)}


@pytest.fixture(params=["plain", "tls"])
def overlay(request: pytest.FixtureRequest) -> str:
    """Render an overlay."""
    return rendered(KUBERNETES / "overlays" / request.param)


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """Make the secrets by the commands of the page, in a copy of the folder."""
    folder = tmp_path / "secrets"
    folder.mkdir()
    shutil.copy(KUBERNETES / "secrets" / "kustomization.yaml", folder)
    page = (KUBERNETES / "README.md").read_text(encoding="utf-8")
    (typed,) = re.findall(r"^\$ cd deploy/kubernetes/secrets\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    lines = re.sub(r"^\$ ", "", typed, flags=re.MULTILINE)
    subprocess.run(["sh", "-e", "-c", lines], cwd=folder, capture_output=True, check=True)
    return folder


def test_every_manifest_holds_to_its_schema(overlay: str) -> None:
    """Kubernetes' schemas, read strictly, refuse nothing; of the one kind that is not Kubernetes' own there is none."""
    line = [str(TOOLS / "lint" / "bin" / "kubernetes-validate"), "--strict", "-"]
    ran = subprocess.run(line, input=overlay, capture_output=True, text=True)
    said = ran.stdout + ran.stderr

    assert 0 == ran.returncode, said
    assert len(read(overlay)) - 1 == said.count("INFO - passed")
    assert ["ServiceMonitor"] == [word for word in said.split() if word == "ServiceMonitor"]


def test_the_check_of_schemas_can_fail(overlay: str) -> None:
    """A field that Kubernetes does not know is refused."""
    wrong = overlay.replace("minReadySeconds:", "minReadySecond:")
    line = [str(TOOLS / "lint" / "bin" / "kubernetes-validate"), "--strict", "-"]

    assert wrong != overlay
    assert 0 != subprocess.run(line, input=wrong, capture_output=True, text=True).returncode


def test_everything_selects_the_referees_and_nothing_else(overlay: str) -> None:
    """Whatever chooses pods chooses by the name that the pods have."""
    found = read(overlay)
    pods = found["Deployment"]["spec"]["template"]
    spread = [each["labelSelector"]["matchLabels"] for each in pods["spec"]["topologySpreadConstraints"]]

    assert NAMED.items() <= pods["metadata"]["labels"].items()
    assert [NAMED, NAMED] == spread
    assert NAMED == found["Service"]["spec"]["selector"]
    assert NAMED == found["Deployment"]["spec"]["selector"]["matchLabels"]
    assert NAMED == found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]
    assert NAMED == found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]
    assert NAMED.items() <= found["Service"]["metadata"]["labels"].items()


def test_the_monitor_scrapes_the_port_of_the_service(overlay: str) -> None:
    """The ServiceMonitor finds the Service by its labels and names a port that it has."""
    found = read(overlay)
    monitor, service = found["ServiceMonitor"]["spec"], found["Service"]

    assert monitor["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert {each["port"] for each in monitor["endpoints"]} <= {port["name"] for port in service["spec"]["ports"]}


def test_there_is_time_to_drain(overlay: str) -> None:
    """Kubernetes waits longer than the pause and the grace together, before it kills."""
    pod = read(overlay)["Deployment"]["spec"]["template"]["spec"]
    told = {each["name"]: each["value"] for each in pod["containers"][0]["env"]}

    assert float(told["REFEREE_DRAIN_PAUSE"]) + float(told["REFEREE_GRACE"]) < pod["terminationGracePeriodSeconds"]


def test_the_secrets_are_those_that_are_mounted(secrets: Path) -> None:
    """What the folder of secrets makes has the names, and the keys, that the overlay with TLS reads."""
    made = manifests(rendered(secrets))
    pod = read(rendered(KUBERNETES / "overlays" / "tls"))["Deployment"]["spec"]["template"]["spec"]
    mounted = {each["secret"]["secretName"] for each in pod["volumes"]}
    read_by = {each["value"].rpartition("/")[2] for each in pod["containers"][0]["env"] if "/" in each["value"]}

    assert mounted == {each["metadata"]["name"] for each in made}
    assert read_by == {key for each in made for key in each["data"]}


class Played:
    """The pod of a Deployment, run by podman on this machine, and where it serves."""

    def __init__(self, place: Path, overlay: str, secrets: Path | None = None) -> None:
        """Start it; what is changed is where it listens, that the image lies here, and where secrets come from."""
        self.address = f"127.0.0.1:{free_port()}"
        deployment = read(rendered(KUBERNETES / "overlays" / overlay))["Deployment"]
        deployment["spec"]["replicas"] = 1
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        container |= {"image": IMAGE, "imagePullPolicy": "Never"}
        told = {
            "REFEREE_LISTEN": self.address,
            "REFEREE_METRICS": f"127.0.0.1:{free_port()}",
            "REFEREE_DRAIN_PAUSE": "0",
        }
        container["env"] = [each for each in container["env"] if each["name"] not in told]
        container["env"] += [{"name": name, "value": value} for name, value in told.items()]
        for left_out in ("ports", "startupProbe", "readinessProbe", "livenessProbe"):
            del container[left_out]  # podman maps no ports on the host's network, and knows no gRPC probes
        for volume in deployment["spec"]["template"]["spec"].get("volumes", ()):
            del volume["secret"]  # podman 4.3 falls over it
            volume["hostPath"] = {"path": str(secrets)}
        # A name of its own: podman frees that of a pod some time after it has taken it down.
        name = deployment["metadata"]["name"] = f"referee-{self.address.rpartition(':')[2]}"
        self._path = place / "pod.json"
        self._path.write_text(json.dumps(deployment))
        podman("kube", "play", "--network", "host", str(self._path))
        until(lambda: '"event":"serving"' in podman("logs", f"{name}-pod-0-referee"), "the pod serves")

    def end(self) -> None:
        """Take it down."""
        podman("kube", "down", str(self._path))


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Played]]:
    """Give a way to play overlays, and take down what was played."""
    build()
    with ExitStack() as stack:

        def played(overlay: str, secrets: Path | None = None) -> Played:
            pod = Played(tmp_path, overlay, secrets)
            stack.callback(pod.end)
            return pod

        yield played


def test_the_plain_pod_judges(play: Callable[..., Played]) -> None:
    """The pod of the plain overlay, with all that its security context takes away, judges a hand."""
    with RefereeClient(play("plain").address) as referee:
        for turn in hands()[0]:
            assert turn.answer == referee.judge(turn.question)


def test_the_pod_with_tls_judges_for_those_who_may_ask(play: Callable[..., Played], secrets: Path) -> None:
    """The pod of the overlay with TLS reads its secrets: it judges for a certificate with a token, and for no other."""
    for path in (secrets, *secrets.iterdir()):
        path.chmod(0o755)  # what Kubernetes does by fsGroup
    pod = play("tls", secrets)
    tls = Tls(*((secrets / name).read_bytes() for name in ("ca.crt", "tls.crt", "tls.key")))
    turn = hands()[0][0]
    token = (secrets / "tokens").read_text().strip().removeprefix("game:")
    with RefereeClient(pod.address, tls=tls, authority="localhost", token=token) as referee:
        answer = referee.judge(turn.question)
    with RefereeClient(pod.address, tls=tls, authority="localhost") as nobody, pytest.raises(RefereeError) as refused:
        nobody.judge(turn.question)

    assert turn.answer.standing == answer.standing
    assert 26 == len(answer.ruling.id)
    assert "UNAUTHENTICATED" == refused.value.code.name
