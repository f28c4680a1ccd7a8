# Everything here needs only Python 3.11 or newer, pip and make. `make help` lists the tasks.

PYTHON ?= python3
BIN := .venv/bin
BUF = cd proto && ../$(BIN)/buf
PYTEST := $(BIN)/pytest -n 2 --dist worksteal
# What is ready when its stamp is newer than what it was made from.
VENV := .venv/.ready
VENV_GEN := .venv-gen/.ready
VENV_MUTANTS := .venv-mutants/.ready
TOOLS := .tools/.ready
TYPESCRIPT := clients/typescript/dist/.ready

.DEFAULT_GOAL := help
.PHONY: help venv demo serve test lint types proto corpus check test-sarif proof dist test-package mutants \
	test-deploy test-loss test-soak cluster image-pins generate image descriptor docs clean

help: ## list the tasks
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r task what; do \
		printf '%-18s %s\n' "$$task" "$$what"; done

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

proof: $(VENV) ## look at every state that play can reach with two open debts (about an hour)
	PROOF_DEBTS=2 $(PYTEST) tests/proof

dist: $(VENV) ## build the wheel and the source distribution into dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

test-package: dist ## install what was built into fresh environments, and try its commands there
	$(BIN)/pytest tests/package/installed.py

mutants: $(VENV_MUTANTS) ## change the core in small ways, and list the changes that no test notices (minutes)
	.venv-mutants/bin/mutmut run
	.venv-mutants/bin/mutmut results

generate: $(VENV_GEN) ## write the generated code anew from the proto files
	.venv-gen/bin/python proto/generate.py

image: $(VENV) ## renew the image that later proto files are compared with
	$(BUF) build --exclude-source-info -o image.binpb

descriptor: $(VENV) ## write build/charleston-referee.binpb, the proto files with their comments as a descriptor set
	@mkdir -p build
	$(BUF) build --as-file-descriptor-set -o ../build/charleston-referee.binpb

docs: $(VENV) ## write the generated parts of the pages, and README's picture, anew
	$(BIN)/python -m tests.house.pages --write
	$(BIN)/python clients/examples/picture.py

test-deploy: $(VENV) $(TOOLS) $(TYPESCRIPT) ## try image, manifests, Envoy, proxies, cluster and losses (needs root, Debian, npm)
	$(BIN)/pytest -n 3 --dist loadgroup -rA --timeout 600 --durations 10 tests/deploy/image.py tests/deploy/manifests.py tests/deploy/edge.py \
		tests/deploy/proxies.py tests/deploy/together.py tests/deploy/losses.py tests/deploy/watch/*.py

test-loss: $(VENV) $(TOOLS) $(TYPESCRIPT) ## kill, freeze, cut and upgrade replicas at length: no question may be lost (minutes)
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
	rm -rf .venv .venv-gen .venv-mutants .tools clients/typescript/dist clients/typescript/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist mutants
	find referee clients tests proto -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV): pyproject.toml
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[server,dev]'
	@touch $@

$(VENV_GEN): proto/requirements.txt
	$(PYTHON) -m venv --clear .venv-gen
	.venv-gen/bin/python -m pip install --quiet --disable-pip-version-check --requirement proto/requirements.txt
	@touch $@

$(TOOLS): tests/deploy/tools.sh $(wildcard tests/deploy/*.txt deploy/image/*.txt tests/deploy/watch/tools.*)
	PYTHON=$(PYTHON) sh tests/deploy/tools.sh
	PYTHON=$(PYTHON) sh tests/deploy/watch/tools.sh
	@touch $@

$(TYPESCRIPT): clients/typescript/package-lock.json $(shell find clients/typescript/src -name '*.ts')
	cd clients/typescript && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build
	@touch $@

# Without the referee itself: what is tested has to be the copy in mutants/.
$(VENV_MUTANTS): pyproject.toml
	$(PYTHON) -m venv --clear .venv-mutants
	.venv-mutants/bin/python -m pip install --quiet --disable-pip-version-check '.[server,dev]' mutmut==3.8.1
	.venv-mutants/bin/python -m pip uninstall --quiet --yes charleston-referee
	@touch $@
