"""Budget file: a SQLite file that holds one budget, for scripts and commands that run repeatedly.

All queries spend from it, whatever dataset they are about: renaming a data file, or changing a byte of it, opens no new
budget. A user who may delete the file can forget what was spent; a head of the chain that is kept elsewhere reveals it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cached_property
from pathlib import Path

from sqlalchemy import URL, Column, MetaData, Table, Text, insert, select

from discreet.budget.cost import Cost, cost_of
from discreet.budget.durable.ledger import DurableLedger, open_budget
from discreet.budget.durable.store import MIGRATIONS, History, Store
from discreet.budget.errors import ParameterError
from discreet.budget.ledger import new_secret
from discreet.budget.rules import BASIC, Rule

NAME = "purse"
HISTORY = History(MIGRATIONS / "file", "file_version")
secrets = Table("secrets", MetaData(), Column("budget", Text, primary_key=True), Column("secret", Text, nullable=False))


class FileLedger(DurableLedger):
    """The ledger of a budget file."""

    @cached_property
    def secret(self) -> str:
        """What the ids of results are made of besides the query: an id alone must not confirm a guess of the rows."""
        wanted = select(secrets.c.secret).filter_by(budget=NAME)
        with self._store.writing(NAME) as connection:
            found = connection.execute(wanted).scalar()
            if found is None:
                found = new_secret()
                connection.execute(insert(secrets).values(budget=NAME, secret=found))
        return str(found)


def open_ledger(path: str | Path, limit: Cost | float | None = None, rule: Rule = BASIC) -> FileLedger:
    """Open the ledger of a file, or create it with a limit that is final."""
    file = Path(path).absolute()
    limit = None if limit is None else cost_of(limit)
    if limit is None and not file.exists():
        raise ParameterError("No ledger exists at this path. Give its limit to create it there.")
    if file.exists() and not _ours(file, limit is not None):
        raise ParameterError("This file is not a single ledger of this kind. Choose another path.")
    store = store_of(file, HISTORY).prepare()
    if limit is not None:
        open_budget(store, NAME, limit, rule)
    return FileLedger(store, NAME)


def store_of(path: str | Path, *others: History) -> Store:
    """Return the database in a file; `others` are tables that lie beside those of the ledger."""
    url = URL.create("sqlite", database=str(Path(path).absolute()))
    return Store(url.render_as_string(hide_password=False), None, *others)


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
