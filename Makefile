# Thistlebot: `make demo` shows the machine at work, `make test` tests it, `make check` is what CI runs.
# Each creates .venv itself when it is missing or older than its description, and does nothing twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is installed: the interpreter; what the program needs; what the panel needs, too; and everything.
PYTHON_STAMP := $(VENV)/.python
RUNTIME := $(VENV)/.runtime
PANEL := $(VENV)/.panel
STAMP := $(VENV)/.installed
HEX := build/hex
PACKAGES := cube documents vision solver puzzles robot calibration thistlebot frontends teaching benchmarks

.DEFAULT_GOAL := help
.PHONY: help venv install hex wheel pictures demo test test-exhaustive campaigns coverage check format lint types imports generated \
  hardware lock audit clean avr-tools browser panel panel-pictures docs notebooks diagrams

help: ## list these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

venv: $(STAMP) ## create .venv with the locked versions of everything

$(PYTHON_STAMP):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 2; }
	@echo "Creating $(VENV) …"
	@$(PYTHON) -m venv --without-pip $(VENV) || { echo "python3 has no venv: apt install python3-venv"; exit 2; }
	@touch $@

$(RUNTIME): $(PYTHON_STAMP) pyproject.toml constraints.txt install/uv.txt
	@install/environment $(VENV) constraints.txt
	@touch $@

$(PANEL): $(RUNTIME) constraints-panel.txt
	@install/environment $(VENV) constraints-panel.txt
	@touch $@

$(STAMP): $(PANEL) constraints-dev.txt
	@install/environment $(VENV) constraints-dev.txt
	@$(BIN)/python -m ensurepip >/dev/null
	@touch $@

install: ## put `thistlebot` and its panel on your path, with the locked versions (needs uv or pipx)
	@mkdir -p build && sed -n 's/^\([^ ]*==[^ ;]*\).*/\1/p' constraints*.txt >build/versions.txt
	@if [ -d $(HEX) ]; then export THISTLEBOT_HEX=$(CURDIR)/$(HEX); fi; \
	if command -v uv >/dev/null; then uv tool install --force ".[web]" --constraints build/versions.txt; \
	elif command -v pipx >/dev/null; then pipx install --force ".[web]" --pip-args="--constraint build/versions.txt"; \
	else echo "uv or pipx is needed: sudo apt install pipx"; exit 2; fi

