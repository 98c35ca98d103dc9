"""Once: caches of what a process would repeat for each test: compiled scripts and statements, tables of an office."""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
from contextlib import closing
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import MagicMock

LAST = 0.01  # seconds: a run that has not ended by then is late


def once() -> None:
    """Install the caches, and exclude the objects so far from garbage collection."""
    if "streamlit.testing.v1" in sys.modules:
        _screens()
    if "discreet.budget.durable.store" in sys.modules:
        _statements()
        _tables()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


class Nobody:
    """The server that AppTest does not have: faster than a mock, which is made for each attribute."""

    def __init__(self, spec: type) -> None:
        """Accept the arguments of a mock."""
        self._spec = spec

    def get_client(self, _: str) -> None:
        """Return no browser: there are no cookies or headers."""

    def __getattr__(self, name: str) -> Any:
        """Return a no-op for any other method of a server."""
        return getattr(MagicMock(spec=self._spec), name)


def _screens() -> None:
    """Cache what AppTest repeats in each run: the search for components, compiled scripts and the mocked server.

    It also checks a thousand times a second whether a run has ended, which is replaced.
    """
    from streamlit.components.v2 import manifest_scanner
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.testing.v1 import app_test, local_script_runner

    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    scripts, look = ScriptCache(), local_script_runner.require_widgets_deltas

    def wait(runner: Any, timeout: float = 3) -> None:
        runner._script_thread.join(timeout)
        look(runner, LAST)

    local_script_runner.require_widgets_deltas = wait
    local_script_runner.ScriptCache = lambda: scripts  # type: ignore[misc,assignment]
    app_test.MagicMock = Nobody  # type: ignore[misc,assignment]


def _statements() -> None:
    """Share compiled statements between the engines of one kind of database."""
    from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
    from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
    from sqlalchemy.util import LRUCache

    from discreet.budget.durable import store

    statements: LRUCache[Any, Any] = LRUCache(2000)
    plain = store.create_engine

    def sharing(*address: Any, **settings: Any) -> Any:
        engine = plain(*address, **settings)
        engine._compiled_cache = statements
        return engine

    store.create_engine = sharing
    for dialect in (PGDialect_psycopg, SQLiteDialect_pysqlite):
        dialect.__eq__ = lambda mine, other: _sort(mine) == _sort(other)  # type: ignore[method-assign,assignment]
        dialect.__hash__ = lambda mine: hash(type(mine))  # type: ignore[method-assign,assignment]


def _tables() -> None:
    """Copy the tables of one migration into each new SQLite file; a fork of this process runs the migrations itself."""
    from discreet.budget.durable import Store

    migrate, mine = Store.upgrade, os.getpid()

    @cache
    def model(*histories: Any) -> sqlite3.Connection:
        memory = sqlite3.connect(":memory:", check_same_thread=False)
        with TemporaryDirectory() as folder:
            store = Store(f"sqlite:///{folder}/model.db", None, *histories)
            migrate(store)
            store.close()
            with closing(sqlite3.connect(f"{folder}/model.db")) as file:
                file.backup(memory)
        return memory

    def upgrade(store: Store) -> None:
        if not store.lite or os.getpid() != mine:
            return migrate(store)
        with closing(store.engine.raw_connection()) as held:
            file: Any = held.driver_connection
            new = not file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if new:
                model(*store.histories[1:]).backup(file)
        return None if new else migrate(store)

    Store.upgrade = upgrade  # type: ignore[method-assign]


def _sort(dialect: Any) -> tuple[Any, ...]:
    """Return everything that a statement is compiled for."""
    settings = (getattr(dialect, name, None) for name in ("server_version_info", "_backslash_escapes"))
    return (type(dialect), *settings)
