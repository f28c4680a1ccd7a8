# Everything here needs only Python 3.11 or newer, pip and make; what is TypeScript needs Node 20 and npm besides.
# `make help` lists the tasks.

PYTHON ?= python3
BIN := .venv/bin
BUF = cd proto && ../$(BIN)/buf
PYTEST := $(BIN)/pytest -n 2 --dist worksteal
# What is ready when its stamp is newer than what it was made from.
VENV := .venv/.ready
VENV_GEN := .venv-gen/.ready
VENV_MUTANTS := .venv-mutants/.ready
VENV_BENCH := .venv-bench/.ready
VENV_FUZZ := .venv-fuzz/.ready
TOOLS := .tools/.ready
WATCH_TOOLS := .tools/watch/.ready
TYPESCRIPT := clients/typescript
MODULES := $(TYPESCRIPT)/node_modules/.ready
PACKAGE := $(TYPESCRIPT)/dist/.ready
GAMESERVER := clients/examples/gameserver

.DEFAULT_GOAL := help
.PHONY: help venv demo serve test lint types proto corpus check test-sarif test-typescript proof dist test-package \
	compiled interpreted test-compiled \
	test-deploy test-watch test-loss test-soak cluster dashboard-picture image-pins mutants \
	bench bench-shapes bench-compare bench-keep fuzz generate generate-typescript image descriptor docs clean

help: ## list the tasks
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r task what; do \
		printf '%-28s %s\n' "$$task" "$$what"; done

venv: $(VENV) ## make the environment for everything below (once, and again when pyproject.toml changes)

demo: $(VENV) ## start a server, send it real games and show the rulings
	$(BIN)/python clients/examples/demo.py

serve: $(VENV) ## run the referee until it is stopped
	$(BIN)/referee serve

test: lint types proto $(VENV_GEN) ## check everything: lint, types, proto, then all tests
	$(PYTEST)

lint: $(VENV) ## check style and format of the Python code
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV) ## check types, strictly
	$(BIN)/mypy

proto: $(VENV) ## check the proto files: lint, format, and that they only add to the image
	$(BUF) lint
	$(BUF) format --diff --exit-code
	$(BUF) breaking --against image.binpb

corpus: $(VENV) ## run the corpus of rule cases only
	$(PYTEST) -k corpus

check: $(VENV) ## judge the real games and tables with `charleston check`: only the known faults may be found
	$(BIN)/charleston check 'tests/real/games/*.charleston' tests/real/ends.jsonl tests/real/transitions.jsonl \
		--expected tests/real/expected.toml

test-sarif: $(VENV) ## check the SARIF that `charleston check` writes with Microsoft's validator (needs npm)
	$(BIN)/python -m tests.clients.checking.multitool

test-typescript: $(VENV) $(MODULES) ## check the TypeScript package: style, types, its tests, and what is packed (needs npm)
	cd $(TYPESCRIPT) && npm run --silent lint && npm run --silent build && npm test --silent
	$(TYPESCRIPT)/node_modules/.bin/prettier --check $(GAMESERVER)/*.ts
	cd $(GAMESERVER) && npm install --no-audit --no-fund --loglevel error && PATH="$(CURDIR)/$(BIN):$$PATH" npm test --silent

proof: $(VENV) ## look at every state that play can reach with two open debts (about an hour)
	PROOF_DEBTS=2 $(PYTEST) tests/proof

dist: $(VENV) ## build the wheel and the source distribution into dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

test-package: dist ## install what was built into fresh environments, and try its commands there
	$(BIN)/pytest tests/package/installed.py

compiled: $(VENV) ## compile the hot modules with mypyc, beside their sources (needs a C compiler and Python's headers)
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(BIN)/hatchling build --target wheel --hooks-only

interpreted: ## remove what `make compiled` made, so that Python runs the sources again
	rm -f *__mypyc.*
	find referee -name '*.so' -delete

test-compiled: compiled $(VENV_GEN) ## try the hot modules compiled, and a wheel of them; then remove what was compiled
	trap '$(MAKE) --no-print-directory interpreted' EXIT; \
		$(PYTEST) tests/package/compiled.py tests/laws tests/wire tests/house tests/test_*.py

test-watch: $(VENV) $(WATCH_TOOLS) ## try alerts and dashboard before real referees under load (needs npm, and apt-get as root)
	$(BIN)/pytest tests/deploy/watch/dashboard.py tests/deploy/watch/watching.py

dashboard-picture: $(VENV) $(WATCH_TOOLS) ## draw deploy/grafana/dashboard.svg anew, from referees under load (minutes)
	$(PYTHON) -m venv --clear .tools/picture
	.tools/picture/bin/pip install --quiet --disable-pip-version-check --requirement deploy/grafana/picture.txt
	$(BIN)/python -m tests.deploy.watch.picture

mutants: $(VENV_MUTANTS) ## change the core in small ways, and list the changes that no test notices (minutes)
	.venv-mutants/bin/mutmut run
	.venv-mutants/bin/mutmut results

MEASURE = trap '$(MAKE) --no-print-directory interpreted' EXIT; \
	$(if $(INTERPRETED),$(MAKE) --no-print-directory interpreted,$(MAKE) --no-print-directory compiled) \
	&& .venv-bench/bin/python -m

bench: $(VENV) $(VENV_BENCH) ## measure every bar of speed beside raw echoes (QUICK=1: a short look; INTERPRETED=1)
	$(MEASURE) tests.bench $(if $(QUICK),--quick) $(BENCH)

bench-shapes: $(VENV) $(VENV_BENCH) ## measure the whole service on four shapes of server (QUICK=1: a short look)
	$(MEASURE) tests.bench.shapes $(if $(QUICK),--quick) $(BENCH)

bench-compare: $(VENV) ## compare two reports of `make bench`: A=… B=…
	$(BIN)/python -m tests.bench.compare '$(A)' '$(B)'

bench-keep: $(VENV) ## keep what was measured last as what the pages show
	cp build/bench/bench.json tests/bench/measured.json
	if [ -e build/bench/shapes.json ]; then cp build/bench/shapes.json tests/bench/shapes.json; fi
	$(BIN)/python -m tests.house.pages --write

fuzz: $(VENV_FUZZ) ## look for input that breaks the referee (FUZZ_SECONDS=60 in all)
	.venv-fuzz/bin/python -m tests.fuzz --seconds $(or $(FUZZ_SECONDS),60)

generate: $(VENV_GEN) ## write the generated code anew from the proto files
	.venv-gen/bin/python proto/generate.py

generate-typescript: $(VENV) $(MODULES) ## write the generated code of the TypeScript package anew (needs npm)
	cd $(TYPESCRIPT) && npm run --silent generate

image: $(VENV) ## renew the image that later proto files are compared with
	$(BUF) build --exclude-source-info -o image.binpb

descriptor: $(VENV) ## write build/charleston-referee.binpb, the proto files with their comments as a descriptor set
	@mkdir -p build
	$(BUF) build --as-file-descriptor-set -o ../build/charleston-referee.binpb

docs: $(VENV) ## write the generated parts of the pages, and README's picture, anew
	$(BIN)/python -m tests.house.pages --write
	$(BIN)/python clients/examples/picture.py

test-deploy: $(VENV) $(TOOLS) $(PACKAGE) ## try image, manifests, Envoy, proxies, cluster, losses, alerts, dashboard (needs root, Debian, npm)
	$(BIN)/pytest -n 3 --no-loadscope-reorder -rA --timeout 600 --durations 10 \
		tests/deploy/image.py tests/deploy/manifests.py tests/deploy/losses.py tests/deploy/watch/watching.py \
		tests/deploy/watch/dashboard.py tests/deploy/together.py tests/deploy/edge.py tests/deploy/proxies.py

test-loss: $(VENV) $(TOOLS) $(PACKAGE) ## kill, freeze, cut and upgrade replicas at length: no question may be lost (minutes)
	for front in envoy python typescript; do $(BIN)/python -m tests.deploy.loss --front $$front || exit 1; done
	for front in envoy python typescript; do $(BIN)/python -m tests.deploy.loss --front $$front --across || exit 1; done

SECONDS ?= 3600
test-soak: $(VENV) $(TOOLS) ## ask for an hour, or SECONDS=…: nothing may be lost, and nothing grow
	$(BIN)/python -m tests.deploy.loss.soak --seconds $(SECONDS)

cluster: $(VENV) $(TOOLS) ## run three referees, Envoy, Prometheus and Alertmanager here until Ctrl-C
	$(BIN)/python deploy/cluster.py

image-pins: $(TOOLS) ## pin the newest of what the image holds
	UV=.tools/lint/bin/uv sh deploy/image/freeze.sh

clean: ## remove environments, caches and builds
	rm -rf .venv .venv-* .tools .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist mutants
	cd $(TYPESCRIPT) && rm -rf node_modules build dist LICENSE *.tgz
	cd $(GAMESERVER) && rm -rf node_modules build
	rm -f *__mypyc.* && find referee -name '*.so' -delete
	find referee clients tests proto deploy -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV): pyproject.toml
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[server,dev]'
	@touch $@

$(VENV_GEN): proto/requirements.txt
	$(PYTHON) -m venv --clear .venv-gen
	.venv-gen/bin/python -m pip install --quiet --disable-pip-version-check --requirement proto/requirements.txt
	@touch $@

$(TOOLS): $(WATCH_TOOLS) tests/deploy/tools.sh $(wildcard tests/deploy/*.txt deploy/image/*.txt)
	PYTHON=$(PYTHON) sh tests/deploy/tools.sh
	@touch $@

$(WATCH_TOOLS): tests/deploy/watch/tools.sh tests/deploy/watch/tools.txt
	PYTHON=$(PYTHON) sh tests/deploy/watch/tools.sh
	@touch $@

$(MODULES): $(TYPESCRIPT)/package-lock.json
	cd $(TYPESCRIPT) && npm ci --no-audit --no-fund --loglevel error
	@touch $@

$(PACKAGE): $(MODULES) $(shell find $(TYPESCRIPT)/src -name '*.ts')
	cd $(TYPESCRIPT) && npm run --silent build
	@touch $@

# Without the referee itself: what is tested has to be the copy in mutants/.
$(VENV_MUTANTS): pyproject.toml
	$(PYTHON) -m venv --clear .venv-mutants
	.venv-mutants/bin/python -m pip install --quiet --disable-pip-version-check '.[server,dev]' mutmut==3.8.1
	.venv-mutants/bin/python -m pip uninstall --quiet --yes charleston-referee
	@touch $@

$(VENV_BENCH): pyproject.toml tests/bench/requirements.txt
	$(PYTHON) -m venv --clear .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[server]' \
		--requirement tests/bench/requirements.txt
	@touch $@

$(VENV_FUZZ): pyproject.toml tests/fuzz/requirements.txt
	$(PYTHON) -m venv --clear .venv-fuzz
	.venv-fuzz/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[server]' \
		--requirement tests/fuzz/requirements.txt
	@touch $@
