"""Source: where rows come from. Two verbs, and nothing above knows which source answers."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import IntArray
from discreet.rows import parsing
from discreet.rows.parsing import Report
from discreet.rows.reading import read, silent
from discreet.rows.refusals import check_header, damaged
from discreet.rows.sealing import Content, Plain, Spool
from discreet.rows.sniff import LOOK, MIB, Layout, suggest

T = TypeVar("T")
BATCH = 2**19  # rows a batch: large enough for dense counts, small enough for memory
DIGEST_PIECE = 2**22
SPOOL = 32 * MIB  # larger text files are read out of core
HEAVIEST = 256 * MIB  # what the texts and numbers of one batch may take
REPEATED = 8  # bytes a text in a file; fewer are told by number and may be long
# read as it is needed: buffering ahead would hold a large file in memory
AS_NEEDED = ds.ParquetFragmentScanOptions(pre_buffer=False, use_buffered_stream=True)
Assign = Callable[[pa.RecordBatch], tuple[IntArray, Sequence[NDArray[Any]]]]
Estimate = Callable[..., Any]
# rows, the names of all columns, and how many rows to read at once
Opened = tuple[ds.Dataset, Sequence[str], int]


@dataclass(frozen=True)
class Keeping:
    """What is kept of a file that is read: which columns, and where if they are many."""

    columns: Sequence[str] | None = None
    folder: Path | None = None


class Source(Protocol):
    """Rows in record batches, wherever they are."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns: public."""

    @property
    def digest(self) -> str:
        """A hash of the content: the name of its session budget."""

    def map(self, kernel: Callable[[pa.RecordBatch], T], columns: Sequence[str], start: T) -> T:
        """Run a kernel once per record batch and add the partial results to `start`."""

    def group(self, estimate: Estimate, assign: Assign, columns: Sequence[str], groups: int) -> list[Any]:
        """Bring all rows of a secret group together and estimate each, in order of the groups."""

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for data that are open."""


class LocalSource:
    """A table in memory, an upload, or a file of Parquet or Feather read batch by batch."""

    def __init__(
        self,
        data: pa.Table | bytes | str | Path | Content,
        layout: Layout | None = None,
        report: Report = silent,
        keeping: Keeping | None = None,
    ) -> None:
        """Open a table, the bytes of an upload, or a path (large Parquet stays on disk).

        `report` hears how much of a file has been read; what it raises ends the reading.
        """
        kept = keeping or Keeping()
        if isinstance(data, pa.Table):
            check_header(data.column_names)
            self._rows: ds.Dataset = ds.InMemoryDataset(data)
            self._names, self._most = data.column_names, BATCH
            self._digest: Callable[[ds.Dataset], str] = _digest_of_table
        else:
            given = Plain(Path(data)) if isinstance(data, (str, Path)) else data
            self._rows, self._names, self._most = _opened(given, layout, report, kept)
            self._digest = lambda _: _digest_of_bytes(given)
        self._known_digest: str | None = None

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        return list(self._names)

    @property
    def digest(self) -> str:
        """A hash of the content, computed once."""
        if self._known_digest is None:
            self._known_digest = self._digest(self._rows)
        return self._known_digest

    @property
    def weight(self) -> int:
        """How many bytes the rows take in memory; none where they are read from a file."""
        rows = self._rows
        return parsing.weight(rows.to_table()) if isinstance(rows, ds.InMemoryDataset) else 0

    def _batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        scanner = self._rows.scanner(
            columns=list(columns), batch_size=self._most, batch_readahead=1, fragment_readahead=1
        )
        for batch in scanner.to_batches():
            yield from _light(batch)

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for data that are open."""
        size = max(min(most, self._most), 1)
        table = self._rows.head(most, columns=list(columns), batch_size=size, batch_readahead=0)
        return table.cast(pa.schema([(f.name, _kind(f.type)) for f in table.schema]))

    def map(self, kernel: Callable[[pa.RecordBatch], T], columns: Sequence[str], start: T) -> T:
        """Run a kernel once per record batch and add the partial results to `start`."""
        for batch in self._batches(columns):
            start = start + kernel(batch)  # type: ignore[operator]
        return start

    def group(self, estimate: Estimate, assign: Assign, columns: Sequence[str], groups: int) -> list[Any]:
        """Bring all rows of a secret group together and estimate each, in order of the groups."""
        return estimated([assign(batch) for batch in self._batches(columns)], estimate, groups)


def estimated(parts: Sequence[tuple[IntArray, Sequence[NDArray[Any]]]], estimate: Estimate, groups: int) -> list[Any]:
    """Estimate every group of labelled rows; in which order they came changes no bit of it."""
    if not parts:
        return [estimate() for _ in range(groups)]
    labels = np.concatenate([labels for labels, _ in parts])
    values = [np.concatenate(piece) for piece in zip(*(v for _, v in parts), strict=True)]
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(groups + 1))
    columns = [column[order] for column in values]
    return [estimate(*_in_order([column[ends[g] : ends[g + 1]] for column in columns])) for g in range(groups)]


def _in_order(columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    if len(columns) < 2:
        return [np.sort(column) for column in columns]
    order = np.lexsort(columns)
    return [column[order] for column in columns]


def _kind(told: pa.DataType) -> pa.DataType:
    return told.value_type if pa.types.is_dictionary(told) else told


def _light(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Halve a batch until its repeated texts, each written out, are light."""
    if batch.num_rows < 2 or sum(map(_written_out, batch.columns)) <= HEAVIEST:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _light(batch.slice(0, half))
    yield from _light(batch.slice(half))


def _written_out(cells: pa.Array) -> int:
    """Return the bytes of texts that are told by number, or 0 for other cells."""
    if not pa.types.is_dictionary(cells.type):
        return 0
    try:
        lengths = pc.binary_length(cells.dictionary)
    except pa.ArrowNotImplementedError:  # numbers
        return 0
    if len(cells) * (pc.max(lengths).as_py() or 0) <= HEAVIEST:
        return 0
    return pc.sum(lengths.take(cells.indices)).as_py() or 0


def _opened(data: bytes | Content, layout: Layout | None, report: Report, kept: Keeping) -> Opened:
    if isinstance(data, bytes):
        return _in_memory(read(data, layout or suggest(data), report), kept)
    try:
        with data.open() as file:
            start, size = file.read(LOOK), file.seek(0, io.SEEK_END)
    except (FileNotFoundError, IsADirectoryError):
        raise ParameterError("There is no such file. Check the path.") from None
    if start[:4] == b"PAR1" or start[:6] == b"ARROW1":
        return _typed(data, "parquet" if start[:4] == b"PAR1" else "feather")
    if size > SPOOL:
        known = layout or suggest(start, whole=False)
        if known.format == "text":
            return _spooled(data, size, known, report, kept)
    with data.open() as file:
        return _opened(file.read(), layout, report, kept)


def _in_memory(table: pa.Table, kept: Keeping) -> Opened:
    rows = table if kept.columns is None else table.select(list(kept.columns))
    return ds.InMemoryDataset(rows), table.column_names, BATCH


def _typed(data: Content, kind: str) -> Opened:
    """Open a file that stays on disk, in batches that are light by its footer."""
    try:
        if kind == "feather":
            format, most = ds.IpcFileFormat(), BATCH
        else:
            with data.open() as file:
                format, most = _parquet(pq.read_metadata(file))
        opened = _on_disk(data.open(), format)
    except (pa.ArrowException, OSError):
        raise damaged(kind) from None
    check_header(opened.schema.names)
    return opened, opened.schema.names, most


def _on_disk(file: IO[bytes], format: ds.FileFormat) -> ds.Dataset:
    """Return what reads an open file as it is needed."""
    part = format.make_fragment(pa.PythonFile(file, mode="r"))
    return ds.FileSystemDataset([part], part.physical_schema, format)


def _parquet(told: pq.FileMetaData) -> tuple[ds.ParquetFileFormat, int]:
    """Return how to read a file: repeated texts by number, and how many rows at once."""
    groups = [told.row_group(i) for i in range(told.num_row_groups)]
    chunks = [group.column(i) for group in groups for i in range(group.num_columns)]
    repeated = {
        chunk.path_in_schema
        for chunk in chunks
        if chunk.physical_type == "BYTE_ARRAY" and chunk.total_uncompressed_size <= REPEATED * chunk.num_values
    }
    options = ds.ParquetReadOptions(dictionary_columns=repeated)
    heaviest = max((g.total_byte_size / max(g.num_rows, 1) for g in groups), default=0)
    rows = int(HEAVIEST / max(heaviest, 1))
    return ds.ParquetFileFormat(options, AS_NEEDED), min(max(rows, 1), BATCH)


def _spooled(data: Content, size: int, layout: Layout, report: Report, kept: Keeping) -> Opened:
    """Turn a large text batch by batch into a sealed file without a name, of what is declared."""
    spool, writer = Spool(kept.folder), cast(Any, None)
    with data.open() as file:
        pieces = iter(lambda: file.read(DIGEST_PIECE), b"")
        for schema, batch in parsing.batches(pieces, size, layout, report, math.inf):
            columns = list(kept.columns or schema.names)
            if writer is None:
                some = pa.schema([schema.field(name) for name in columns])
                writer = pa.ipc.new_file(spool.sink, some)
            if batch is not None:
                writer.write_batch(batch.select(columns))
    check_header(schema.names)
    writer.close()
    return _on_disk(spool.reader(), ds.IpcFileFormat()), schema.names, BATCH


def _digest_of_table(rows: ds.Dataset) -> str:
    sink = pa.BufferOutputStream()
    table = rows.to_table()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return sha256(sink.getvalue()).hexdigest()


def _digest_of_bytes(data: bytes | Content) -> str:
    if isinstance(data, bytes):
        return sha256(data).hexdigest()
    found = sha256()
    with data.open() as file:
        while piece := file.read(DIGEST_PIECE):
            found.update(piece)
    return found.hexdigest()
