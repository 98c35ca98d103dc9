"""Copying: cells of PostgreSQL come as Arrow batches, at the moment that another transaction sees.

A connection of its own copies the rows out in binary, so that no cell becomes an object of Python.
It has the same address and the same precautions, and cannot write. Only types come like this of which
every value has a place in Arrow; the question itself brings all others into text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import Any

import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from discreet.rows.capacity import MIB
from discreet.rows.database import LITE, SETTINGS, UNREACHABLE, precautions
from discreet.rows.refusals import Unreachable

DRIVER = "adbc_driver_postgresql"
PIECE = 16 * MIB  # of cells on their way at the same time
SNAPSHOT = re.compile(r"[0-9A-Fa-f-]+")
PLAIN: Any = postgresql.dialect(paramstyle="named")  # type: ignore[no-untyped-call]  # percent signs stay single


def possible(db: sa.Connection) -> bool:
    """Say whether the driver is there; without it rows come one by one."""
    return db.dialect.name != LITE and find_spec(DRIVER) is not None


def batches(db: sa.Connection, asked: Any) -> Iterator[pa.RecordBatch]:
    """Copy the answer to a question out, as the transaction of `db` would see it."""
    import adbc_driver_postgresql.dbapi as driver  # an extra that is loaded where it is used

    snapshot = str(db.execute(sa.select(sa.func.pg_export_snapshot())).scalar_one())
    if not SNAPSHOT.fullmatch(snapshot):
        raise Unreachable(UNREACHABLE)
    question = str(asked.compile(dialect=PLAIN, compile_kwargs={"literal_binds": True}))
    with closing(driver.connect(conninfo(db.engine))) as connection:
        with closing(connection.cursor()) as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
            for name, value in SETTINGS.items():
                cursor.execute(f"SET LOCAL {name} TO '{value}'")
        with closing(connection.cursor()) as cursor:
            cursor.adbc_statement.set_options(**{"adbc.postgresql.batch_size_hint_bytes": str(PIECE)})
            cursor.execute(question)
            yield from cursor.fetch_record_batch()


def conninfo(opened: sa.Engine) -> str:
    """Return the address of a database, with the same precautions, as libpq reads it."""
    from psycopg.conninfo import make_conninfo

    named = {**opened.dialect.create_connect_args(opened.url)[1], **precautions(opened.url)}
    return make_conninfo(**{name: value for name, value in named.items() if name != "context"})
