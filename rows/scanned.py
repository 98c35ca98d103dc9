"""Opening: bytes or a file become rows that can be scanned, wherever they are kept meanwhile."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.dataset as ds

from discreet.budget.errors import ParameterError
from discreet.rows import parsing
from discreet.rows.capacity import LOOK, MIB
from discreet.rows.files import Layout, formats, proposed, recognised, suggest
from discreet.rows.files.compressed import start_within
from discreet.rows.files.disk import BATCH, on_disk
from discreet.rows.files.naming import nested_in
from discreet.rows.reading import read
from discreet.rows.refusals import check_header
from discreet.rows.sealing import Content, Spool
from discreet.rows.turns import Report

if TYPE_CHECKING:
    from discreet.rows.files.format import Opened

SPOOL = 32 * MIB  # larger text files are read out of core
PIECE = 2**22


@dataclass(frozen=True)
class Keeping:
    """What is kept of a file that is read: which columns, where if they are many, and notes beside them.

    One that was brought before is read `again`: nothing in its rows refuses it.
    """

    columns: Sequence[str] | None = None
    folder: Path | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    again: bool = False


def opened(data: bytes | Content, layout: Layout, report: Report, keeping: Keeping) -> Opened:
    """Open a file: where it stays if its format allows that, else out of core or in memory."""
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
    """Propose how a file is read, by its public beginning."""
    if isinstance(data, bytes):
        return suggest(data)
    start, _ = _beginning(data)
    with data.open() as file:
        return proposed(start_within(file) or start)


def _beginning(content: Content) -> tuple[bytes, int]:
    """Return the first bytes of a file, and how many there are."""
    try:
        with content.open() as file:
            return file.read(LOOK), file.seek(0, io.SEEK_END)
    except (FileNotFoundError, IsADirectoryError):
        raise ParameterError("There is no such file. Check the path.") from None


def _in_memory(table: pa.Table, keeping: Keeping) -> Opened:
    rows = table if keeping.columns is None else table.select(list(keeping.columns))
    return ds.InMemoryDataset(rows), table.column_names, BATCH


def _spooled(data: Content, size: int, layout: Layout, report: Report, keeping: Keeping) -> Opened:
    """Turn a large text batch by batch into a sealed file without a name, of what is declared."""
    spool, writer = Spool(keeping.folder), cast(Any, None)
    with data.open() as file:
        pieces = iter(lambda: file.read(PIECE), b"")
        for schema, batch in parsing.batches(pieces, size, layout, report, math.inf, keeping.again, keeping.columns):
            columns = list(keeping.columns or schema.names)
            if writer is None:
                some = pa.schema([schema.field(name) for name in columns])
                writer = pa.ipc.new_file(spool.sink, some)
            if batch is not None:
                writer.write_batch(batch.select(columns))
    check_header(schema.names)
    writer.close()
    return on_disk(spool.reader(), ds.IpcFileFormat()), schema.names, BATCH
