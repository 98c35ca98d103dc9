"""Imports are light: who only reads rows does not load noise, ledgers, migrations or screens."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("alembic", "opendp", "plotly", "scipy.optimize", "scipy.signal", "scipy.stats", "sqlalchemy", "streamlit")
KERNELS = (
    "cells",
    "columns",
    "counting",
    "dataset",
    "engines.arrow",
    "engines.cluster",
    "engines.folder",
    "engines.spark",
    "files",
    "filters",
    "identifiers",
    "intake.opening",
    "kernel",
    "persons",
    "schema",
    "source",
)
LOADED = "import sys; print(*(name for name in sys.argv[1:] if name in sys.modules))"
# one after the other in one process: what is not there after a later one was not there after an earlier one
STEPS = {
    "kernels": "import discreet.queries, " + ", ".join(f"discreet.rows.{name}" for name in KERNELS),
    "road": "from discreet.curator import Curator; from discreet.mechanisms import registry",
    "ledgers": "import discreet.budget.durable",
    "office": "import discreet.office.terminal.safety, discreet.office.desk.asking, discreet.ui.office",
}


def loaded(statement: str, *names: str) -> list[list[str]]:
    """Return which of the named modules a fresh process holds after each line of a statement."""
    lines = "\n".join(f"{line}\n{LOADED}" for line in statement.split("\n"))
    done = subprocess.run([sys.executable, "-c", lines, *names], cwd=ROOT, capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def held() -> dict[str, list[str]]:
    """Return what is there after each step."""
    return dict(zip(STEPS, loaded("\n".join(STEPS.values()), "scipy", *HEAVY), strict=True))


def test_all_reading_kernels_together_load_nothing_heavy(held: dict[str, list[str]]) -> None:
    """So none of them does by itself: what one imports, a process that imports all of them has."""
    assert held["kernels"] == []


@pytest.mark.soak_alone
@pytest.mark.parametrize("name", KERNELS)
def test_a_reading_kernel_loads_nothing_heavy(name: str) -> None:
    """The workers of a cluster import it, each anew. In `make test` the test above imports them at once."""
    assert loaded(f"import discreet.queries, discreet.rows.{name}", "scipy", *HEAVY) == [[]]


def test_mechanisms_and_the_one_road_load_no_database_and_no_screen(held: dict[str, list[str]]) -> None:
    """A release in memory needs noise, but neither ledgers on disk nor the whole of SciPy."""
    assert held["road"] == ["scipy", "opendp"]


def test_the_office_begins_without_the_whole_of_scipy(held: dict[str, list[str]]) -> None:
    """Every server and every command would wait for it: half a second for one chance; a solver, less."""
    assert not {"scipy.stats", "scipy.optimize"} & set(held["office"])


def test_a_command_of_the_office_loads_what_it_needs() -> None:
    """Its help nothing of ours but the reading of words; accounts, health and the trail no rows and no mechanisms."""
    help_, accounts = loaded(
        "import discreet.office.__main__ as office; office._parser().format_help()\n"
        "import discreet.office.running.settings, discreet.office.terminal.people, discreet.office.terminal.status",
        *("numpy", "pandas", "pyarrow", "scipy", "sqlalchemy", "opendp", "streamlit", "argon2", "discreet.budget"),
    )
    assert help_ == [] and accounts == ["numpy", "sqlalchemy", "argon2", "discreet.budget"]


def test_a_notebook_loads_no_database_and_no_screen() -> None:
    """A budget in memory needs none; the name of the package alone loads nothing."""
    alone, opened = loaded("import discreet\nimport discreet.analysis", "numpy", *HEAVY)
    assert alone == [] and not {"alembic", "plotly", "sqlalchemy", "streamlit"} & set(opened)


def test_a_heavy_import_would_be_seen(held: dict[str, list[str]]) -> None:
    """The check is able to fail."""
    assert held["ledgers"] == ["scipy", "alembic", "opendp", "sqlalchemy"]


WARM = """
import app, asyncio, os, sys
async def begun():
    async with app.warm(None):
        print("loaded", *(name for name in sys.argv[1:] if name in sys.modules), flush=True)
        os._exit(0)
asyncio.run(begun())
"""


def test_a_server_has_its_first_screens_before_anybody_waits_for_them(tmp_path: Path) -> None:
    """No page imports them while somebody looks: who comes first would wait for that."""
    first = ("discreet.ui.ask.page", "discreet.ui.ask.how_it_works", "discreet.ui.data.upload")
    command = [sys.executable, "-c", WARM, *first]
    env = {"PATH": os.environ["PATH"], "DISCREET_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1].split() == ["loaded", *first], done.stderr
