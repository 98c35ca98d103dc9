"""Database: how it is opened for looking only, how a table is found, as what its columns are read."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import DOMAIN
from sqlalchemy.engine import URL
from sqlalchemy.exc import SAWarning
from sqlalchemy.pool import NullPool

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows.refusals import Unreachable
from discreet.rows.selecting import ANY, EXACT, TEXT

LITE = "sqlite"
PATIENCE = 10  # seconds
SETTINGS = {
    "datestyle": "ISO, YMD",
    "intervalstyle": "postgres",
    "timezone": "UTC",
    "extra_float_digits": "1",
    "lock_timeout": "30s",
    "cursor_tuple_fraction": "1",
    "jit": "off",
}
TYPED = (
    (sa.REAL, pa.float32()),
    (sa.Float, pa.float64()),
    (sa.Numeric, EXACT),
    (sa.Integer, pa.int64()),
    (sa.Boolean, pa.bool_()),
)
SYSTEM = {"information_schema"}
LOOPBACK = ("localhost", "127.0.0.1", "::1", "")
OFFICE = ("acts", "attempts", "budgets", "lines")  # tables that only a house of ours has
UNREACHABLE = Phrase(
    "The table cannot be read now. Check address, password and rights, or ask whoever keeps the database."
)


def engine(address: URL) -> sa.Engine:
    """Return what opens transactions that see one moment and cannot write. It keeps none open."""
    if address.drivername == LITE:
        return _lite(Path(address.database or ""))
    return sa.create_engine(
        address,
        poolclass=NullPool,
        isolation_level="REPEATABLE READ",
        execution_options={"postgresql_readonly": True},
        connect_args=precautions(address),
    )


def _remote(address: URL) -> bool:
    """Say whether an address leads to another machine: sockets begin with a slash."""
    host = address.host or str(address.query.get("host", ""))
    return address.drivername != LITE and not host.startswith("/") and host not in LOOPBACK


def verified(address: URL) -> bool:
    """Say whether nobody between here and the database can read along or answer in its place."""
    return not _remote(address) or address.query.get("sslmode", "verify-full") == "verify-full"


def precautions(address: URL) -> dict[str, str | int]:
    """Return how a server is spoken to: not for ever, and in UTF-8.

    With another machine only while its certificate is verified, never in the clear; nor is a password
    sent to whoever asks for it as it is.
    """
    always: dict[str, str | int] = {"connect_timeout": PATIENCE, "client_encoding": "UTF8"}
    if not _remote(address):
        return always
    return always | {"sslmode": "verify-full", "require_auth": "scram-sha-256"}


def _lite(file: Path) -> sa.Engine:
    uri = file.as_uri() + "?mode=rw"  # a file that is missing is not made

    def connect() -> sqlite3.Connection:
        opened = sqlite3.connect(uri, timeout=PATIENCE, isolation_level=None, uri=True)
        opened.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        opened.execute("PRAGMA query_only = ON")
        opened.execute("PRAGMA trusted_schema = OFF")
        return opened

    opener = sa.create_engine("sqlite://", creator=connect, poolclass=NullPool)
    sa.event.listen(opener, "begin", lambda db: db.exec_driver_sql("BEGIN"))
    return opener


@contextmanager
def moment(opened: sa.Engine) -> Iterator[sa.Connection]:
    """Look at one moment of a database; whatever fails is one sentence without any detail."""
    try:
        with opened.connect() as db, db.begin():
            if db.dialect.name != LITE:
                _settle(db)
            yield db
    except ParameterError:
        raise
    except Exception:
        raise Unreachable(UNREACHABLE) from None


def _settle(db: sa.Connection) -> None:
    """Have cells written in one way, whatever is usual for this user or this server."""
    settings = [sa.func.set_config(name, value, True) for name, value in SETTINGS.items()]
    row = db.execute(sa.select(sa.func.current_setting("server_encoding"), *settings)).one()
    if row[0] != "UTF8":  # in other encodings one cell can end the reading
        raise ParameterError("The database must keep its text in UTF-8.")


def find(db: sa.Connection, table: str) -> tuple[str, str]:
    """Return schema and name of the one table or view that `name` or `schema.name` can mean."""
    refuse_office(db)
    inspector = sa.inspect(db)
    schemas = set(inspector.get_schema_names()) - SYSTEM
    cuts = [(table[:at], table[at + 1 :]) for at, sign in enumerate(table) if sign == "."]
    cuts.append((inspector.default_schema_name or "", table))
    places = {cut for cut in cuts if cut[0] in schemas and cut[1] in _listed(inspector, cut[0])}
    if len(places) != 1:
        raise ParameterError("The database has no single table or view of this name. Write name or schema.name.")
    return places.pop()


def refuse_office(db: sa.Connection) -> None:
    """Refuse the database of an office: its tables are no data."""
    if _is_office(db):
        raise ParameterError("This is the database of an office itself. Choose another one.")


def _is_office(db: sa.Connection) -> bool:
    """Say whether a database holds a house of ours: by its tables, not by its name.

    A copy, a link and another spelling of its address are known like this. Everybody may read the
    names of tables, whoever may read the tables.
    """
    if db.dialect.name == LITE:
        names = "SELECT name, 'main' FROM sqlite_master WHERE type = 'table'"
    else:
        names = "SELECT relname, relnamespace FROM pg_catalog.pg_class WHERE relkind IN ('r', 'p')"
    tables: dict[Any, set[str]] = {}
    for name, schema in db.exec_driver_sql(names):
        tables.setdefault(schema, set()).add(name)
    return any(set(OFFICE) <= listed for listed in tables.values())


def _listed(inspector: Any, schema: str) -> set[str]:
    listed = {*inspector.get_table_names(schema), *inspector.get_view_names(schema)}
    if inspector.dialect.name != LITE:
        listed |= set(inspector.get_materialized_view_names(schema))
    return listed


def kinds(db: sa.Connection, schema: str, name: str) -> dict[str, Any]:
    """Return the columns, and as what each is read: by its declared type, never by its cells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # about types that SQLAlchemy has no name for
        columns = sa.inspect(db).get_columns(name, schema)
    lite = db.dialect.name == LITE
    return {column["name"]: ANY if lite else _kind(column["type"]) for column in columns}


def _kind(declared: Any) -> Any:
    while isinstance(declared, DOMAIN):
        declared = declared.data_type
    if isinstance(declared, sa.LargeBinary):
        return pa.null()
    return next((arrow for kind, arrow in TYPED if isinstance(declared, kind)), TEXT)
