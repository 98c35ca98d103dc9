"""Connection: a table or view of a database as a source, read in read-only transactions.

A connection is one source with one budget, whatever happens to its rows: its digest identifies the place and not the
content, and neither password, user nor spelling changes it. A view must not be able to fail on single rows (1/x, a
cast): whether an answer is refused would reveal information about such a row.
"""

from __future__ import annotations

import math
import os
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds
from discreet.rows.capacity import MIB
from discreet.rows.columns.bands import Bands
from discreet.rows.counting import Counts, Task
from discreet.rows.dataset import Dataset
from discreet.rows.engines import database
from discreet.rows.engines.address import Tabled
from discreet.rows.engines.database import LITE, TEXTS
from discreet.rows.files.typed import BATCH
from discreet.rows.filters import Filter, comparisons
from discreet.rows.intake.parser import check_header
from discreet.rows.kernel import Kernel
from discreet.rows.schema import Schema
from discreet.rows.source import Batched, Source, T

# --- Push-down: PostgreSQL groups equal cells, and one row of each group is read here like any other ---

MOST_LOTS = 2**16  # more groups are not worth it
SIDES = 4  # positions of a cell relative to what it is compared with: missing, below, equal, above
WHOLE = -(2**63)
BOTH = (pa.int64(), pa.bool_())
FLOATS = (pa.float64(), pa.float32())


def question(task: Task, where: tuple[str, str], kinds: Mapping[str, Any]) -> Any:
    """Return the SQL query for one row of each group and the group's size; None if rows are to be streamed."""
    if math.prod(lots(task, name, kind) for name, kind in kinds.items()) > MOST_LOTS or not kinds:
        return None
    floats = [at for at, kind in enumerate(kinds.values()) if kind in FLOATS]
    rows = _once(database.select(*where, dict(kinds), None), floats)
    ticks = [_tick(rows.c[at], _grid(task, at)).label(f"t{at}") for at in floats]
    ticked = _once(sa.select(*rows.c, *ticks), floats)
    keys = list[Any]()
    cells = list[Any]()
    for at, (name, kind) in enumerate(kinds.items()):
        own = _keys(task, name, kind, ticked.c[f"c{at}"], ticked.c.get(f"t{at}"))
        keys += own
        several = kind in FLOATS or _only_bands(task, name, kind)  # cells that are not equal form one group
        cells.append(sa.func.min(ticked.c[f"c{at}"]) if several else own[0])
    return sa.select(*cells, sa.func.count()).select_from(ticked).group_by(*keys)


def _once(asked: Any, floats: list[int]) -> Any:
    """Return a query as a subquery; with OFFSET 0 PostgreSQL computes its float cells only once."""
    return (asked.offset(sa.literal_column("0")) if floats else asked).subquery()


def _grid(task: Task, at: int) -> Bounds:
    grid = task.schema.columns[task.reads[at]].grid
    assert grid is not None
    return grid


def lots(task: Task, name: str, kind: Any) -> float:
    """Return how many groups the cells of a column form at most, by its type and declaration alone."""
    grid = task.schema.columns[name].grid
    sides = SIDES ** len(_filters(task, name))
    bands = math.prod(len(task.factor(by).labels) + 1 for by in _bands(task, name))
    if task.how_read and name in task.by:
        return math.inf  # cells that count alike are not equal
    if name in task.schema.categories:
        return math.inf if kind in FLOATS else len(task.schema.category(name).labels) + 1
    if grid is None:
        return math.inf
    if _only_bands(task, name, kind):
        return bands
    if kind in BOTH:
        lower, upper = _whole(grid)
        return upper - lower + 2
    if kind in FLOATS:
        return grid.top + 2 if name in task.on_ticks else bands * sides
    return math.inf if kind in TEXTS else 1


def batches(asked: Iterator[list[list[Any]]], kinds: Mapping[str, Any]) -> Iterator[Any]:
    """Yield one row of each group as batches, and the sizes of the groups."""
    for *columns, rows in asked:
        read = zip(kinds.items(), columns, strict=True)
        cells = {name: database.array(values, kind) for (name, kind), values in read}
        yield pa.record_batch(cells), rows


