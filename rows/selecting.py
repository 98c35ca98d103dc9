"""Selecting: how cells of a database are asked for, and what they are when they come.

Whatever a cell holds, reading it cannot fail: a failure would tell about its row. So PostgreSQL
sends as text what Python's own values cannot hold (dates after the year 9999, endless numbers), and
SQLite, which keeps any cell in any column, is read cell by cell as text. A cell that is too long for
any column (`lengths`) stays where it is: how long it is, both say without fetching it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

import pyarrow as pa
import sqlalchemy as sa

from discreet.rows.files.typed import typed
from discreet.rows.lengths import LONGEST

TEXT, EXACT, ANY = pa.large_string(), pa.decimal128(38), None
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
