"""Limits: a process of its own unpacks an upload, and a file that needs too much ends only it.

What a packed file grows to is known for sure only once it is unpacked: footers and headers may
lie, a text may be repeated without being stored again, and two cells may span a whole sheet. So
the unpacking is done here, in a process that may take only so much memory, and that writes plain,
validated columns to its output as an Arrow stream. It is run by path, never imported by ours.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from python_calamine import CalamineError, CalamineWorkbook

DAMAGED, BEYOND = 3, 4
OWN = 64 * 2**20  # what a reader needs for itself, most of it for the stacks of its threads
ROWS = 2**16
PIECE_CELLS = 2**16
Batches = Iterable[pa.RecordBatch]


def confine(room: int) -> None:
    """Let this process take no more memory than `room` beyond what it has, nor leave its image.

    Only Linux keeps to such a limit; elsewhere the process at least stands alone.
    """
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + room
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def plain(cells: pa.Array) -> pa.Array:
    """Return cells of which each takes its own memory; nested ones cannot be used: missing."""
    kind = cells.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(cells.storage)
    if pa.types.is_dictionary(kind):
        return plain(cells.dictionary_decode())
    if pa.types.is_run_end_encoded(kind):
        return plain(pc.run_end_decode(cells))
    if pa.types.is_nested(kind):
        return pa.nulls(len(cells), pa.large_string())
    if pa.types.is_string_view(kind):
        return cells.cast(pa.large_string())
    return cells.cast(pa.large_binary()) if pa.types.is_binary_view(kind) else cells


def parquet(data: io.BytesIO) -> tuple[pa.Schema, Batches]:
    """Open Parquet."""
    file = pq.ParquetFile(data)
    return file.schema_arrow, file.iter_batches(ROWS, use_threads=False)


def feather(data: io.BytesIO) -> tuple[pa.Schema, Batches]:
    """Open Feather."""
    options = pa.ipc.IpcReadOptions(use_threads=False)
    file = pa.ipc.open_file(data, options=options)
    return file.schema, (file.get_batch(i) for i in range(file.num_record_batches))


def excel(data: io.BytesIO) -> tuple[pa.Schema, Batches]:
    """Open the first sheet of a workbook: texts below the header; no columns if it is empty."""
    sheet = CalamineWorkbook.from_filelike(data).get_sheet_by_index(0)
    if sheet.start is None:
        return pa.schema([]), ()
    rows = islice(sheet.iter_rows(), sheet.start[0], None)
    schema = pa.schema([(cell(name).strip(), pa.large_string()) for name in next(rows)])
    return schema, _pieces(rows, schema)


def _pieces(rows: Iterator[list[Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    size = PIECE_CELLS // len(schema) + 1
    while told := list(islice(rows, size)):
        columns = zip(*told, strict=True)
        yield pa.record_batch([[cell(c) for c in column] for column in columns], schema=schema)


def cell(value: Any) -> str:
    """Write a workbook's cell as text: 5.0 is 5, a date is its ISO form."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def write(schema: pa.Schema, batches: Batches, limit: int, most_cells: int) -> int:
    """Write plain batches until the limit; say how it went."""
    weight = cells = 0
    empty = [plain(column.combine_chunks()) for column in schema.empty_table().columns]
    kept = pa.schema(list(zip(schema.names, (column.type for column in empty), strict=True)))
    writer = pa.ipc.new_stream(sys.stdout.buffer, kept)
    for batch in batches:
        cells += batch.num_rows * batch.num_columns
        if cells > most_cells:
            return BEYOND
        batch.validate(full=True)
        for start in range(0, batch.num_rows, ROWS):
            piece = [plain(column) for column in batch.slice(start, ROWS).columns]
            weight += sum(column.nbytes for column in piece)
            if weight > limit:
                return BEYOND
            writer.write_batch(pa.record_batch(piece, schema=kept))
    writer.close()
    sys.stdout.buffer.flush()
    return 0


def unpack(kind: str, size: int, limit: int, most_cells: int) -> int:
    """Unpack what comes in; return 0 or what is wrong."""
    confine(OWN + limit + 2 * size)
    try:
        data = io.BytesIO(sys.stdin.buffer.read(size))
        schema, batches = {"parquet": parquet, "feather": feather, "excel": excel}[kind](data)
        return write(schema, batches, limit, most_cells)
    except MemoryError:
        return BEYOND
    except (pa.ArrowException, CalamineError, OSError, ValueError, IndexError):
        return DAMAGED


if __name__ == "__main__":
    os._exit(unpack(sys.argv[1], *map(int, sys.argv[2:])))  # nothing is left to tidy up
