"""Reading: an upload becomes a table of text columns (or the typed columns it came with)."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows import parsing
from discreet.rows.capacity import MIB
from discreet.rows.files import Layout, formats
from discreet.rows.refusals import check_header
from discreet.rows.turns import Report


def silent(share: float) -> None:
    """Report to nobody how far the reading is."""


def read(data: bytes, layout: Layout, report: Report = silent) -> pa.Table:
    """Return the table of an upload; every error is a sentence that quotes no cell."""
    schema, batches = pa.schema([]), []
    for schema, batch in parsing.batches(_cut(data), len(data), layout, report):  # noqa: B007
        batches += [] if batch is None else [batch]
    if not schema.names:
        raise formats[layout.format].no_columns()
    check_header(schema.names)
    table = pa.Table.from_batches(batches, schema)
    if table.num_rows == 0:
        raise ParameterError("The file has a header but no rows. Choose a file with rows.")
    return table


def _cut(data: bytes) -> Iterator[bytes]:
    """Return the bytes of a file a piece at a time, without copies."""
    whole = memoryview(data)
    for start in range(0, len(data), MIB):
        yield whole[start : start + MIB]  # type: ignore[misc]
