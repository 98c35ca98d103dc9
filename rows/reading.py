"""Reading: an upload becomes a table of text columns (or the typed columns it came with)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from discreet.rows import parsing
from discreet.rows.capacity import MIB
from discreet.rows.files import Layout, formats
from discreet.rows.files.naming import notes_of
from discreet.rows.refusals import check_header
from discreet.rows.turns import Report


def silent(share: float) -> None:
    """Report to nobody how far the reading is."""


def read(
    data: bytes,
    layout: Layout,
    report: Report = silent,
    notes: dict[str, Any] | None = None,
    again: bool = False,
    columns: Sequence[str] | None = None,
) -> pa.Table:
    """Return the table of an upload; every error is a sentence that quotes no cell.

    What the file says beside its columns is put into `notes`, also where it is refused. One that is read `again`
    was brought before: nothing in its rows refuses it, and neither does it that there are none. Where rows name their
    own cells, those of the declared `columns` are read.
    """
    schema, batches = pa.schema([]), []
    parts = parsing.batches(_cut(data), len(data), layout, report, again=again, columns=columns)
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
    """Return the bytes of a file a piece at a time, without copies."""
    whole = memoryview(data)
    for start in range(0, len(data), MIB):
        yield whole[start : start + MIB]  # type: ignore[misc]
