# Each target says what it does; `make` alone lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow lint types contracts check lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(VENV)/run.stamp: requirements/run.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/run.txt
	@echo "$(CURDIR)" > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/ragjudge-checkout.pth"
	@printf '#!%s\nfrom ragjudge.__main__ import main\n\nmain()\n' "$(CURDIR)/$(BIN)/python" > $(BIN)/ragjudge && chmod +x $(BIN)/ragjudge
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt
	@touch $@

demo: $(VENV)/run.stamp ## the main job on the embedded app: baseline, unchanged, degraded
	$(BIN)/python -m ragjudge demo

test: $(VENV)/dev.stamp ## every fast test
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

test-slow: $(VENV)/dev.stamp ## the tests that take seconds each
	$(BIN)/python -m pytest -n $(WORKERS) -m slow

lint: $(VENV)/dev.stamp ## style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp ## static types
	$(BIN)/mypy

contracts: $(VENV)/dev.stamp ## the direction of imports
	$(BIN)/lint-imports

check: lint types contracts test test-slow ## all of the above

lock: ## renew the hash-locked requirements
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header requirements/run.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header requirements/dev.in -c requirements/run.txt -o requirements/dev.txt

clean: ## remove what the targets made
	rm -rf $(VENV) .ragjudge .pytest_cache .mypy_cache .ruff_cache .hypothesis
