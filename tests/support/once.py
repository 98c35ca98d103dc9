"""Once: what a process of tests would do anew for each: compile scripts and statements, make tables of the house."""

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

LAST = 0.01  # seconds: a run that has not ended by now is late


def once() -> None:
    """Keep from here on what is the same for every test, and let no later collection of garbage look at it."""
    if "streamlit.testing.v1" in sys.modules:
        _screens()
    if "discreet.budget.durable.store" in sys.modules:
        _statements()
        _tables()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


class Nobody:
    """The server that AppTest has none of: a mock of all that one can is made for each word that is asked of it."""

    def __init__(self, spec: type) -> None:
        """Be like one."""
        self._spec = spec

    def get_client(self, _: str) -> None:
        """Know of no browser: nobody has cookies or headers."""

    def __getattr__(self, name: str) -> Any:
        """Do, as a mock does, whatever else a server can."""
        return getattr(MagicMock(spec=self._spec), name)


def _screens() -> None:
    """AppTest looks for components among all packages, compiles a script and mocks a server for each run of a screen.

    It also looks a thousand times a second whether a run has ended, and stops it for that.
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
    """Every house compiles its statements for its own engine; those of one kind of server are the same."""
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
    """A new SQLite file gets the tables that the migrations made once; a copy of this process lets them make others."""
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
    """Return all that a statement is compiled for."""
    settings = (getattr(dialect, name, None) for name in ("server_version_info", "_backslash_escapes"))
    return (type(dialect), *settings)
