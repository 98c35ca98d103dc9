"""Reading: an upload becomes a table of text columns (or the typed columns it came with)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TextIO

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
from python_calamine import CalamineError, CalamineWorkbook

from budget.errors import ParameterError
from curator.schema import check_name
from curator.sniff import MOST_CELLS, MOST_COLUMNS, Layout, decode

PIECE = 50_000
LONGEST_CELL = 1_000_000


Report = Callable[[float], object]


def silent(share: float) -> None:
    """Report to nobody how far the reading is."""


def read(data: bytes, layout: Layout, report: Report = silent) -> pa.Table:
    """Return the table of an upload; every error is a sentence that quotes no cell."""
    readers = {"excel": _excel, "parquet": _parquet, "feather": _feather}
    text = layout.format == "text"
    table = _text(data, layout, report) if text else readers[layout.format](data)
    check_header(table.column_names)
    if table.num_rows == 0:
        raise ParameterError("The file has a header but no rows. Choose a file with rows.")
    return table


def check_header(names: Sequence[str]) -> None:
    """Refuse headers that are empty, double, endless or dangerous to show."""
    if not names:
        raise ParameterError("The file has no columns. The first line must name them.")
    if len(names) > MOST_COLUMNS:
        raise ParameterError(
            "The file has more than {most_columns} columns. Keep those you need.",
            most_columns=MOST_COLUMNS,
        )
    if any(not str(name).strip() for name in names):
        raise ParameterError("A column has no name. Name every column in the first line.")
    if len(set(names)) < len(names):
        raise ParameterError("Two columns have the same name. Rename one of them.")
    for name in names:
        check_name(name)


def _text(data: bytes, layout: Layout, report: Report) -> pa.Table:
    text = decode(data, layout.encoding)
    if "\x00" in text:
        raise ParameterError("The file holds NUL characters. Choose another encoding.")
    lines = io.StringIO(text, newline="")
    schema, batches = text_batches(lines, layout.separator, MOST_CELLS)
    done = []
    for batch in batches:
        done.append(batch)
        report(lines.tell() / len(text))
    return pa.Table.from_batches(done, schema)


def text_batches(
    text: TextIO, separator: str, most_cells: float = math.inf
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Return the header as a schema of text columns, and the rows batch by batch."""
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(text, delimiter=separator, strict=False)
    header: list[list[str]] = next(_told(reader, 1), [[]])
    names = [name.strip() for name in header[0]] if header else []
    check_header(names)
    schema = pa.schema([(name, pa.large_string()) for name in names])
    pieces = _pieces(reader, len(names), most_cells)
    return schema, (pa.record_batch(piece, schema=schema) for piece in pieces)


def _told(reader: Any, size: int) -> Iterator[list[list[str]]]:
    """Read rows in pieces; what cannot be read is a sentence that names the line only."""
    while True:
        try:
            rows = list(islice(reader, size))
        except csv.Error:
            raise ParameterError(
                "Line {line_num} cannot be read: a quote is not closed, or a cell is longer "
                "than {longest_cell:,} characters.",
                line_num=reader.line_num,
                longest_cell=LONGEST_CELL,
            ) from None
        except UnicodeDecodeError:
            raise ParameterError("The file is not in this encoding. Choose another one.") from None
        if not rows:
            return
        yield rows


def _pieces(reader: Any, width: int, most_cells: float) -> Iterator[list[pa.Array]]:
    """Cut rows into columns. A short row lacks its last cells; a long row loses its surplus."""
    cells = 0
    for told in _told(reader, PIECE):
        rows = [(row + [""] * width)[:width] if len(row) != width else row for row in told if row]
        cells += len(rows) * width
        if cells > most_cells:
            raise ParameterError(
                "The file has more than {most_cells:,} cells. Split it.", most_cells=MOST_CELLS
            )
        if rows:
            columns = zip(*rows, strict=True)
            yield [pa.array(column, pa.large_string()) for column in columns]


def _excel(data: bytes) -> pa.Table:
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        rows = book.get_sheet_by_index(0).to_python(skip_empty_area=True)
    except (CalamineError, OSError, ValueError, IndexError):
        raise ParameterError(
            "This workbook cannot be read. Save it again as xlsx or CSV."
        ) from None
    if not rows:
        raise ParameterError("The first sheet is empty. Move the table to the first sheet.")
    header = [_cell(name).strip() for name in rows[0]]
    check_header(header)
    columns = list(zip(*rows[1:], strict=True)) or [()] * len(header)
    arrays = [pa.array([_cell(c) for c in column], pa.large_string()) for column in columns]
    return pa.table(dict(zip(header, arrays, strict=True)))


def _cell(value: Any) -> str:
    """Write a workbook's cell as text: 5.0 is 5, a date is its ISO form."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def _parquet(data: bytes) -> pa.Table:
    try:
        return pq.read_table(io.BytesIO(data))
    except (pa.ArrowException, OSError):
        raise ParameterError("This Parquet file is damaged. Write it again.") from None


def _feather(data: bytes) -> pa.Table:
    try:
        return feather.read_table(io.BytesIO(data))
    except (pa.ArrowException, OSError):
        raise ParameterError("This Feather file is damaged. Write it again.") from None
