# make run | class | test | soak | check | docs | bench | fuzz | mutate | spark: each sets up what it needs and nothing has to be done first.
PYTHON ?= python3
VENV := .venv
BENCH := .venv-bench
SPARK := .venv-spark
DOCS := .venv-docs
BIN := $(VENV)/bin

MINUTES ?= 60
# what tests write (houses, databases, profiles of browsers) lies in memory where there is plenty: those of office and
# budget took a quarter longer on a disk
ROOMY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 8000000 { print "/dev/shm" }')
# there are more workers than cores, so each computes on one
ALONE := $(if $(ROOMY),TMPDIR=$${TMPDIR:-$(ROOMY)}) OPENBLAS_NUM_THREADS=1 $(BIN)/python
TESTS := $(ALONE) -m pytest
# every server and worker that a test starts would compile the same files again
export PYTHONDONTWRITEBYTECODE =

.PHONY: run class test soak check docs bench fuzz mutate spark clean browser

run: $(VENV)/run.stamp
	FORWARDED_ALLOW_IPS="$${FORWARDED_ALLOW_IPS-}" $(BIN)/python -m discreet run

# CLASS="--minutes 90 --address 192.0.2.7"
class: $(VENV)/run.stamp
	$(BIN)/python -m discreet class $(CLASS)

test: $(VENV)/dev.stamp browser
	$(TESTS)

# each worker has a browser of its own here, and waits less
soak: $(VENV)/dev.stamp browser
	SOAK=1 $(TESTS) -n 3 -m "soak or soak_alone"

check: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy -p discreet -p pages -m app
	$(BIN)/python -m pytest -q -n 0 tests/test_architecture.py tests/test_repository.py
	@$(BIN)/python tests/support/sizes.py

fuzz: $(VENV)/dev.stamp
	$(BIN)/python tests/support/evidence/fuzz.py $(MINUTES) $(if $(FILES),files)

# ONLY="plans ledgers" (kinds, or words of a name), FILES="tests/budget", STALE=1 (reach as it was before the last change)
mutate: $(VENV)/dev.stamp browser
	$(ALONE) tests/mutate/run.py --only "$(ONLY)" --files "$(FILES)" $(if $(STALE),--stale)

# build/site/index.html, to be opened from its folder or put on any web server
docs: $(DOCS)/docs.stamp $(VENV)/run.stamp
	$(BIN)/python -m docs.make_reference
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/python -m mkdocs build --strict --quiet
	@echo "The site is in build/site: open build/site/index.html."

bench: $(BENCH)/bench.stamp
	$(BENCH)/bin/python -m benchmarks $(ONLY)

spark: $(SPARK)/spark.stamp
	$(SPARK)/bin/python -m pytest -n 0 tests/spark

browser: $(VENV)/dev.stamp
	@$(BIN)/python tests/support/browser_setup.py

clean:
	rm -rf $(VENV) $(BENCH) $(SPARK) $(DOCS) build discreet.egg-info

$(VENV)/run.stamp: requirements.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Discreet needs Python 3.11 or newer.')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch $@

$(BENCH)/bench.stamp: requirements.txt requirements-bench.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.txt
	touch $@

$(SPARK)/spark.stamp: requirements.txt requirements-dev.txt requirements-spark.txt
	$(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-spark.txt
	touch $@

$(DOCS)/docs.stamp: requirements-docs.txt
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.txt
	touch $@
