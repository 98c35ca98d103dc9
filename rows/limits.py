"""Limits: uploads are parsed in processes of their own; a file that needs too much ends only one.

What a file grows to is known for sure only once it is read: footers and headers may lie, a text may
be repeated without being stored again, two cells may span a whole sheet. So all parsing is done
here, in a process that may take only so much memory, processor and time, writes no file, knows
nothing of the server's environment, and sends plain, validated columns back as an Arrow stream.

It is run by path, never imported as ours: one process that has imported everything waits, and each
file gets a copy of it, watched by another copy that tells how it ended.
"""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import select
import signal
import socket
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from python_calamine import CalamineError, CalamineWorkbook

DAMAGED, BEYOND, CELLS, ENCODING, NUL, LINE, ARCHIVE, LARGE_BOOK = range(3, 11)
MIB = 2**20
OWN = 64 * MIB  # what a reader needs for itself, most of it for the stacks of its threads
TEXT = 512 * MIB  # what a text may take: it is read a piece at a time
ROWS = 2**16
PIECE_CELLS = 2**18
PIECE_SIGNS = 2**23
LONGEST_CELL = 1_000_000
Batches = Iterable[pa.RecordBatch]
Job = dict[str, Any]


class Wrong(Exception):
    """A file that is refused: the reason, and the line of a text."""

    def __init__(self, code: int, line: int = 0) -> None:
        """Take both."""
        super().__init__()
        self.code, self.line = code, line


def confine(room: int, seconds: int) -> None:
    """Take no more memory than `room` beyond what it has, no more time, and leave nothing behind.

    Only Linux keeps to a limit of memory; elsewhere the process at least stands alone.
    """
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + room
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
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


