# Every command of a developer. It needs Python 3.11 or newer with venv, git and make; all else is installed into .venv.

PYTHON ?= python3
VENV := .venv/bin
INSTALLED := .venv/.installed
UV := $(VENV)/uv
NPM := $(VENV)/python hatch_build.py npm
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url

.DEFAULT_GOAL := help
.PHONY: help setup run test browser check check-python check-web fix bench screenshots pictures lock clean

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' Makefile

setup: $(INSTALLED) ## install everything into .venv and build the page
	@$(VENV)/python hatch_build.py

$(INSTALLED): pyproject.toml hatch_build.py requirements/bootstrap.txt requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "NetaClaw needs Python 3.11 or newer; name one: make PYTHON=python3.12 ...")'
	@echo "setup: virtual environment .venv"
	@$(PYTHON) -m venv .venv
	@echo "setup: uv"
	@$(VENV)/python -m pip install --quiet --quiet --disable-pip-version-check --require-hashes -r requirements/bootstrap.txt
	@echo "setup: packages of requirements/dev.txt"
	@$(UV) pip sync --quiet --python $(VENV)/python --require-hashes requirements/dev.txt
	@$(VENV)/python hatch_build.py
	@echo "setup: netaclaw"
	@$(UV) pip install --quiet --python $(VENV)/python --no-deps --no-build-isolation --editable .
	@touch $@

run: setup ## serve the demo at http://127.0.0.1:8765
	@$(VENV)/netaclaw demo

test: check browser ## run every check, then every test
	@echo "test: pytest"
	@$(VENV)/python -m pytest

browser: setup
	@$(VENV)/python -m tests.e2e.install_browser

check: check-python check-web ## check format, lint, types and layers, Python and web

check-python: setup
	@echo "check: format (ruff)"
	@$(VENV)/ruff format --check --output-format concise .
	@echo "check: lint (ruff)"
	@$(VENV)/ruff check .
	@echo "check: types (mypy)"
	@$(VENV)/mypy
	@echo "check: layers (import-linter)"
	@$(VENV)/lint-imports --no-logo

check-web: setup
	@echo "check: web format (prettier)"
	@$(NPM) run --silent format:check
	@echo "check: web lint (eslint)"
	@$(NPM) run --silent lint
	@echo "check: web types are those of the schema (openapi-typescript)"
	@$(NPM) run --silent gen:check
	@echo "check: web types (vue-tsc)"
	@$(NPM) run --silent typecheck
	@echo "check: web tests (vitest)"
	@$(NPM) run --silent test

fix: setup ## format and repair what can be repaired by itself
	@$(VENV)/ruff check --fix .
	@$(VENV)/ruff format .
	@$(NPM) run --silent lint:fix
	@$(NPM) run --silent format

bench: setup ## run the benchmarks
	@$(VENV)/python -m bench

screenshots: setup browser ## take a picture of every state of the page, into screenshots/
	@$(VENV)/python -m tests.e2e.screenshots $(STATES)

pictures: setup browser ## take the pictures of the READMEs, into docs/images/
	@$(VENV)/python -m tests.e2e.readme_pictures

lock: setup ## write requirements/*.txt anew from pyproject.toml; UPGRADE=--upgrade takes newer versions
	@$(LOCK) $(UPGRADE) --group bootstrap --output-file requirements/bootstrap.txt
	@$(LOCK) $(UPGRADE) --group dev pyproject.toml --output-file requirements/dev.txt
	@$(LOCK) $(UPGRADE) --group localmodel --output-file requirements/localmodel.txt

clean: ## remove all that was installed or built
	@rm -rf .venv build dist web/node_modules src/netaclaw/static .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
