"""Budget file: a SQLite file that holds one budget, for scripts and commands that run repeatedly.

All queries spend from it, whatever dataset they are about: renaming a data file, or changing a byte of it, opens no new
budget. A user who may delete the file can forget what was spent; a head of the chain that is kept elsewhere reveals it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import URL

from discreet.budget.cost import Cost, cost_of
from discreet.budget.durable.ledger import DurableLedger, open_budget
from discreet.budget.durable.store import Store
from discreet.budget.errors import ParameterError
from discreet.budget.rules import BASIC, Rule

NAME = "purse"


def open_ledger(path: str | Path, limit: Cost | float | None = None, rule: Rule = BASIC) -> DurableLedger:
    """Open the ledger of a file, or create it with a limit that is final."""
    file = Path(path).absolute()
    limit = None if limit is None else cost_of(limit)
    if limit is None and not file.exists():
        raise ParameterError("No ledger exists at this path. Give its limit to create it there.")
    if file.exists() and not _ours(file, limit is not None):
        raise ParameterError("This file is not a single ledger of this kind. Choose another path.")
    store = store_of(file).prepare()
    return DurableLedger(store, NAME) if limit is None else open_budget(store, NAME, limit, rule)


def store_of(path: str | Path) -> Store:
    """Return the database in a file."""
    url = URL.create("sqlite", database=str(Path(path).absolute()))
    return Store(url.render_as_string(hide_password=False))


def _ours(file: Path, beginning: bool) -> bool:
    """Return whether a file is empty or holds this one budget; the check writes nothing."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            if "budgets" not in tables:
                return not tables and beginning
            names = {name for (name,) in connection.execute("SELECT id FROM budgets")}
    except sqlite3.DatabaseError:
        return False
    return names == {NAME} or (not names and beginning)
