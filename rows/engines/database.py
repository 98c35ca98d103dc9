"""Database: how it is opened for looking only, how a table is found, as what its columns are read."""

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

# Selecting: how cells of a database are asked for, and what they are when they come.

TEXT = pa.large_string()
EXACT = pa.decimal128(38)
ANY = None
TEXTS = (TEXT, EXACT)  # what comes as texts
WRITTEN: dict[Any, Any] = {pa.float64(): sa.Double(), pa.int64(): sa.BigInteger(), pa.bool_(): sa.Boolean()}
STORED = 16 * LONGEST  # bytes in which a database keeps a cell whose text may be short enough
WIDE = 2 * LONGEST  # in UTF-16, which SQLite may keep texts in


def select(schema: str, name: str, columns: dict[str, Any], most: int | None) -> Any:
    """Return the question for columns of a table; all names are quoted by SQLAlchemy."""
    cells: list[Any] = [sa.column(_quoted(column)) for column in columns]
    table = sa.table(_quoted(name), *cells, schema=_quoted(schema))
    kinds = zip(table.c, columns.values(), strict=True)
    asked = [_as(cell, kind).label(f"c{at}") for at, (cell, kind) in enumerate(kinds)]
    return sa.select(*asked).select_from(table).limit(most)


def _as(cell: Any, kind: Any) -> Any:
    """Return a cell in the type that it is read as; a short float is the number that it is written as."""
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
    """Return an exact number as a file's typed cells are: a fraction has an exponent."""
    number = sa.func.nullif(written, sa.literal_column("'NaN'"))
    return sa.case((number.like("%.%"), sa.func.concat(number, "E0")), else_=number)


def _short(cell: Any, written: Any) -> Any:
    """Return the text of a cell; one that is too long is neither unpacked nor written."""
    short = sa.case((sa.func.octet_length(written) <= _public(LONGEST), written))
    return sa.case((sa.func.pg_column_size(cell) <= _public(STORED), short))


def _public(number: int) -> Any:
    """Return a number that may stand in a statement, which is logged."""
    return sa.literal_column(str(number))


def pieces(db: sa.Connection, asked: Any, size: int) -> Iterator[list[list[Any]]]:
    """Stream the answer to a question: columns of so many rows at a time."""
    result = db.execute(asked, execution_options={"stream_results": True, "yield_per": size})
    columns = [itemgetter(at) for at in range(len(result.keys()))]
    for rows in result.partitions():
        yield [list(map(column, rows)) for column in columns]


def _quoted(name: str) -> sa.quoted_name:
    return sa.quoted_name(name, quote=True)


def array(cells: Sequence[Any], kind: Any) -> Any:
    """Return the cells of a column as they were declared."""
    if kind is ANY:
        return _texts(cells)
    return pa.array(cells, {pa.float32(): pa.float64(), EXACT: TEXT}.get(kind, kind))


def _texts(cells: Sequence[Any]) -> Any:
    """Return cells as text, the fast ways first; all ways give every cell the same text."""
    types = set(map(type, cells)) - {type(None)}
    if types == {int}:
        return pa.array(cells, pa.int64()).cast(TEXT)
    if types <= {str}:
        try:
            return pa.array(cells, TEXT)
        except UnicodeEncodeError:
            pass  # some cell is no text
    return pa.array([_text(cell) for cell in cells], TEXT)


def _text(cell: Any) -> str | None:
    """Write one cell as text: 5.0 is 5; bytes, and text that is no text, are missing."""
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


# Copying: cells of PostgreSQL come as Arrow batches, at the moment that another transaction sees.

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
