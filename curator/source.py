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
import pyarrow.dataset as ds
from numpy.typing import NDArray

from budget.errors import ParameterError
from curator.reading import Report, check_header, read, silent, text_batches
from curator.sniff import LOOK, MIB, Layout, suggest
from queries.bounds import IntArray

T = TypeVar("T")
BATCH = 2**19  # rows a batch: large enough for dense counts, small enough for memory
DIGEST_PIECE = 2**22
SPOOL = 32 * MIB  # larger text files are read out of core
# read as it is needed: buffering ahead would hold a large file in memory
PARQUET = ds.ParquetFileFormat(
    default_fragment_scan_options=ds.ParquetFragmentScanOptions(
        pre_buffer=False, use_buffered_stream=True
    )
)
Assign = Callable[[pa.RecordBatch], tuple[IntArray, Sequence[NDArray[Any]]]]
Estimate = Callable[..., Any]


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
            self._digest: Callable[[ds.Dataset], str] = _digest_of_table
        else:
            self._rows = _opened(data, layout, report)
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
            columns=list(columns), batch_size=BATCH, batch_readahead=1, fragment_readahead=1
        )
        return iter(scanner.to_batches())

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for data that are open."""
        return self._rows.head(most, columns=list(columns))

    def map(self, kernel: Callable[[pa.RecordBatch], T], columns: Sequence[str], start: T) -> T:
        """Run a kernel once per record batch and add the partial results to `start`."""
        for batch in self._batches(columns):
            start = start + kernel(batch)  # type: ignore[operator]
        return start

    def group(
        self, estimate: Estimate, assign: Assign, columns: Sequence[str], groups: int
    ) -> list[Any]:
        """Bring all rows of a secret group together and estimate each, in order of the groups."""
        parts = [assign(batch) for batch in self._batches(columns)]
        if not parts:
            return [estimate() for _ in range(groups)]
        labels = np.concatenate([labels for labels, _ in parts])
        values = [np.concatenate(piece) for piece in zip(*(v for _, v in parts), strict=True)]
        order = np.argsort(labels, kind="stable")
        ends = np.searchsorted(labels[order], np.arange(groups + 1))
        sorted_values = [column[order] for column in values]
        return [
            estimate(*(column[ends[g] : ends[g + 1]] for column in sorted_values))
            for g in range(groups)
        ]


def _opened(data: bytes | str | Path, layout: Layout | None, report: Report) -> ds.Dataset:
    if isinstance(data, bytes):
        return ds.InMemoryDataset(read(data, layout or suggest(data), report))
    path = Path(data)
    if not path.is_file():
        raise ParameterError("There is no such file. Check the path.")
    with path.open("rb") as file:
        start = file.read(LOOK)
    if start[:4] == b"PAR1" or start[:6] == b"ARROW1":
        opened = ds.dataset(path, format=PARQUET if start[:4] == b"PAR1" else "feather")
        check_header(opened.schema.names)
        return opened
    if path.stat().st_size > SPOOL:
        known = layout or suggest(start, whole=False)
        if known.format == "text":
            return _spooled(path, known)
    return _opened(path.read_bytes(), layout, report)


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
