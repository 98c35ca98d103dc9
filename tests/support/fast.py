"""Fast: what a process of tests would do anew for each test is done once. `FAST=0 make test` does without.

Each was measured in processor time of the tests that it is for, without what they import.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
from contextlib import closing
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any

FAST = os.environ.get("FAST") != "0"
if FAST and "PYTEST_XDIST_WORKER" in os.environ:
    gc.disable()  # until all tests are read: collections took a twentieth of that, in each worker


def hurry() -> None:
    """Replace what costs most in libraries and in the store, as far as they are loaded."""
    if not FAST:
        return
    if "streamlit.testing.v1" in sys.modules:
        _one_look_for_components()
    if "discreet.budget.durable.store" in sys.modules:
        _one_compiled_statement()
        _one_migration()
    _one_collection()


def _one_look_for_components() -> None:
    """AppTest looks through all packages for each run of a screen; without this, screens take a third more."""
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _one_compiled_statement() -> None:
    """Each house compiles its statements anew, for an engine of its own; without this, the office takes a third more.

    Dialects count as equal when all that a statement is compiled for is.
    """
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


def _sort(dialect: Any) -> tuple[Any, ...]:
    """Return all that a statement is compiled for."""
    settings = (getattr(dialect, name, None) for name in ("server_version_info", "_backslash_escapes"))
    return (type(dialect), *settings)


def _one_migration() -> None:
    """A new SQLite file is a copy of one that the migrations made; without this, ledgers and office take half more.

    A copy of this process, which may write while another one does, makes its own.
    """
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


def _one_collection() -> None:
    """No collection of garbage looks at what is there before the first test; without this, all take a tenth more."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 20, 20)
