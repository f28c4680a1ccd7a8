#!/bin/sh
# Write anew what the image pins, with the hash of every file: `make image-pins` takes the newest there is.
# With a folder as argument the pins are only brought in line with pyproject.toml, and written there.
# UV names uv where it is not on PATH.
set -eu
cd "$(dirname "$0")/../.."
to="${1:-deploy/image}"
[ "$#" -eq 1 ] && cp deploy/image/*.txt "$to" || upgrade=--upgrade
freeze() {
    "${UV:-uv}" pip compile --quiet ${upgrade:+"$upgrade"} --universal --python-version 3.11 --generate-hashes \
        --no-annotate --custom-compile-command 'make image-pins' "$@"
}
freeze pyproject.toml --extra server --output-file "$to/run.txt"
freeze deploy/image/build.in --output-file "$to/build.txt"
