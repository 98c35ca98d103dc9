"""Database: opening it read-only, finding a table, and the types in which its columns are read."""

from __future__ import annotations

import re
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import DOMAIN
from sqlalchemy.engine import URL
from sqlalchemy.exc import SAWarning
from sqlalchemy.pool import NullPool

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.capacity import MIB
from discreet.rows.cells import LONGEST
from discreet.rows.files.typed import typed
from discreet.rows.intake.parser import Unreachable

# --- Selecting: how cells are queried, and their types in the result ---

TEXT = pa.large_string()
EXACT = pa.decimal128(38)
ANY = None
TEXTS = (TEXT, EXACT)  # types that are returned as texts
WRITTEN: dict[Any, Any] = {pa.float64(): sa.Double(), pa.int64(): sa.BigInteger(), pa.bool_(): sa.Boolean()}
STORED = 16 * LONGEST  # bytes in which a database stores a cell whose text may be short enough
WIDE = 2 * LONGEST  # in UTF-16, in which SQLite may store texts


def select(schema: str, name: str, columns: dict[str, Any], most: int | None) -> Any:
    """Return the query for columns of a table; all names are quoted by SQLAlchemy."""
    cells: list[Any] = [sa.column(_quoted(column)) for column in columns]
    table = sa.table(_quoted(name), *cells, schema=_quoted(schema))
    kinds = zip(table.c, columns.values(), strict=True)
    asked = [_as(cell, kind).label(f"c{at}") for at, (cell, kind) in enumerate(kinds)]
    return sa.select(*asked).select_from(table).limit(most)


def _as(cell: Any, kind: Any) -> Any:
    """Return a cell in the type as which it is read; a float4 is the decimal number that it is written as."""
    if kind is ANY:
        return sa.case((sa.func.length(sa.cast(cell, sa.LargeBinary)) <= _public(WIDE), cell))
    if kind == pa.null():
        return sa.cast(sa.null(), sa.Text)
    if kind in WRITTEN:
        return sa.cast(cell, WRITTEN[kind])
    written = sa.cast(cell, sa.Text)
    if kind == pa.float32():
        return sa.cast(written, sa.Double)
    return _short(cell, _exact(written) if kind == EXACT else written)


def _exact(written: Any) -> Any:
    """Return an exact number as a file's typed cells are written: a fraction has an exponent."""
    number = sa.func.nullif(written, sa.literal_column("'NaN'"))
    return sa.case((number.like("%.%"), sa.func.concat(number, "E0")), else_=number)


def _short(cell: Any, written: Any) -> Any:
    """Return the text of a cell, or null; one that is too long is neither decompressed nor formatted."""
    short = sa.case((sa.func.octet_length(written) <= _public(LONGEST), written))
    return sa.case((sa.func.pg_column_size(cell) <= _public(STORED), short))


def _public(number: int) -> Any:
    """Return a number as SQL text, for public numbers only: statements are logged."""
    return sa.literal_column(str(number))


def pieces(db: sa.Connection, asked: Any, size: int) -> Iterator[list[list[Any]]]:
    """Stream the result of a query, as columns of `size` rows at a time."""
    result = db.execute(asked, execution_options={"stream_results": True, "yield_per": size})
    columns = [itemgetter(at) for at in range(len(result.keys()))]
    for rows in result.partitions():
        yield [list(map(column, rows)) for column in columns]


def _quoted(name: str) -> sa.quoted_name:
    return sa.quoted_name(name, quote=True)


def array(cells: Sequence[Any], kind: Any) -> Any:
    """Return the cells of a column in its declared type."""
    if kind is ANY:
        return _texts(cells)
    return pa.array(cells, {pa.float32(): pa.float64(), EXACT: TEXT}.get(kind, kind))


def _texts(cells: Sequence[Any]) -> Any:
    """Return cells as text, fast paths first; all paths give the same text."""
    types = set(map(type, cells)) - {type(None)}
    if types == {int}:
        return pa.array(cells, pa.int64()).cast(TEXT)
    if types <= {str}:
        try:
            return pa.array(cells, TEXT)
        except UnicodeEncodeError:
            pass  # some cell is not a text
    return pa.array([_text(cell) for cell in cells], TEXT)


