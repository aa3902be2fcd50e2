# `make` lists the targets. Tools have one version (requirements-dev.txt) and one setting (pyproject.toml).
.DEFAULT_GOAL := help
SHELL := /bin/bash
PY := .venv/bin/python
PORT ?= 8000
SHARED ?= ../shared
WORKERS ?= 2
SAMPLED = $(shell grep -rlE 'hypothesis|tests\.profiles' tests --include='test_*.py')
TEMPLATES = $(shell find templates -name '*.html' 2>/dev/null)

export PYTHONDONTWRITEBYTECODE = # compiled modules are kept: without them a third of a run of the tests is compiling

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

.PHONY: install
install: ## what the product needs, into .venv; does nothing when nothing changed
	@tools/bootstrap.sh requirements.txt

.PHONY: install-dev
install-dev: ## what tests and checks need on top
	@tools/bootstrap.sh requirements-dev.txt

.PHONY: catalogue
catalogue: install ## create or update the database and load the catalogue, if either changed
	@$(PY) manage.py load_catalogue

.PHONY: run
run: catalogue ## serve on this machine, port 8000 (PORT=...)
	@echo "The advisor is at http://127.0.0.1:$(PORT)/ (stop it with Ctrl-C)"
	@$(PY) -m gunicorn advisor.wsgi --bind 127.0.0.1:$(PORT) --workers $(WORKERS) --threads 4 --log-level warning

.PHONY: demo
demo: install ## advice for a small sample fleet, as a table
	@$(PY) manage.py advise fixtures/samples/retired.csv

.PHONY: test
test: check browser ## all checks, then all tests, those in the browser last
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "not browser"
	@$(PY) -m pytest -n $(WORKERS) -m browser tests/browser

.PHONY: browser
browser: ## Debian's Chromium for the browser tests, if it is not there yet
	@tools/browser.sh

.PHONY: audit
audit: install-dev browser ## accessibility of every page and state, both themes, 360 and 1440 pixels; a file of 200 MB
	@AUDIT=1 $(PY) -m pytest -n $(WORKERS) tests/browser/test_accessibility.py
	@AUDIT=1 $(PY) -m pytest tests/browser/test_imports.py

.PHONY: screenshots
screenshots: install-dev browser ## pictures of every page and state into var/screenshots
	@$(PY) -m pytest -q -n $(WORKERS) tests/browser/screenshots.py

.PHONY: check
check: lint types ## lint, format, types, templates, migrations, settings
	@$(PY) -m ruff format --check .
	@$(if $(TEMPLATES),$(PY) -m djlint --check templates)
	@$(PY) manage.py makemigrations --check --dry-run
	@$(PY) manage.py check

.PHONY: lint
lint: install-dev ## ruff and djlint
	@$(PY) -m ruff check .
	@$(if $(TEMPLATES),$(PY) -m djlint --lint templates)

.PHONY: types
types: install-dev ## mypy
	@$(PY) -m mypy

.PHONY: format
format: install-dev ## write code and templates in the house format
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .
	@$(if $(TEMPLATES),$(PY) -m djlint --quiet --reformat templates)

.PHONY: fuzz
fuzz: install-dev ## what the tests try a sample of: every case, many more examples, 100,000 spoilt fleet files
	@$(PY) tools/fuzz_import.py
	@FUZZ=1 $(PY) -m pytest -n $(WORKERS) --dist worksteal $(SAMPLED)

.PHONY: golden
golden: install-dev ## rewrite the golden answers; review the difference before you commit it
	@UPDATE_GOLDEN=1 $(PY) -m pytest -q tests/golden

.PHONY: bench
bench: install-dev ## times of pages, reading and advising a million rows; 10,000 fleets checked; an hour or less
	@$(PY) tools/bench.py
	@$(PY) tools/bench_dask.py
	@$(PY) tools/bench_web.py
	@$(PY) tools/bench_fleets.py

.PHONY: coverage-by-chance
coverage-by-chance: catalogue ## how often a speed model that is exactly right would meet the aims for its ranges
	@$(PY) tools/coverage_by_chance.py

.PHONY: check-shared
check-shared: install ## compare the fixtures with the collected facts (SHARED=...)
	@$(PY) tests/check_shared.py $(SHARED)

.PHONY: clean
clean: ## remove .venv and caches; var/ with the local database stays
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