def _keys(task: Task, name: str, kind: Any, cell: Any, tick: Any) -> list[Any]:
    """Return the expressions that are equal for all rows of a group in a column."""
    grid = task.schema.columns[name].grid
    if kind in TEXTS:
        return [cell.collate("C")]
    if _only_bands(task, name, kind):
        return [_band(cell, task, by, whole=True) for by in _bands(task, name)]
    if kind == pa.int64() and grid is not None:
        return [_moved(cell, *_whole(grid))]
    if kind not in FLOATS:
        return [cell]
    if name in task.on_ticks:
        return [tick]
    sides = [_side(tick, task, condition) for condition in _filters(task, name)]
    return [*sides, *(_band(tick, task, by) for by in _bands(task, name))]


def _filters(task: Task, name: str) -> list[Filter]:
    return [each for each in comparisons(task.where) if each.column == name]


def _bands(task: Task, name: str) -> list[Bands]:
    return [by for by in task.by if isinstance(by, Bands) and by.column == name]


def _only_bands(task: Task, name: str, kind: Any) -> bool:
    """Return whether nothing but the bands of a column of whole numbers matters, which are found without ticks."""
    grid = task.schema.columns[name].grid
    alone = name not in task.on_ticks and not _filters(task, name) and bool(_bands(task, name))
    return alone and kind == pa.int64() and grid is not None and grid.integer


def _band(number: Any, task: Task, bands: Bands, whole: bool = False) -> Any:
    """Return how many bands begin at a tick, or a `whole` number, or below: its band; null for null."""
    declared = task.schema.number(bands.column)
    starts = declared.cuts(bands.edges, bands.every).starts
    kind: Any = sa.BigInteger() if whole else sa.Double()
    values = [int(declared.bounds.exact(start)) if whole else float(start) for start in starts]
    return sa.func.width_bucket(number, sa.literal(values, postgresql.ARRAY(kind)))


def _whole(grid: Bounds) -> tuple[int, int]:
    """Return the integers around the bounds, within the range of the column type."""
    return max(math.floor(grid.lower), WHOLE), min(math.ceil(grid.upper), -WHOLE - 1)


def _moved(cell: Any, lower: int, upper: int) -> Any:
    """Clamp an integer to the bounds; null stays null."""
    low, high = (sa.literal(end, sa.BigInteger()) for end in (lower, upper))
    return sa.case((cell <= low, low), (cell >= high, high), else_=cell)


def _tick(cell: Any, grid: Bounds) -> Any:
    """Return the tick of a float, as `Bounds` computes it; null where there is none.

    Rows near the lower bound are not divided: PostgreSQL aborts a query in which a quotient is too small for a double,
    and one row must not abort it.
    """
    lower, upper, step, half = (_float(number) for number in (grid.lower, grid.upper, grid.resolution, 0.5))
    inside = sa.case((cell <= lower, lower), (cell >= upper, upper), else_=cell)
    above = (sa.func.floor(inside) if grid.integer else inside) - lower
    cells = sa.case((above < _float(float(grid.resolution) / 4), _float(0.0)), else_=above / step)
    tick = sa.func.floor(sa.func.least(cells if grid.integer else cells + half, _float(grid.top)))
    no_number = [(cell == _float(odd), sa.null()) for odd in (math.nan, math.inf, -math.inf)]
    return sa.case(*no_number, (cell.is_(None), sa.null()), else_=tick)


def _side(tick: Any, task: Task, condition: Filter) -> Any:
    """Return whether a tick is below, at or above the right side of a comparison, whichever comparison it is."""
    declared = task.schema.number(condition.column)
    number = declared.number(condition.value)
    grid = declared.bounds
    assert number is not None

    def first(comparison: str) -> int:
        ticks = range(grid.top + 1)
        return bisect_left(ticks, True, key=lambda t: bool(declared.compared(grid.value(t), comparison, number)))

    at, beyond = (_float(first(comparison)) for comparison in (">=", ">"))
    return sa.case((tick.is_(None), sa.null()), (tick < at, 0), (tick < beyond, 1), else_=2)


def _float(number: float) -> Any:
    return sa.literal(float(number), sa.Double())


