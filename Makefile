# make serve     install what is needed and start the arena on http://127.0.0.1:8000
# make test      install the test tools and run what shows within minutes that all is well
# make test-all  every test that this machine can run, those of kernels without the compiler and with bounds checks, too, and hostile players against a referee
# make test-ci   the same with fewer cases of one kind; .ci/run does this
#
# Needs Python 3.11 or later (tried on 3.11, 3.12 and 3.13), make and a shell; sets up all else in .venv, or in VENV.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8000
HOST ?= 127.0.0.1
# Some machines forbid Python to keep what it has compiled; then each of hundreds of processes compiles all of it anew.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# $(call install,.[extras]): by uv, which takes a fraction of pip's time, or by pip where uv or its index is out of reach.
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
install = { $(PIP) install uv && $(UV) --constraint constraints.txt --editable '$(1)'; } 2>/dev/null || \
	$(PIP) install --no-compile --constraint constraints.txt --editable '$(1)'
DEVELOPING := .[test-all,lint,docs]
# More workers than two cores have work for: some tests wait. Those that share a browser or a compiler keep to one worker.
WORKERS ?= 6
# At the lowest priority of all, where what an arena does in the background is no slower than the rest.
NICE := $(shell nice -n 19 true 2>/dev/null && echo nice -n 19)
# What fails among other tests is asked once more by itself: what is wrong fails again, what was only late may pass.
ALONE := --last-failed --last-failed-no-failures none -n 0 -rsfE
TRACED := -m coverage run
# $(call tested,which tests,options of Python,settings)
tested = $(3) $(NICE) $(BIN)/python $(2) -m pytest -n $(WORKERS) -rs $(SAMPLED) -m "$(1)" || $(3) $(BIN)/python $(2) -m pytest $(ALONE)

.PHONY: serve test test-all test-ci golden translations conformance lint docs bench wheel clean
.DEFAULT_GOAL := help

help:
	@sed -n '/^PYTHON/q; s/^# *//p' Makefile
	@echo "also: make conformance | golden | translations | lint | docs | bench | wheel | clean"

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Hinterland needs Python 3.11 or later; none was found. Set PYTHON=/path/to/python3."; exit 1; }
	@echo "Setting up in $(VENV) (once) …"
	@$(PYTHON) -m venv $(VENV) || { echo "python3 -m venv failed; on Debian or Ubuntu install python3-venv"; exit 1; }

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Hinterland …"
	@$(call install,.)
	@touch $@

$(VENV)/.testing: $(VENV)/.installed
	@echo "Installing the test tools …"
	@$(call install,.[test])
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	@echo "Installing the development tools …"
	@$(call install,$(DEVELOPING))
	@touch $@ $(VENV)/.testing

serve: $(VENV)/.installed
	@$(BIN)/hinterland serve --host $(HOST) --port $(PORT)

# Two tests of a kind show a newcomer enough. AND="and not browser" leaves out more.
test: SAMPLED := --quick
test: WORKERS := 4
test: $(VENV)/.testing
	@PYTHON=$(BIN)/python sh tests/chromium.sh
	$(call tested,not thorough and not compiles $(AND))

# Each of hundreds of processes would have threads of its own turn while they wait for matrices.
test test-all test-ci: export OPENBLAS_NUM_THREADS := 1

# Coverage sees into kernels without the compiler, and into the rest as it is; to trace what only waits takes long.
test-all: REPEATS := 9
test-ci: REPEATS := 3
test-ci: SAMPLED := --sampled
test-ci: $(VENV)/.developing
	@PYTHON=$(BIN)/python sh tests/chromium.sh
	$(call tested,once or kernels)
	$(call tested,not once and not kernels)
	$(call tested,not once and kernels and not thorough,,NUMBA_DISABLE_JIT=1)
	$(call tested,not once and kernels and not thorough,,NUMBA_BOUNDSCHECK=1)
	$(MAKE) --no-print-directory conformance ARGS="--patience 5 --repeats $(REPEATS)"
	@echo "make $@: all passed"

# Coverage is asked of all tests alone: a sample says little of it.
test-all: $(VENV)/.developing
	@PYTHON=$(BIN)/python sh tests/chromium.sh
	$(BIN)/python -m coverage erase
	$(call tested,once or kernels)
	$(call tested,not once and not kernels,$(TRACED))
	$(call tested,not once and kernels,$(TRACED),NUMBA_DISABLE_JIT=1)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --fail-under=95
	$(call tested,not once and kernels,,NUMBA_BOUNDSCHECK=1)
	$(MAKE) --no-print-directory conformance ARGS="--patience 5 --repeats $(REPEATS)"
	@echo "make $@: all passed"

# Write perft counts and golden playthroughs anew; what changed is for review.
golden: $(VENV)/.developing
	$(BIN)/python tests/oracle_perft.py
	NUMBA_DISABLE_JIT=1 $(BIN)/python tests/golden_playthroughs.py
	NUMBA_DISABLE_JIT=1 $(BIN)/python tests/golden_environments.py

# Bring the catalogues of other languages up to date; make translations LANGUAGE=fr begins another.
translations: $(VENV)/.developing
	@NUMBA_DISABLE_JIT=1 $(BIN)/python tests/web/translations.py $(LANGUAGE)

# Hostile players against the referee; make conformance ARGS="closes 29 --carrier tcp --runs 20", ARGS=--help for more.
conformance: $(VENV)/.developing
	PYTHONPATH=tests $(BIN)/python -m conformance $(ARGS)

lint: $(VENV)/.developing node_modules/.installed
	$(BIN)/ruff check src tests benchmarks research docs clients
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	npm run --silent check

node_modules/.installed: package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	@touch $@

docs: $(VENV)/.developing
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(VENV)/.developing
	$(BIN)/python -m benchmarks.gravity $(if $(BESIDE),--beside $(BESIDE))
	$(BIN)/python -m benchmarks.graph
	$(BIN)/python -m benchmarks.dots
	$(BIN)/python -m benchmarks.referee

wheel: $(VENV)/.developing
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	HINTERLAND_KERNELS=1 $(NICE) $(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

clean:
	rm -rf $(VENV) node_modules dist build docs/_build .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis
