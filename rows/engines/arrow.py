"""Arrow stream: rows that another library provides, such as a frame of pandas, Polars or DuckDB.

A stream is read once, when the source is created. A second read could give other rows, or none (a reader is exhausted,
a query runs again), and every answer must be about the rows that the digest is of. Rows that are too large for memory
are written to a sealed file without a name, like a large text file.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Protocol, runtime_checkable

import pyarrow as pa
import pyarrow.dataset as ds

from discreet.budget.errors import ParameterError
from discreet.rows import source
from discreet.rows.capacity import MIB
from discreet.rows.cells import within
from discreet.rows.files.format import nested_in
from discreet.rows.files.typed import BATCH, on_disk
from discreet.rows.intake.parser import check_header
from discreet.rows.intake.sandbox import ROWS, plain, plain_schema
from discreet.rows.sealing import Spool
from discreet.rows.source import LocalSource

HELD = 256 * MIB  # of rows in memory; more are read out of core


LAZY = {"collect": ".collect()", "scanner": ".scanner().to_reader()"}  # of what has no rows yet, and what reads them


@runtime_checkable
class ArrowStream(Protocol):
    """An object with the Arrow C stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a stream as a PyCapsule."""


class ArrowSource(LocalSource):
    """Rows from an Arrow stream, read once."""

    def __init__(self, data: ArrowStream, folder: Path | None = None) -> None:
        """Read all rows; `folder` is for the temporary file of large tables."""
        for method, call in LAZY.items():
            if hasattr(type(data), method) and not isinstance(data, ArrowStream):
                raise ParameterError("These rows are not read yet. Add {call} to them.", call=call)
        if not hasattr(data, "__arrow_c_stream__"):
            raise ParameterError(
                "These rows provide no Arrow stream. Pass a pandas or Polars frame, a DuckDB relation or "
                "a pyarrow table."
            )
        try:
            reader = pa.RecordBatchReader.from_stream(data)
            self._names = reader.schema.names
            self._most = BATCH
            self._nested = nested_in(reader.schema)
            check_header(self._names)
            self._rows, self._content = _read(reader, folder)
        except ParameterError:
            raise
        except Exception:  # any error of another library may quote a cell
            raise ParameterError(
                "The Arrow stream cannot be read to its end. Give each column one type, or write the rows to Parquet."
            ) from None

    @property
    def digest(self) -> str:
        """A hash of the content, independent of how it is cut into batches."""
        return self._content


def _read(reader: pa.RecordBatchReader, folder: Path | None) -> tuple[ds.Dataset, str]:
    """Return rows with their digest: in memory, or out of core if they are large."""
    schema = plain_schema(reader.schema)
    pieces = list[pa.RecordBatch]()
    weight = 0
    stream = _plain(reader, schema)
    for piece in stream:
        pieces.append(piece)
        weight += piece.nbytes
        if weight > HELD:
            return _spooled(chain(pieces, stream), schema, folder)
    table = pa.Table.from_batches(pieces, schema)
    return ds.InMemoryDataset(table), source.of_table(table)


def _plain(reader: pa.RecordBatchReader, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield rows whose cells have been validated; they are copied, because a frame may change afterwards."""
    for batch in reader:
        batch.validate(full=True)
        for start in range(0, batch.num_rows, ROWS):
            columns = [within(plain(column)) for column in batch.slice(start, ROWS).columns]
            yield pa.ipc.read_record_batch(pa.record_batch(columns, schema=schema).serialize(), schema)


def _spooled(pieces: Iterator[pa.RecordBatch], schema: pa.Schema, folder: Path | None) -> tuple[ds.Dataset, str]:
    """Write rows to a sealed file without a name, and hash them on the way."""
    spool = Spool(folder)
    digest = sha256(schema.serialize())
    with pa.ipc.new_file(spool.sink, schema) as writer:
        for piece in _even(pieces):
            digest.update(piece.serialize())
            writer.write_batch(piece)
    return on_disk(spool.reader(), ds.IpcFileFormat()), digest.hexdigest()


def _even(pieces: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Re-cut rows into pieces of equal length, whatever pieces they arrive in."""
    held = list[pa.RecordBatch]()
    size = 0
    for piece in pieces:
        held.append(piece)
        size += piece.num_rows
        if size >= ROWS:
            whole = pa.concat_batches(held)
            yield whole.slice(0, ROWS)
            held, size = [whole.slice(ROWS)], size - ROWS
    if size:
        yield pa.concat_batches(held)