POSTGRES = "postgresql+psycopg"
PORT = 5432
SHORT = "postgresql://"  # as people write it, without naming our driver
JOINER = "\u2060"  # in addresses copied from a screen, which uses it to prevent links
OPTIONS = {"host", "sslmode", "sslrootcert"}  # other options name files, passwords or other servers
PIECE = 2**13  # rows that are Python objects at a time
HEAVY = 8 * MIB  # bytes of cells that make a batch, however few rows they are


@dataclass(frozen=True, repr=False)
class DatabaseSource(Tabled):
    """The address of a database, with its password, and one table or view of it."""

    format: ClassVar[str] = "connection"
    schemes: ClassVar[tuple[str, ...]] = (LITE, "postgresql")
    unreadable: ClassVar[Phrase] = Phrase("This connection cannot be read.")

    def __post_init__(self) -> None:
        """Raise ParameterError for addresses of any other kind, before anything is opened."""
        if not isinstance(self.table, str) or not self.table.strip():
            raise ParameterError("Enter one table or view of the database.")
        if isinstance(self.url, str):
            object.__setattr__(self, "url", _typed(self.url))
        try:
            address = make_url(self.url) if isinstance(self.url, str) else None
            good = address is not None and (_is_file(address) or _is_server(address))
        except (ArgumentError, ValueError):
            good = False
        if not good:
            raise ParameterError(
                "This is not a database address. Write sqlite:////folder/file or "
                "postgresql://user:password@host/database."
            )

    def __repr__(self) -> str:
        """Show the address without its password."""
        return f"Connection({self.address.render_as_string(hide_password=True)!r}, {self.table!r})"

    @property
    def address(self) -> URL:
        """The address in parts."""
        return make_url(self.url)

    @property
    def identity(self) -> tuple[Any, ...]:
        """The database and the table."""
        return place(self.address), self.table

    @property
    def bare(self) -> DatabaseSource:
        """The address without name and password."""
        address = self.address._replace(username=None, password=None)
        return DatabaseSource(address.render_as_string(hide_password=False), self.table)

    def source(self) -> TableSource:
        """Return the source; nothing is opened before it is needed."""
        return TableSource(self)

    def knock(self) -> None:
        """Check that the database answers; no table is read."""
        with database.moment(database.engine(self.address)):
            return


def _typed(url: str) -> str:
    """Return the intended address, however it was typed or copied."""
    plain = url.replace(JOINER, "")
    return f"{POSTGRES}://{plain.removeprefix(SHORT)}" if plain.startswith(SHORT) else plain


def place(address: URL) -> tuple[str | int, ...]:
    """Return the database of an address, independent of its spelling and user."""
    if address.get_backend_name() == LITE:
        return LITE, str(Path(address.database or "").resolve())
    host = address.host or str(address.query.get("host", "")).rstrip("/")
    return "postgresql", host.lower(), address.port or PORT, address.database or ""


def _is_file(address: URL) -> bool:
    file = address.database or ""
    bare = not (address.query or address.host or address.username or address.password)
    return address.drivername == LITE and bare and "\0" not in file and Path(file).is_absolute()


def _settled(folder: str) -> bool:
    """Return whether a folder is an absolute path in its normal form."""
    return folder[:1] == "/" and os.path.normpath(folder) == (folder.rstrip("/") or "/")


def _is_server(address: URL) -> bool:
    options = dict(address.query)
    plain = set(options) <= OPTIONS and all(isinstance(value, str) for value in options.values())
    folder = str(options.get("host", ""))
    single = "," not in (address.host or "") + folder  # the members of a list would be tried in turn
    socket = "host" not in options or (not address.host and _settled(folder))
    return single and address.drivername == POSTGRES and bool(address.database) and plain and socket