def _text(cell: Any) -> str | None:
    """Write one cell as text: 5.0 is 5; bytes, and text that is not valid, are missing."""
    if isinstance(cell, float):
        return typed(cell)
    if isinstance(cell, int):
        return str(cell)
    if not isinstance(cell, str):
        return None
    return None if any("\ud800" <= sign <= "\udfff" for sign in cell) else cell


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
OFFICE = ("acts", "attempts", "budgets", "lines")  # tables that only an office's database has
UNREACHABLE = Phrase(
    "The table cannot be read. Check the address, password and permissions, or ask the database administrator."
)


def engine(address: URL) -> sa.Engine:
    """Return an engine whose transactions are read-only snapshots. It keeps no connection open."""
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
    """Return whether an address leads to another machine; sockets begin with a slash."""
    host = address.host or str(address.query.get("host", ""))
    return address.drivername != LITE and not host.startswith("/") and host not in LOOPBACK


def verified(address: URL) -> bool:
    """Return whether a connection is protected against eavesdropping and impersonation."""
    return not _remote(address) or address.query.get("sslmode", "verify-full") == "verify-full"


def precautions(address: URL) -> dict[str, str | int]:
    """Return the connection options of a server: a timeout, and UTF-8.

    Another machine is used only while its certificate is verified, never without encryption, and a password is never
    sent in plain text to a server that asks for it.
    """
    always: dict[str, str | int] = {"connect_timeout": PATIENCE, "client_encoding": "UTF8"}
    if not _remote(address):
        return always
    return always | {"sslmode": "verify-full", "require_auth": "scram-sha-256"}


def _lite(file: Path) -> sa.Engine:
    uri = file.as_uri() + "?mode=rw"  # a missing file is not created

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
    """Open one snapshot of a database; every failure becomes one sentence without details."""
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
    """Set the output format of cells, whatever the user's or server's defaults are."""
    settings = [sa.func.set_config(name, value, True) for name, value in SETTINGS.items()]
    row = db.execute(sa.select(sa.func.current_setting("server_encoding"), *settings)).one()
    if row[0] != "UTF8":  # in other encodings one cell can abort the reading
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
        raise ParameterError("No table or view has this name, or several do. Write name or schema.name.")
    return places.pop()


def refuse_office(db: sa.Connection) -> None:
    """Raise ParameterError for the database of an office, which contains no data."""
    if _is_office(db):
        raise ParameterError("This is Discreet's own database. Choose another one.")


def _is_office(db: sa.Connection) -> bool:
    """Return whether a database is that of an office: by its tables, not by its name.

    This detects a copy, a link and another spelling of its address, too. Every user who may read the tables may read
    their names.
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
    """Return the columns with the type in which each is read: by its declared type, never by its cells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # for types that SQLAlchemy does not know
        columns = sa.inspect(db).get_columns(name, schema)
    lite = db.dialect.name == LITE
    return {column["name"]: ANY if lite else _kind(column["type"]) for column in columns}


def _kind(declared: Any) -> Any:
    while isinstance(declared, DOMAIN):
        declared = declared.data_type
    if isinstance(declared, sa.LargeBinary):
        return pa.null()
    return next((arrow for kind, arrow in TYPED if isinstance(declared, kind)), TEXT)


# --- Copying: cells of PostgreSQL as Arrow batches, from the snapshot of another transaction ---

DRIVER = "adbc_driver_postgresql"
PIECE = 16 * MIB  # of cells in transit at a time
SNAPSHOT = re.compile(r"[0-9A-Fa-f-]+")
PLAIN: Any = postgresql.dialect(paramstyle="named")  # type: ignore[no-untyped-call]  # percent signs stay single


def possible(db: sa.Connection) -> bool:
    """Return whether the driver is installed; without it rows are read one by one."""
    return db.dialect.name != LITE and find_spec(DRIVER) is not None


def batches(db: sa.Connection, asked: Any) -> Iterator[pa.RecordBatch]:
    """Copy the result of a query, from the snapshot of the transaction of `db`."""
    import adbc_driver_postgresql.dbapi as driver  # an extra, imported where it is used

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
    """Return the address of a database with these precautions, in libpq's format."""
    from psycopg.conninfo import make_conninfo

    named = {**opened.dialect.create_connect_args(opened.url)[1], **precautions(opened.url)}
    return make_conninfo(**{name: value for name, value in named.items() if name != "context"})
