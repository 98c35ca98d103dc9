"""Opening: bytes or a file become rows that can be read, wherever they are stored."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.dataset as ds

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LOOK, MIB
from discreet.rows.files import Layout, formats, proposed, recognised, suggest
from discreet.rows.files.compressed import start_within
from discreet.rows.files.format import nested_in, notes_of
from discreet.rows.files.typed import BATCH, on_disk
from discreet.rows.intake import parser
from discreet.rows.intake.parser import Report, check_header
from discreet.rows.sealing import Content, Spool

# --- Reading: an upload becomes a table of text columns (or of its own typed columns) ---


def silent(share: float) -> None:
    """Ignore the progress."""


def read(
    data: bytes,
    layout: Layout,
    report: Report = silent,
    notes: dict[str, Any] | None = None,
    again: bool = False,
    columns: Sequence[str] | None = None,
) -> pa.Table:
    """Return the table of an upload; every error is a sentence that quotes no cell.

    The file's notes beside its columns are put into `notes`, even if the file is refused. With `again` the file was
    uploaded before: neither its rows nor the lack of rows make it refused. If rows name their own cells, those of the
    declared `columns` are read.
    """
    schema = pa.schema([])
    batches = []
    parts = parser.batches(_cut(data), len(data), layout, report, again=again, columns=columns)
    for schema, batch in parts:  # noqa: B007
        batches += [] if batch is None else [batch]
        if batch is None and notes is not None:
            notes.update(notes_of(schema))
    if not schema.names:
        raise formats[layout.format].refused(notes_of(schema))
    check_header(schema.names)
    table = pa.Table.from_batches(batches, schema)
    if table.num_rows == 0 and not again:
        raise formats[layout.format].no_rows()
    return table


def _cut(data: bytes) -> Iterator[bytes]:
    """Yield the bytes of a file a piece at a time, without copies."""
    whole = memoryview(data)
    for start in range(0, len(data), MIB):
        yield whole[start : start + MIB]  # type: ignore[misc]


# --- Opening: bytes or a file become rows that can be scanned, wherever they are stored meanwhile ---

if TYPE_CHECKING:
    from discreet.rows.files.format import Opened

SPOOL = 32 * MIB  # larger text files are read out of core
PIECE = 2**22


@dataclass(frozen=True)
class Keeping:
    """What is kept of a file that is read: which columns, in which folder if they are large, and its notes.

    With `again` the file was uploaded before, and nothing in its rows makes it refused.
    """

    columns: Sequence[str] | None = None
    folder: Path | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    again: bool = False


def opened(data: bytes | Content, layout: Layout, report: Report, keeping: Keeping) -> Opened:
    """Open a file: in place if its format allows that, otherwise out of core or in memory."""
    if isinstance(data, bytes):
        return _in_memory(read(data, layout, report, keeping.notes, keeping.again, keeping.columns), keeping)
    start, size = _beginning(data)
    typed = recognised(start).on_disk(data)
    if typed is not None:
        check_header(typed[1])
        keeping.notes.update({"nested": names} if (names := nested_in(typed[0].schema)) else {})
        return typed
    if size > SPOOL and formats[layout.format].streamed:
        return _spooled(data, size, layout, report, keeping)
    with data.open() as file:
        return opened(file.read(), layout, report, keeping)


def suggested(data: bytes | Content) -> Layout:
    """Suggest how a file is read, by its public beginning."""
    if isinstance(data, bytes):
        return suggest(data)
    start, _ = _beginning(data)
    with data.open() as file:
        return proposed(start_within(file) or start)


def _beginning(content: Content) -> tuple[bytes, int]:
    """Return the first bytes of a file, and its size."""
    try:
        with content.open() as file:
            return file.read(LOOK), file.seek(0, io.SEEK_END)
    except (FileNotFoundError, IsADirectoryError):
        raise ParameterError("File not found. Check the path.") from None


def _in_memory(table: pa.Table, keeping: Keeping) -> Opened:
    rows = table if keeping.columns is None else table.select(list(keeping.columns))
    return ds.InMemoryDataset(rows), table.column_names, BATCH


def _spooled(data: Content, size: int, layout: Layout, report: Report, keeping: Keeping) -> Opened:
    """Convert the declared columns of a large text, batch by batch, into a sealed file without a name."""
    spool = Spool(keeping.folder)
    writer = cast(Any, None)
    with data.open() as file:
        pieces = iter(lambda: file.read(PIECE), b"")
        for schema, batch in parser.batches(pieces, size, layout, report, math.inf, keeping.again, keeping.columns):
            columns = list(keeping.columns or schema.names)
            if writer is None:
                some = pa.schema([schema.field(name) for name in columns])
                writer = pa.ipc.new_file(spool.sink, some)
            if batch is not None:
                writer.write_batch(batch.select(columns))
    check_header(schema.names)
    writer.close()
    return on_disk(spool.reader(), ds.IpcFileFormat()), schema.names, BATCH
