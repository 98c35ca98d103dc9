"""Reading: an upload becomes a table of text columns (or the typed columns it came with)."""

from __future__ import annotations

import csv
import io
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from subprocess import DEVNULL, PIPE, Popen
from typing import IO, Any, TextIO, cast

import pyarrow as pa

from budget.errors import ParameterError
from curator import limits, sniff
from curator.schema import check_name
from curator.sniff import MOST_CELLS, MOST_COLUMNS, Layout, decode

PIECE = 50_000
LONGEST_CELL = 1_000_000
FRUGAL = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}  # reserve no surplus
STARVED = (-6, -9)  # signals: gave up for want of memory, or was ended for it by the system

Report = Callable[[float], object]


def silent(share: float) -> None:
    """Report to nobody how far the reading is."""


def read(data: bytes, layout: Layout, report: Report = silent) -> pa.Table:
    """Return the table of an upload; every error is a sentence that quotes no cell."""
    text = layout.format == "text"
    table = _text(data, layout, report) if text else _packed(data, layout.format)
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


def _packed(data: bytes, kind: str) -> pa.Table:
    """Unpack in another process, which may take so much memory and no more."""
    sizes = (len(data), sniff.LARGEST_UNPACKED, MOST_CELLS)
    command = [sys.executable, "-P", limits.__file__, kind, *map(str, sizes)]
    frugal = os.environ | FRUGAL
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=frugal) as unpacking:
        try:
            with suppress(OSError), cast(IO[bytes], unpacking.stdin) as into:
                into.write(data)
            with cast(IO[bytes], unpacking.stdout) as out:
                table = _received(out)
            ended = unpacking.wait()
        finally:
            unpacking.kill()
    if ended in (limits.BEYOND, *STARVED):
        raise _beyond(kind)
    if ended != 0 or table is None:
        raise damaged(kind)
    if kind == "excel" and not table.column_names:
        raise ParameterError("The first sheet is empty. Move the table to the first sheet.")
    return table


def _received(told: IO[bytes]) -> pa.Table | None:
    """Return what arrived, if it arrived whole; a bad header ends it before its rows."""
    try:
        with pa.ipc.open_stream(told) as rows:
            if rows.schema.names:
                check_header(rows.schema.names)
            return rows.read_all()
    except (pa.ArrowException, OSError):
        return None


def _beyond(kind: str) -> ParameterError:
    if kind == "excel":
        return ParameterError(
            "This workbook takes too much memory. Delete cells far from the table, or save it "
            "as CSV or Parquet."
        )
    return sniff.beyond()


def damaged(kind: str) -> ParameterError:
    """Say that a file cannot be read."""
    if kind == "excel":
        return ParameterError("This workbook cannot be read. Save it again as xlsx or CSV.")
    if kind == "feather":
        return ParameterError("This Feather file is damaged. Write it again.")
    return ParameterError("This Parquet file is damaged. Write it again.")