class TableSource(Batched):
    """Rows of a table or view, streamed. Each method uses one read-only snapshot."""

    def __init__(self, connection: DatabaseSource) -> None:
        """Take a connection; nothing is opened before it is needed."""
        self.connection = connection
        self._engine = database.engine(connection.address)

    def __repr__(self) -> str:
        """Show the connection without its password."""
        return f"TableSource({self.connection!r})"

    @property
    def where(self) -> DatabaseSource:
        """The address of the rows."""
        return self.connection

    @property
    def types(self) -> dict[str, pa.DataType]:
        """Empty: a database's own column types give no information here."""
        return {}

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns, as they were when first requested."""
        with database.moment(self._engine) as db:
            names = list(database.kinds(db, *database.find(db, self.connection.table)))
        check_header(names)
        return names

    @property
    def digest(self) -> str:
        """A hash of where the rows are stored: they may change, their budget does not."""
        return self.connection.digest

    def settled(self) -> TableSource:
        """Return the source with the one full name of its table."""
        with database.moment(self._engine) as db:
            full = ".".join(database.find(db, self.connection.table))
        return TableSource(DatabaseSource(self.connection.url, full))

    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: T) -> T:
        """Run a kernel once for each record batch and add the partial results to `start`, in place."""
        with closing(self._batches(columns)) as batches:
            for batch in batches:
                start += kernel(batch)
        return start

    def counts(self, task: Task) -> Counts:
        """Count rows, regardless of persons; in the database, if equal ones can be grouped there."""
        with database.moment(self._engine) as db:
            asked, kinds = self._lots(db, task)
            if asked is not None:
                kernel = Kernel(task)
                counts = Counts.none(task.cells, task.grid)
                for batch, rows in batches(database.pieces(db, asked, PIECE), kinds):
                    counts += kernel.lots(batch, rows)
                return counts
        return super().counts(task)

    def _lots(self, db: Any, task: Task) -> tuple[Any, dict[str, Any]]:
        """Return the query for groups of equal rows, and the types of the columns; None for other databases."""
        where = database.find(db, self.connection.table)
        every = database.kinds(db, *where)
        kinds = {name: every[name] for name in task.reads}
        return (None if database.ANY in kinds.values() else question(task, where, kinds)), kinds

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for open data."""
        with closing(self._batches(columns, most)) as batches:
            pieces = list(batches)
        if pieces:
            return pa.Table.from_batches(pieces)
        return pa.table({name: pa.array([], database.TEXT) for name in columns})

    def _batches(self, columns: Sequence[str], most: int | None = None) -> Any:
        """Stream columns in pieces, combined into batches of the size of a file's batches."""
        pieces: list[Any] = []
        for piece in self._pieces(columns, most):
            pieces.append(piece)
            if sum(len(p) for p in pieces) >= BATCH or sum(p.nbytes for p in pieces) >= HEAVY:
                yield pa.concat_batches(pieces)
                pieces = []
        if pieces:
            yield pa.concat_batches(pieces)

    def _pieces(self, columns: Sequence[str], most: int | None) -> Iterator[Any]:
        with database.moment(self._engine) as db:
            where = database.find(db, self.connection.table)
            every = database.kinds(db, *where)
            kinds = {column: every[column] for column in columns}
            query = database.select(*where, kinds, most)
            if most is None and database.possible(db):
                for batch in database.batches(db, query):
                    yield batch.rename_columns(list(columns))
                return
            for piece in database.pieces(db, query, PIECE):
                read = zip(kinds.items(), piece, strict=True)
                yield pa.record_batch({name: database.array(cells, kind) for (name, kind), cells in read})


class Live(Dataset):
    """A dataset whose rows may change: nothing is cached between queries."""

    def __init__(self, source: Source, schema: Schema) -> None:
        """Join rows with their declaration; the declared columns must be readable now."""
        super().__init__(source, schema)
        if schema.used:
            source.head(schema.used, 0)

    def _cached(self, key: Any, make: Callable[[], Any]) -> Any:
        return make()


# --- Lineage: the tables and views of a database, by its catalog. Only names are read. ---

OFFERED = {
    LITE: """
        SELECT 'main', name FROM sqlite_master
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'""",
    "postgresql": """
        SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')""",
}


def offered(connection: DatabaseSource) -> list[str]:
    """Return the full names of the tables and views that may be read here."""
    with database.moment(database.engine(connection.address)) as db:
        database.refuse_office(db)
        return sorted(".".join(row) for row in db.exec_driver_sql(OFFERED[db.dialect.name]))
