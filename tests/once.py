"""Once: what a process of tests would do anew for each, and does for all: look for components, compile statements."""

from __future__ import annotations

import gc
import sys
from functools import cache
from typing import Any


def once() -> None:
    """Keep from here on what is the same for every test, and let no later collection of garbage look at it."""
    if "streamlit.testing.v1" in sys.modules:
        _components()
    if "discreet.budget.durable.store" in sys.modules:
        _statements()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def _components() -> None:
    """AppTest looks for components among all packages that are installed, for each screen that is opened."""
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


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


def _sort(dialect: Any) -> tuple[Any, ...]:
    """Return all that a statement is compiled for."""
    settings = (getattr(dialect, name, None) for name in ("server_version_info", "_backslash_escapes"))
    return (type(dialect), *settings)
