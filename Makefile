# Everything happens through these targets; each does the set-up it needs, once.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
PORT ?= 8000
STAMPS := .make
STEP := $(CURDIR)/tools/step.sh
WEB := $(shell find web/src web/public -type f) $(wildcard web/*.html web/*.json web/*.config.* src/visavis/rules/*/*.json src/visavis/rules/*/rules.md)
RUST := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock
# Declared by a macro, which cargo fmt does not look into.
GAMES := $(wildcard crates/core/src/games/*/mod.rs)
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help play test check long bench clean setup format web browser
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

# PORT=8080 takes another port; LAN=1 lets other machines in the local network join.
play: setup $(STAMPS)/page ## Serve the page and play in the browser (PORT=8000, LAN=1)
	@$(BIN)/visavis serve --open --log-level warning --port $(PORT) $(if $(LAN),--host 0.0.0.0)

test: check $(STAMPS)/postgres ## Run all checks and tests
	@cargo test --workspace --exclude visavis-py --release --quiet
	@$(BIN)/pytest -n 2
	@cd web && npm test --silent
	@$(MAKE) --no-print-directory browser

browser: setup $(STAMPS)/page $(STAMPS)/chromium ## Test the page in a real browser
	@cd web && npm run browser --silent

check: setup $(STAMPS)/npm ## Formatters, linters and types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/mypy tests
	@$(BIN)/mypy -m bench.run -p bench.rows
	@$(BIN)/stubtest --ignore-disjoint-bases visavis._core
	@cargo fmt --check
	@rustfmt --edition 2024 --check $(GAMES)
	@cargo clippy --workspace --all-targets --release --quiet -- -D warnings
	@cd web && npm run check --silent
	@$(BIN)/python -m visavis.server.json_schema | node web/tools/types.js --check

long: setup $(STAMPS)/postgres ## Run the trials that take an hour or more
	@$(BIN)/python -m tests.server.crashing
	@$(BIN)/python -m tests.fuzz --inputs 10000000

bench: setup $(STAMPS)/venv-bench ## Print speed ratios against peers
	@PYTHONPATH=src:. JAX_PLATFORMS=cpu $(BENCH)/bin/python -m bench.run $(ONLY)

web: $(STAMPS)/page ## Build the browser page

format: setup $(STAMPS)/npm ## Format all sources
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@cargo fmt
	@rustfmt --edition 2024 $(GAMES)
	@$(BIN)/python -m visavis.server.json_schema | node web/tools/types.js
	@cd web && npm run format --silent

clean: ## Remove everything that was built
	rm -rf $(VENV) $(BENCH) $(STAMPS) target src/visavis/_core*.so src/visavis/page web/node_modules

# Set-up, in stamped steps.

setup: $(STAMPS)/native

$(STAMPS)/tools:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is missing: install python3 (or set PYTHON)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: install it and set PYTHON=python3.11"; exit 1; }
	@command -v cargo >/dev/null || { echo "Rust is missing: install rustc and cargo 1.85 or newer"; exit 1; }
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/venv: pyproject.toml constraints.txt | $(STAMPS)/tools
	@test -x $(BIN)/python || echo "Setting up for the first time; this takes a few minutes."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(STEP) "Setting up Python in $(VENV)" $(BIN)/python -m pip install --quiet --upgrade pip
	@$(STEP) "Installing packages" $(BIN)/pip install --quiet --group dev
	@touch $@

$(STAMPS)/native: $(RUST) | $(STAMPS)/venv
$(STAMPS)/native: $(STAMPS)/venv
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(STEP) "Building the native core" $(BIN)/maturin develop --release --quiet
	@touch $@

# The server's tests start a PostgreSQL of their own, or use the one VISAVIS_TEST_POSTGRES names.
$(STAMPS)/postgres: | $(STAMPS)/tools
	@if [ -n "$${VISAVIS_TEST_POSTGRES:-}" ] || command -v initdb >/dev/null \
	  || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing PostgreSQL for the tests …"; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null; \
	else \
	  echo "The tests need PostgreSQL: install it (Debian: apt-get install postgresql), or set"; \
	  echo "VISAVIS_TEST_POSTGRES to the address of one on which databases can be created."; exit 1; \
	fi
	@touch $@

$(STAMPS)/venv-bench: pyproject.toml bench/constraints.txt | $(STAMPS)/tools
	@echo "Setting up the peers in $(BENCH) …"
	@test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	@PIP_CONSTRAINT=$(CURDIR)/bench/constraints.txt $(BENCH)/bin/python -m pip install --quiet --upgrade pip
	@PIP_CONSTRAINT=$(CURDIR)/bench/constraints.txt $(BENCH)/bin/python -m pip install --quiet --group bench
	@touch $@

$(STAMPS)/npm: web/package.json web/package-lock.json
	@command -v npm >/dev/null || { echo "Node is missing: install Node 20.19 or newer with npm"; exit 1; }
	@cd web && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 $(STEP) "Setting up the page's tools" npm ci --silent
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/page: $(WEB) $(STAMPS)/npm
	@cd web && $(STEP) "Building the page" npm run build --silent -- --logLevel warn
	@touch $@

# Debian's Chromium, with letters for all four languages.
$(STAMPS)/chromium:
	@missing=; \
	test -x "$${VISAVIS_CHROMIUM:-/usr/bin/chromium}" || missing=chromium; \
	fc-list :lang=ja 2>/dev/null | grep -q . || missing="$$missing fonts-vlgothic fontconfig"; \
	if [ -n "$$missing" ]; then \
	  echo "Installing $$missing …"; \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null; } || { echo "For the tests of the page install: apt install $$missing (or set VISAVIS_CHROMIUM)"; exit 1; }; \
	  { apt-get -qq update && apt-get -qq install --no-install-recommends $$missing >/dev/null; } || { echo "$$missing could not be installed from Debian's packages; VISAVIS_CHROMIUM can name a Chromium"; exit 1; }; \
	fi
	@mkdir -p $(STAMPS) && touch $@