def parquet(data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
    """Open Parquet; what its footer says is beyond the limits is not unpacked."""
    file = pq.ParquetFile(io.BytesIO(data.read()))
    told = file.metadata
    unpacked = sum(told.row_group(i).total_byte_size for i in range(told.num_row_groups))
    cells = told.num_rows * told.num_columns
    if told.num_columns > job["columns"] or unpacked > job["unpacked"] or cells > job["cells"]:
        raise Wrong(BEYOND)
    return file.schema_arrow, file.iter_batches(ROWS, use_threads=False)


def feather(data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
    """Open Feather."""
    options = pa.ipc.IpcReadOptions(use_threads=False)
    file = pa.ipc.open_file(io.BytesIO(data.read()), options=options)
    return file.schema, (file.get_batch(i) for i in range(file.num_record_batches))


def excel(data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
    """Open the first sheet of a workbook: texts below the header; no columns if it is empty."""
    book = io.BytesIO(data.read())
    try:
        with zipfile.ZipFile(book) as packed:
            names = {item.filename for item in packed.infolist()}
            unpacked = sum(item.file_size for item in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise Wrong(ARCHIVE) from None
    if "xl/workbook.xml" not in names:
        raise Wrong(ARCHIVE, 1)
    if unpacked > job["book"]:
        raise Wrong(LARGE_BOOK)
    book.seek(0)
    sheet = CalamineWorkbook.from_filelike(book).get_sheet_by_index(0)
    if sheet.start is None:
        return pa.schema([]), ()
    rows = islice(sheet.iter_rows(), sheet.start[0], None)
    schema = pa.schema([(cell(name).strip(), pa.large_string()) for name in next(rows)])
    return schema, _sheet(rows, schema)


def _sheet(rows: Iterator[list[Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    size = PIECE_CELLS // len(schema) + 1
    while told := list(islice(rows, size)):
        columns = zip(*told, strict=True)
        yield pa.record_batch([[cell(c) for c in column] for column in columns], schema=schema)


def cell(value: Any) -> str:
    """Write a workbook's cell as text: 5.0 is 5, a date is its ISO form."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def text(data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
    """Open a text: its first line names the columns, each row below is read as it is written."""
    csv.field_size_limit(LONGEST_CELL)
    signs = [0]
    told = io.TextIOWrapper(data, job["encoding"], newline="")
    reader = csv.reader(_lines(told, signs), delimiter=job["separator"], strict=False)
    header: list[list[str]] = next(_rows(reader, 1, signs), [[]])
    names = [name.strip() for name in header[0]]
    schema = pa.schema([(name, pa.large_string()) for name in names])
    size = PIECE_CELLS // max(len(names), 1) + 1
    return schema, _columns(_rows(reader, size, signs), schema)


def _lines(told: io.TextIOWrapper, signs: list[int]) -> Iterator[str]:
    for line in told:
        if "\0" in line:
            raise Wrong(NUL)
        signs[0] += len(line)
        yield line


def _rows(reader: Any, size: int, signs: list[int]) -> Iterator[list[list[str]]]:
    """Read so many rows at a time, or fewer long ones."""
    rows: list[list[str]] = []
    try:
        for row in reader:
            rows.append(row)
            if len(rows) >= size or signs[0] > PIECE_SIGNS:
                yield rows
                rows, signs[0] = [], 0
    except csv.Error:
        raise Wrong(LINE, reader.line_num) from None
    if rows:
        yield rows


def _columns(pieces: Iterator[list[list[str]]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Cut rows into columns. A short row lacks its last cells; a long row loses its surplus."""
    width = len(schema)
    for told in pieces:
        rows = [(row + [""] * width)[:width] if len(row) != width else row for row in told if row]
        if rows:
            arrays = [pa.array(column, pa.large_string()) for column in zip(*rows, strict=True)]
            yield pa.record_batch(arrays, schema=schema)


def write(out: IO[bytes], schema: pa.Schema, batches: Batches, job: Job) -> None:
    """Write plain batches until the limits."""
    weight = cells = 0
    if len(schema) > job["columns"]:  # the header alone says so; each column takes its time
        names = schema.names[: job["columns"] + 1]
        with pa.ipc.new_stream(out, pa.schema([(name, pa.null()) for name in names])):
            out.flush()
        raise Wrong(BEYOND)
    empty = [plain(column.combine_chunks()) for column in schema.empty_table().columns]
    kept = pa.schema(list(zip(schema.names, (column.type for column in empty), strict=True)))
    with pa.ipc.new_stream(out, kept) as writer:
        out.flush()  # the header may be refused before the first row is read
        for batch in batches:
            cells += batch.num_rows * batch.num_columns
            if cells > job["cells"]:
                raise Wrong(CELLS if job["kind"] == "text" else BEYOND)
            batch.validate(full=True)
            for start in range(0, batch.num_rows, ROWS):
                piece = [plain(column) for column in batch.slice(start, ROWS).columns]
                weight += sum(column.nbytes for column in piece)
                if weight > job["unpacked"]:
                    raise Wrong(BEYOND)
                writer.write_batch(pa.record_batch(piece, schema=kept))


OPENERS = {"parquet": parquet, "feather": feather, "excel": excel, "text": text}


def work(job: Job, rows: int) -> tuple[int, int]:
    """Read one file from a socket, send its columns back; return 0 or what is wrong, and where."""
    try:
        taken = TEXT if job["kind"] == "text" else job["unpacked"] + 2 * job["size"]
        confine(OWN + taken, job["seconds"])
        both = socket.socket(fileno=rows)
        with both, both.makefile("rb") as data, both.makefile("wb") as out:
            write(out, *OPENERS[job["kind"]](data, job), job)
    except MemoryError:
        return BEYOND, 0
    except Wrong as wrong:
        return wrong.code, wrong.line
    except UnicodeError:
        return ENCODING, 0
    except (pa.ArrowException, CalamineError, OSError, ValueError, IndexError):
        return DAMAGED, 0
    return 0, 0


def watch(job: Job, rows: int, told: int) -> None:
    """Let a copy read a file; end it when its time is over or nobody waits; tell how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    life, word = os.pipe()
    reader = os.fork()
    if reader == 0:
        os.close(told)
        os.write(word, json.dumps(work(job, rows)).encode())
        os._exit(0)
    os.close(word)
    os.close(rows)
    said, end = b"", time.monotonic() + job["patience"]
    while True:
        ready, _, _ = select.select([life, told], [], [], max(0.0, end - time.monotonic()))
        piece = os.read(life, 4096) if life in ready else b""
        if not piece:
            break
        said += piece
    if life not in ready:
        os.kill(reader, signal.SIGKILL)
    ended = os.waitpid(reader, 0)[1]
    code, line = json.loads(said) if said and ended == 0 else (-os.WTERMSIG(ended) or DAMAGED, 0)
    os.write(told, json.dumps([code, line, not ready]).encode())


def serve() -> None:
    """Wait for files until the server is gone; each gets a copy of this process."""
    pa.array([""])  # imports what Arrow would import in each copy anew
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=0)
    while True:
        job, given, _, _ = socket.recv_fds(control, 4096, 2)
        if not job:
            return
        if os.fork() == 0:
            control.close()
            watch(json.loads(job), *given)
            os._exit(0)
        for one in given:
            os.close(one)
        control.send(b".")


if __name__ == "__main__":
    serve()
