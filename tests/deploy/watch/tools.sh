#!/bin/sh
# Install into .tools/ what the tests of alerts and of the dashboard need. What Debian has comes from apt-get, which needs
# root; it is asked only for what is missing.
set -eu
cd "$(dirname "$0")/../../.."

for tool in prometheus promtool prometheus-alertmanager amtool; do
    command -v "$tool" >/dev/null && continue
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus prometheus-alertmanager
    break
done
mkdir -p .tools/grafana
"${PYTHON:-python3}" -m venv --clear .tools/watch
.tools/watch/bin/pip install --quiet --disable-pip-version-check --requirement tests/deploy/watch/tools.txt
npm install --no-save --no-package-lock --no-audit --no-fund --loglevel=error --prefix .tools/grafana \
    @grafana/schema@13.2.3 typescript@7.0.2