# The same sources and compiler give the same bytes, in whatever folder they lie.
hex: ## build the firmware's binaries for all boards into build/hex
	@sh firmware/install-tools
	@$(MAKE) --no-print-directory -C firmware BUILD=build/release boards
	@mkdir -p $(HEX)
	@for hex in firmware/build/release/*/thistlebot.hex; do cp $$hex $(HEX)/$$(basename $$(dirname $$hex)).hex || exit 1; done
	@cd $(HEX) && sha256sum *.hex && avr-gcc --version | head -n 1

wheel: $(STAMP) hex docs ## build the release: dist/*.whl with firmware, its binaries and the documentation
	@THISTLEBOT_HEX=$(CURDIR)/$(HEX) THISTLEBOT_SITE=$(CURDIR)/build/site $(BIN)/python -m pip wheel --quiet --disable-pip-version-check \
	  --no-deps --no-build-isolation --wheel-dir dist . && ls dist/*.whl

demo: $(RUNTIME) ## the whole loop on the virtual rig: scramble, scan, solve, turn, verify
	$(BIN)/thistlebot demo

panel: $(PANEL) ## open the web panel with the virtual machine
	@$(BIN)/thistlebot serve --virtual || test $$? = 6 # Ctrl-C is the usual end

test: $(STAMP) avr-tools browser ## everything that protects a user (five to seven minutes on two cores)
	$(BIN)/pytest -m "not exhaustive"

test-exhaustive: $(STAMP) avr-tools browser ## proofs and long runs: parts of the tests at a larger size
	$(BIN)/pytest -m exhaustive

campaigns: $(STAMP) avr-tools ## faults strike real programs on boards, and whole runs of rigs; an hour; CAMPAIGNS="--only rigs"
	$(MAKE) --silent -C firmware uno mega simulator
	$(BIN)/python -m benchmarks.campaigns $(CAMPAIGNS)

coverage: $(STAMP) avr-tools browser ## which lines the tests and their preparation run; build/coverage/index.html shows them
	rm -rf build/coverage build/.coverage* # then append: without it, the workers erase what preparation covered
	CACHE_OF_TESTS=$(CURDIR)/build/coverage/cache $(BIN)/pytest -m "not exhaustive" --cov --cov-append --cov-report=term:skip-covered --cov-report=html
	@echo "every line: build/coverage/index.html"

hardware: $(STAMP) ## the whole loop of a Raspberry Pi without one, ten minutes; WHOLE=yes makes all 150 runs
	$(BIN)/python -m benchmarks.pi.loops $(if $(WHOLE),,--solves 8 --faults 16)

# Installed when we may, explained in one line when we may not; the tests then say what they skip.
avr-tools:
	@sh firmware/install-tools

browser:
	@sh firmware/install-tools tests/debian-packages.txt panel

check: format lint types imports generated test ## everything that CI runs

format: $(STAMP)
	$(BIN)/ruff format --check .

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/codespell $(PACKAGES) tests docs firmware examples *.md

types: $(STAMP)
	$(BIN)/mypy

imports: $(STAMP)
	$(BIN)/lint-imports

generated: $(STAMP) ## are the files that a command writes up to date?
	$(BIN)/python -m robot.protocol.codegen --check
	$(BIN)/python -m benchmarks.site.reference --check
	$(BIN)/python -m benchmarks.site.sources

# The date is that of the pages' sitemap: the same sources give the same bytes.
docs: $(STAMP) ## build the documentation into build/site; fails for dead links and missing pictures
	@$(BIN)/python -m benchmarks.site.stage
	@SOURCE_DATE_EPOCH=0 NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build # with --quiet it is not strict
	@find build/site -name '*.map' -delete && rm -r build/site/assets/javascripts/lunr # other languages
	@echo "documentation: build/site/index.html, or thistlebot manual --web"

notebooks: $(STAMP) ## run the notebooks; fails if an output differs. WRITE=yes writes the new outputs
	$(BIN)/python -m benchmarks.site.notebooks $(if $(WRITE),--write)

diagrams: $(STAMP) browser ## draw the diagrams of the pages that are new or changed
	$(BIN)/python -m benchmarks.site.diagrams

pictures: $(STAMP) ## redraw the pictures of the documents
	$(BIN)/python -m benchmarks.film docs/pictures/solve.webp
	$(BIN)/thistlebot school puzzle dodecahedron --random 4 --seed 1 --picture docs/pictures/dodecahedron.svg >/dev/null
	$(BIN)/thistlebot school learn thistlethwaite --dry-run --scramble "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'" \
	  --picture docs/pictures/lesson.svg >/dev/null
	$(BIN)/thistlebot rig draw $(notdir $(basename $(wildcard docs/pictures/rigs/*.svg))) --pictures docs/pictures/rigs >/dev/null
	$(BIN)/python -m benchmarks.wiring docs/pictures/wiring
	$(BIN)/thistlebot pattern --pictures docs/pictures/patterns >/dev/null

panel-pictures: $(STAMP) browser ## take the pictures of docs/panel.md again
	$(BIN)/python -m benchmarks.panel_pictures docs/pictures/panel

audit: ## ask the databases of PyPI for known weaknesses of the locked packages (needs the network)
	$(PYTHON) -m venv build/audit && build/audit/bin/pip install --quiet pip-audit
	build/audit/bin/pip-audit --require-hashes --disable-pip --progress-spinner off -r constraints.txt -r constraints-panel.txt -r constraints-dev.txt

lock: ## rewrite the lists of locked packages (names, versions and hashes only)
	@install/lock

clean: ## remove what was built (not .venv)
	rm -rf build dist firmware/build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache demo-*
	find $(PACKAGES) tests -name __pycache__ -prune -exec rm -rf {} +
