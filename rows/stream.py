"""Stream: what was read goes back to the server as plain, validated columns, until the limits."""

from __future__ import annotations

from typing import IO

import pyarrow as pa
import pyarrow.compute as pc

from discreet.rows.files.format import BEYOND, Batches, Job, Wrong
from discreet.rows.files.naming import carried, nested_in, noted
from discreet.rows.lengths import within

ROWS = 2**16


def plain(cells: pa.Array) -> pa.Array:
    """Return cells of which each takes its own memory; nested ones cannot be used: missing."""
    kind = cells.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(cells.storage)
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(cells.indices, within(plain(cells.dictionary))).dictionary_decode()
    if pa.types.is_run_end_encoded(kind):
        return plain(pc.run_end_decode(cells))
    if pa.types.is_nested(kind):
        return pa.nulls(len(cells), pa.large_string())
    if pa.types.is_string_view(kind):
        return cells.cast(pa.large_string())
    return cells.cast(pa.large_binary()) if pa.types.is_binary_view(kind) else cells


def write(out: IO[bytes], schema: pa.Schema, batches: Batches, job: Job, overfull: str) -> None:
    """Write plain batches until the limits; more cells than allowed are refused as `overfull`."""
    weight = cells = 0
    written = _header(out, schema, job)
    with pa.ipc.new_stream(out, written) as writer:
        out.flush()  # the header may be refused before the first row is read
        for batch in batches:
            cells += batch.num_rows * batch.num_columns
            if cells > job["cells"]:
                raise Wrong(overfull)
            batch.validate(full=True)
            for start in range(0, batch.num_rows, ROWS):
                piece = [within(plain(column)) for column in batch.slice(start, ROWS).columns]
                weight += sum(column.nbytes for column in piece)
                if weight > job["unpacked"]:
                    raise Wrong(BEYOND)
                writer.write_batch(pa.record_batch(piece, schema=written))


def _header(out: IO[bytes], schema: pa.Schema, job: Job) -> pa.Schema:
    """Return the columns as they are written; of too many only their names are sent, and no row."""
    if len(schema) > job["columns"]:  # the header alone says so; each column takes its time
        names = schema.names[: job["columns"] + 1]
        with pa.ipc.new_stream(out, pa.schema([(name, pa.null()) for name in names])):
            out.flush()
        raise Wrong(BEYOND)
    return noted(plain_schema(schema), nested=nested_in(schema))


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return the columns that plain cells make."""
    empty = [plain(column.combine_chunks()) for column in schema.empty_table().columns]
    types = (column.type for column in empty)
    return pa.schema(list(zip(schema.names, types, strict=True)), carried(schema.metadata) or None)
