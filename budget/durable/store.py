"""Store: one SQLite file or one PostgreSQL database, opened, brought up to date, and locked.

Every write is one transaction that begins with a lock: SQLite takes its only writer's lock (after a
fair lock on a file beside it, so that nobody waits long), PostgreSQL the row of the budget. A write
inside a write is part of it, so that a request and its reservation are written together or not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import local
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, select
from sqlalchemy.engine import make_url

from discreet.budget.durable import tables
from discreet.budget.durable.files import PRIVATE_FILE, PRIVATE_FOLDER
from discreet.budget.durable.seals import Head, Seal

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it falls back to SQLite's own waiting
    fcntl = None  # type: ignore[assignment]

PATIENCE = 30_000  # milliseconds that SQLite waits for another writer
MIGRATIONS = Path(__file__).parent / "migrations"


class Store:
    """A database that ledgers live in."""

    def __init__(self, url: str, seal: Seal | None = None) -> None:
        """Open `sqlite:///path` or `postgresql+psycopg://...`; nothing is created yet.

        With a seal, whatever is written to a chain is sealed, and told outside once it is written.
        """
        self.seal = seal
        address = make_url(url)
        self.lite = address.get_backend_name() == "sqlite"
        self._file = Path(address.database) if self.lite and address.database else None
        self.engine = _lite(url) if self.lite else create_engine(url, pool_pre_ping=True, hide_parameters=True)
        self._looking = self.engine.execution_options(reading=True)
        if not self.lite:
            self._looking = self._looking.execution_options(isolation_level="REPEATABLE READ")
        self._mine = local()  # the transaction that this thread is in

    def prepare(self) -> Store:
        """Create the tables, or bring them up to date; safe to call from many processes."""
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
            # never open a file that is there: closing it would drop SQLite's own locks on it
            with suppress(FileExistsError):
                os.close(os.open(self._file, os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
            with suppress(OSError):  # of somebody else, or nothing can be changed there
                self._file.chmod(PRIVATE_FILE)
        with self._alone():
            with self.reading() as connection:
                revision = MigrationContext.configure(connection).get_current_revision()
            if revision != _newest():
                self.upgrade("head")
        return self

    def upgrade(self, revision: str) -> None:
        """Bring the tables to a revision."""
        config = migrations()
        with self.engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)

    @contextmanager
    def writing(self, budget: str) -> Iterator[Connection]:
        """Hold a budget for one transaction: nobody else writes to it until this one is over."""
        outer = getattr(self._mine, "connection", None)
        if outer is not None:
            self._lock(outer, budget)
            yield outer
            return
        with self._alone():
            with self.engine.begin() as connection:
                self._mine.connection, self._mine.heads = connection, {}
                try:
                    self._lock(connection, budget)
                    yield connection
                finally:
                    self._mine.connection = None
            if self.seal is not None and self._mine.heads:
                self.seal.export(self._mine.heads.values())

    def sealing(self, connection: Connection, *head: Any) -> None:
        """Seal a new place of a chain (chain, place, hash), in the transaction that writes it."""
        if self.seal is not None:
            sealed: Head = head
            self.seal.write(connection, sealed)
            self._mine.heads[sealed[0]] = sealed

    def _lock(self, connection: Connection, budget: str) -> None:
        if not self.lite:
            row = select(tables.budgets.c.id).where(tables.budgets.c.id == budget)
            connection.execute(row.with_for_update())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Look without holding anybody up; all that is read is of one moment."""
        outer = getattr(self._mine, "connection", None)
        if outer is not None:
            yield outer
            return
        with self._looking.begin() as connection:
            yield connection

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for one's turn beside a SQLite file; the lock falls with its process."""
        if self._file is None or fcntl is None:
            yield
            return
        with open(f"{self._file}.lock", "a", opener=_private) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def close(self) -> None:
        """Let all connections go."""
        self.engine.dispose()


def migrations() -> Config:
    """Return where Alembic finds all revisions."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@cache
def _newest() -> str | None:
    """Return the newest revision; reading all of them takes longer than anything else that opens a database."""
    return ScriptDirectory.from_config(migrations()).get_current_head()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


def _lite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": PATIENCE / 1000}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def careful(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # this module says where a transaction begins
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine
