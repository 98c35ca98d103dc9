"""Imports are light: who only reads rows does not load noise, ledgers, migrations or screens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("alembic", "opendp", "plotly", "scipy.signal", "scipy.stats", "sqlalchemy", "streamlit")
KERNELS = (
    "arrow_stream",
    "cells",
    "cluster",
    "columns",
    "counts",
    "dataset",
    "files",
    "filters",
    "folder",
    "hashing",
    "kernel",
    "lots",
    "persons",
    "reading",
    "schema",
    "source",
    "spark",
    "task",
)
LOADED = "import sys; print(*(name for name in sys.argv[1:] if name in sys.modules))"


def loaded(statement: str, *names: str) -> list[str]:
    """Return which of the named modules a fresh process holds after a statement."""
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\n{LOADED}", *names], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_all_reading_kernels_together_load_nothing_heavy() -> None:
    """So none of them does by itself: what one imports, a process that imports all of them has."""
    every = ", ".join(f"discreet.rows.{name}" for name in KERNELS)
    assert loaded(f"import discreet.queries, {every}", "scipy", *HEAVY) == []


@pytest.mark.soak
@pytest.mark.soak_alone
@pytest.mark.parametrize("name", KERNELS)
def test_a_reading_kernel_loads_nothing_heavy(name: str) -> None:
    """The workers of a cluster import it, each anew. In `make test` the test above imports them at once."""
    assert loaded(f"import discreet.queries, discreet.rows.{name}", "scipy", *HEAVY) == []


def test_mechanisms_and_the_one_road_load_no_database_and_no_screen() -> None:
    """A release in memory needs noise, but neither ledgers on disk nor the whole of SciPy."""
    said = "from discreet.curator import Curator; from discreet.mechanisms import registry"
    assert loaded(said, *HEAVY) == ["opendp"]


def test_the_office_begins_without_the_whole_of_scipy() -> None:
    """Every server and every command would wait for it: half a second for one chance."""
    assert loaded("import discreet.office.__main__, discreet.office.desk, discreet.ui.office", "scipy.stats") == []


def test_a_heavy_import_would_be_seen() -> None:
    """The check is able to fail."""
    assert loaded("import discreet.budget.durable", *HEAVY) == ["alembic", "sqlalchemy"]
