"""Source: where rows come from. Two verbs, and nothing above knows which source answers."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Protocol, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from numpy.typing import NDArray

from budget.errors import ParameterError
from curator.reading import Report, check_header, damaged, read, silent, text_batches
from curator.sniff import LOOK, MIB, Layout, suggest
from queries.bounds import IntArray

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
Opened = tuple[ds.Dataset, int]  # rows, and how many of them to read at once


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

    def group(
        self, estimate: Estimate, assign: Assign, columns: Sequence[str], groups: int
    ) -> list[Any]:
        """Bring all rows of a secret group together and estimate each, in order of the groups."""

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for data that are open."""


class LocalSource:
    """A table in memory, an upload, or a file of Parquet or Feather read batch by batch."""

    def __init__(
        self,
        data: pa.Table | bytes | str | Path,
        layout: Layout | None = None,
        report: Report = silent,
    ) -> None:
        """Open a table, the bytes of an upload, or a path (large Parquet stays on disk).

        `report` hears how much of a text has been read; what it raises ends the reading.
        """
        if isinstance(data, pa.Table):
            check_header(data.column_names)
            self._rows: ds.Dataset = ds.InMemoryDataset(data)
            self._most = BATCH
            self._digest: Callable[[ds.Dataset], str] = _digest_of_table
        else:
            self._rows, self._most = _opened(data, layout, report)
            self._digest = lambda _: _digest_of_bytes(data)
        self._known_digest: str | None = None

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        return list(self._rows.schema.names)

    @property
    def digest(self) -> str:
        """A hash of the content, computed once."""
        if self._known_digest is None:
            self._known_digest = self._digest(self._rows)
        return self._known_digest

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

    def group(
        self, estimate: Estimate, assign: Assign, columns: Sequence[str], groups: int
    ) -> list[Any]:
        """Bring all rows of a secret group together and estimate each, in order of the groups."""
        return estimated([assign(batch) for batch in self._batches(columns)], estimate, groups)


def estimated(
    parts: Sequence[tuple[IntArray, Sequence[NDArray[Any]]]], estimate: Estimate, groups: int
) -> list[Any]:
    """Estimate every group of labelled rows; in which order they came changes no bit of it."""
    if not parts:
        return [estimate() for _ in range(groups)]
    labels = np.concatenate([labels for labels, _ in parts])
    values = [np.concatenate(piece) for piece in zip(*(v for _, v in parts), strict=True)]
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(groups + 1))
    columns = [column[order] for column in values]
    return [
        estimate(*_in_order([column[ends[g] : ends[g + 1]] for column in columns]))
        for g in range(groups)
    ]


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


def _opened(data: bytes | str | Path, layout: Layout | None, report: Report) -> Opened:
    if isinstance(data, bytes):
        return ds.InMemoryDataset(read(data, layout or suggest(data), report)), BATCH
    path = Path(data)
    if not path.is_file():
        raise ParameterError("There is no such file. Check the path.")
    with path.open("rb") as file:
        start = file.read(LOOK)
    if start[:4] == b"PAR1" or start[:6] == b"ARROW1":
        return _typed(path, "parquet" if start[:4] == b"PAR1" else "feather")
    if path.stat().st_size > SPOOL:
        known = layout or suggest(start, whole=False)
        if known.format == "text":
            return _spooled(path, known), BATCH
    return _opened(path.read_bytes(), layout, report)


def _typed(path: Path, kind: str) -> Opened:
    """Open a file that stays on disk, in batches that are light by its footer."""
    try:
        if kind == "feather":
            opened, most = ds.dataset(path, format="feather"), BATCH
        else:
            format, most = _parquet(pq.read_metadata(path))
            opened = ds.dataset(path, format=format)
    except (pa.ArrowException, OSError):
        raise damaged(kind) from None
    check_header(opened.schema.names)
    return opened, most


def _parquet(told: pq.FileMetaData) -> tuple[ds.ParquetFileFormat, int]:
    """Return how to read a file: repeated texts by number, and how many rows at once."""
    groups = [told.row_group(i) for i in range(told.num_row_groups)]
    chunks = [group.column(i) for group in groups for i in range(group.num_columns)]
    repeated = {
        chunk.path_in_schema
        for chunk in chunks
        if chunk.physical_type == "BYTE_ARRAY"
        and chunk.total_uncompressed_size <= REPEATED * chunk.num_values
    }
    options = ds.ParquetReadOptions(dictionary_columns=repeated)
    heaviest = max((g.total_byte_size / max(g.num_rows, 1) for g in groups), default=0)
    rows = int(HEAVIEST / max(heaviest, 1))
    return ds.ParquetFileFormat(options, AS_NEEDED), min(max(rows, 1), BATCH)


def _spooled(path: Path, layout: Layout) -> ds.Dataset:
    """Turn a large text file batch by batch into a private Feather file, gone with the process."""
    folder = mkdtemp(prefix="discreet-")
    atexit.register(rmtree, folder, ignore_errors=True)
    encoding = "utf-8-sig" if layout.encoding == "utf-8" else layout.encoding
    spool = Path(folder) / "rows.feather"
    with path.open(encoding=encoding, newline="") as text:
        schema, batches = text_batches(text, layout.separator)
        with pa.OSFile(str(spool), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
    return ds.dataset(spool, format="feather")


def _digest_of_table(rows: ds.Dataset) -> str:
    sink = pa.BufferOutputStream()
    table = rows.to_table()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return sha256(sink.getvalue()).hexdigest()


def _digest_of_bytes(data: bytes | str | Path) -> str:
    if isinstance(data, bytes):
        return sha256(data).hexdigest()
    found = sha256()
    with Path(data).open("rb") as file:
        while piece := file.read(DIGEST_PIECE):
            found.update(piece)
    return found.hexdigest()
