"""Connection: a table or view of a database as a source, read in transactions that cannot write.

A connection is one source with one budget, whatever happens to its rows: its digest names the place
and not the content, and neither password, user nor spelling changes it. A view must not be able to
fail on single rows (1/x, a cast): whether an answer is refused would tell about such a row.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows import copying, database, pushdown, selecting
from discreet.rows.capacity import MIB
from discreet.rows.counts import Counts
from discreet.rows.database import LITE
from discreet.rows.dataset import Dataset
from discreet.rows.files.disk import BATCH
from discreet.rows.kernel import Kernel
from discreet.rows.located import Tabled
from discreet.rows.refusals import check_header
from discreet.rows.schema import Schema
from discreet.rows.source import Batched, Source, T
from discreet.rows.task import Task

POSTGRES, PORT = "postgresql+psycopg", 5432
SHORT = "postgresql://"  # as everybody writes it, who need not know which driver is ours
JOINER = "\u2060"  # stands in addresses that were copied from a screen, where it keeps them from being links
OPTIONS = {"host", "sslmode", "sslrootcert"}  # others name files, passwords or other servers
PIECE = 2**13  # rows that are Python objects at the same time
HEAVY = 8 * MIB  # of cells make a batch, however few rows they are


@dataclass(frozen=True, repr=False)
class Connection(Tabled):
    """The address of a database, with its password, and one table or view of it."""

    format: ClassVar[str] = "connection"
    schemes: ClassVar[tuple[str, ...]] = (LITE, "postgresql")
    unreadable: ClassVar[Phrase] = Phrase("This connection cannot be read.")

    def __post_init__(self) -> None:
        """Refuse addresses of any other kind, before anything is opened."""
        if not isinstance(self.table, str) or not self.table.strip():
            raise ParameterError("Name one table or view of the database.")
        if isinstance(self.url, str):
            object.__setattr__(self, "url", _typed(self.url))
        try:
            address = make_url(self.url) if isinstance(self.url, str) else None
            good = address is not None and (_is_file(address) or _is_server(address))
        except (ArgumentError, ValueError):
            good = False
        if not good:
            raise ParameterError(
                "This is no address of a database. Write sqlite:////folder/file or "
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
        """Which table of which database."""
        return place(self.address), self.table

    @property
    def bare(self) -> Connection:
        """The same table without the name and password of whoever asks."""
        address = self.address._replace(username=None, password=None)
        return Connection(address.render_as_string(hide_password=False), self.table)

    def source(self) -> TableSource:
        """Return its rows; nothing is opened before it is needed."""
        return TableSource(self)

    def knock(self) -> None:
        """See whether the database answers; no table is looked at."""
        with database.moment(database.engine(self.address)):
            return


def _typed(url: str) -> str:
    """Return an address as it was meant, however it was typed or copied."""
    plain = url.replace(JOINER, "")
    return f"{POSTGRES}://{plain.removeprefix(SHORT)}" if plain.startswith(SHORT) else plain


def place(address: URL) -> tuple[str | int, ...]:
    """Return which database an address leads to, however it is spelled and whoever asks."""
    if address.get_backend_name() == LITE:
        return LITE, str(Path(address.database or "").resolve())
    host = address.host or str(address.query.get("host", "")).rstrip("/")
    return "postgresql", host.lower(), address.port or PORT, address.database or ""


def _is_file(address: URL) -> bool:
    file = address.database or ""
    bare = not (address.query or address.host or address.username or address.password)
    return address.drivername == LITE and bare and "\0" not in file and Path(file).is_absolute()


def _settled(folder: str) -> bool:
    """Say whether a folder is named from / on, and in one way."""
    return folder[:1] == "/" and os.path.normpath(folder) == (folder.rstrip("/") or "/")


def _is_server(address: URL) -> bool:
    options = dict(address.query)
    plain = set(options) <= OPTIONS and all(isinstance(value, str) for value in options.values())
    folder = str(options.get("host", ""))
    single = "," not in (address.host or "") + folder  # a list would be tried one after the other
    socket = "host" not in options or (not address.host and _settled(folder))
    return single and address.drivername == POSTGRES and bool(address.database) and plain and socket


class TableSource(Batched):
    """Rows of a table or view, streamed. Each verb sees one moment and can write nothing."""

    def __init__(self, connection: Connection) -> None:
        """Take a connection; nothing is opened before it is needed."""
        self.connection = connection
        self._engine = database.engine(connection.address)

    def __repr__(self) -> str:
        """Show the connection without its password."""
        return f"TableSource({self.connection!r})"

    @property
    def where(self) -> Connection:
        """The address of the rows."""
        return self.connection

    @property
    def types(self) -> dict[str, pa.DataType]:
        """A database has types of its own: they tell nothing here."""
        return {}

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns, as they were when they were first asked for."""
        with database.moment(self._engine) as db:
            names = list(database.kinds(db, *database.find(db, self.connection.table)))
        check_header(names)
        return names

    @property
    def digest(self) -> str:
        """A hash of where the rows are: they may change, their budget stays."""
        return self.connection.digest

    def settled(self) -> TableSource:
        """Return the same rows under the one full name of their table."""
        with database.moment(self._engine) as db:
            full = ".".join(database.find(db, self.connection.table))
        return TableSource(Connection(self.connection.url, full))

    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: T) -> T:
        """Run a kernel once for each record batch and add the partial results to `start`, in place."""
        with closing(self._batches(columns)) as batches:
            for batch in batches:
                start += kernel(batch)
        return start

    def counts(self, task: Task) -> Counts:
        """Count rows, of whomever they are: where they are, if equal ones can be brought together there."""
        with database.moment(self._engine) as db:
            asked, kinds = self._lots(db, task)
            if asked is not None:
                kernel, counts = Kernel(task), Counts.none(task.cells, task.grid)
                for batch, rows in pushdown.batches(selecting.pieces(db, asked, PIECE), kinds):
                    counts += kernel.lots(batch, rows)
                return counts
        return super().counts(task)

    def _lots(self, db: Any, task: Task) -> tuple[Any, dict[str, Any]]:
        """Return how to ask for lots of equal rows, and the types of the columns; nothing for other databases."""
        where = database.find(db, self.connection.table)
        every = database.kinds(db, *where)
        kinds = {name: every[name] for name in task.reads}
        return (None if selecting.ANY in kinds.values() else pushdown.question(task, where, kinds)), kinds

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for data that are open."""
        with closing(self._batches(columns, most)) as batches:
            pieces = list(batches)
        if pieces:
            return pa.Table.from_batches(pieces)
        return pa.table({name: pa.array([], selecting.TEXT) for name in columns})

    def _batches(self, columns: Sequence[str], most: int | None = None) -> Any:
        """Stream columns, a piece at a time; together the pieces make batches as of a file."""
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
            query = selecting.select(*where, kinds, most)
            if most is None and copying.possible(db):
                for batch in copying.batches(db, query):
                    yield batch.rename_columns(list(columns))
                return
            for piece in selecting.pieces(db, query, PIECE):
                read = zip(kinds.items(), piece, strict=True)
                yield pa.record_batch({name: selecting.array(cells, kind) for (name, kind), cells in read})


class Live(Dataset):
    """A dataset whose rows may change: nothing is kept from one question to the next."""

    def __init__(self, source: Source, schema: Schema) -> None:
        """Join rows with its declaration; what is declared must be readable now."""
        super().__init__(source, schema)
        if schema.used:
            source.head(schema.used, 0)

    def _cached(self, key: Any, make: Callable[[], Any]) -> Any:
        return make()
