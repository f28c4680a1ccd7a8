#!/bin/sh
# Write anew what the image pins, with the hash of every file: `make image-pins`. UV names uv where it is not on PATH.
set -eu
cd "$(dirname "$0")/../.."
freeze() {
    "${UV:-uv}" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
        --custom-compile-command 'make image-pins' "$@"
}
freeze pyproject.toml --extra server --output-file deploy/image/run.txt
freeze deploy/image/build.in --output-file deploy/image/build.txt
