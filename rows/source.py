"""Source: where rows come from: a few methods that hide which kind of source it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pyarrow as pa
import pyarrow.dataset as ds

from discreet.budget.errors import ParameterError, kind_of
from discreet.rows.counting import Counts, Tally, Task
from discreet.rows.files import Format, Layout, formats
from discreet.rows.files.csv import Text
from discreet.rows.files.format import nested_in
from discreet.rows.files.typed import BATCH
from discreet.rows.intake import parser
from discreet.rows.intake.opening import Keeping, opened, silent, suggested
from discreet.rows.intake.parser import Report, check_header
from discreet.rows.kernel import Estimate, Kernel, batches, estimated, first
from discreet.rows.persons import Lots, Shards
from discreet.rows.sealing import Content, Plain

# --- Digests: the hash of the rows' content, which names their session budget ---

PIECE = 2**22


def of_table(table: pa.Table) -> str:
    """Return the hash of a table in memory."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return sha256(sink.getvalue()).hexdigest()


def of_bytes(data: bytes | Content) -> str:
    """Return the hash of a file."""
    if isinstance(data, bytes):
        return sha256(data).hexdigest()
    digest = sha256()
    with data.open() as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


T = TypeVar("T")
READING = 2  # incremented when cells of a file are parsed differently than before


class Source(Protocol):
    """Rows in record batches, wherever they are stored."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns: public."""

    @property
    def digest(self) -> str:
        """A hash of the content: the name of its session budget."""

    @property
    def ground(self) -> str | None:
        """What the rows depend on, whenever they are read: a hash; None if they may change."""

    def counts(self, task: Task) -> Counts:
        """Count rows, regardless of persons."""

    def capped(self, task: Task, lots: Lots) -> Counts:
        """Count at most the declared number of rows of each person, or one number for each."""

    def group(self, estimate: Estimate, task: Task, lots: Lots, groups: int) -> list[Any]:
        """Collect the rows of each secret group and return the groups' estimates, in order."""

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for open data."""


class Batched(ABC):
    """A source that yields record batches: all methods run kernels in this process.

    An engine implements where batches come from. One that counts where the rows are stored overrides `counts`.
    """

    @abstractmethod
    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: T) -> T:
        """Run a kernel once for each record batch and add the partial results to `start`, in place."""

    @property
    def ground(self) -> str | None:
        """None: rows may change, unless a subclass overrides this."""
        return None

    def counts(self, task: Task) -> Counts:
        """Count rows, regardless of persons."""
        tally = Tally(task.cells, task.ticks)
        return self.map(Kernel(task).places, task.reads, tally).counts()

    def capped(self, task: Task, lots: Lots) -> Counts:
        """Count at most the declared number of rows of each person, or one number for each."""
        kernel = Kernel(task)
        return self.map(lambda batch: kernel.rows(batch, lots), task.reads, Shards(task)).counts()

    def group(self, estimate: Estimate, task: Task, lots: Lots, groups: int) -> list[Any]:
        """Collect the rows of each secret group and return the groups' estimates, in order."""
        kernel = Kernel(task)
        parts: list[Any] = self.map(lambda batch: [kernel.blocks(batch, lots, groups)], task.reads, [])
        return estimated(parts, estimate, groups)


def check_file(data: object) -> None:
    """Raise ParameterError for what is neither a path of this machine, nor bytes, nor content."""
    if isinstance(data, str) and "://" in data:
        raise ParameterError("Only files of this machine can be read. Download the file, and pass its path.")
    if not isinstance(data, (str, Path, bytes)) and not hasattr(data, "open"):
        raise ParameterError(
            "A file is read by its path or its bytes. Got {kind}. Pass a frame to Dataset, or to ArrowSource.",
            kind=kind_of(data),
        )


class LocalSource(Batched):
    """A table in memory, an upload, or a file of Parquet or Feather read batch by batch."""

    _file: bytes | Content | None = None
    _layout: Layout | None = None
    _nested: Sequence[str] = ()

    def __init__(
        self,
        data: pa.Table | bytes | str | Path | Content,
        layout: Layout | None = None,
        report: Report = silent,
        keeping: Keeping | None = None,
    ) -> None:
        """Open a table, the bytes of an upload, or a path (large Parquet stays on disk).

        Without a layout a file is read as its public beginning suggests. `report` is called with how much of it has
        been read; an error that it raises ends the reading.
        """
        if isinstance(data, pa.Table):
            check_header(data.column_names)
            self._rows: ds.Dataset = ds.InMemoryDataset(data)
            self._names = data.column_names
            self._most = BATCH
            self._file = None
        else:
            check_file(data)
            self._file = Plain(Path(data)) if isinstance(data, (str, Path)) else data
            self._layout, keeping = layout or suggested(self._file), keeping or Keeping()
            self._rows, self._names, self._most = opened(self._file, self._layout, report, keeping)
            self._nested = keeping.notes.get("nested", [])
            self._layout = formats[self._layout.format].settled(self._layout, keeping.notes)

    @property
    def is_file(self) -> bool:
        """Whether rows are parsed from bytes, for which there are several layouts, rather than given as a table."""
        return self._file is not None

    @property
    def format(self) -> Format | None:
        """The format of the file; None for a table in memory or files of a folder."""
        return None if self._layout is None else formats[self._layout.format]

    @property
    def layout(self) -> Layout | None:
        """How the file is read, to be declared with its columns; None if the format has no choices."""
        layout = self._layout
        if layout is None or not formats[layout.format].adjustable:
            return None
        return layout if layout.header else replace(layout, columns=len(self._names))

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        return list(self._names)

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns as a format declares them: public, like their names."""
        return {field.name: field.type for field in self._rows.schema}

    @property
    def unusable(self) -> Sequence[str]:
        """The columns whose cells are lists or objects, which are not read."""
        return [*self._nested, *nested_in(self._rows.schema)]

    @property
    def textual(self) -> bool:
        """Whether cells are text as people wrote it (CSV and similar), in which numbers may have any spelling."""
        return self._layout is not None and self._layout.format == Text.name

    @cached_property
    def digest(self) -> str:
        """A hash of the content, computed once."""
        return of_table(self._rows.to_table()) if self._file is None else of_bytes(self._file)

    @property
    def ground(self) -> str | None:
        """The hash of the content, and how it is read."""
        return f"{READING}:{self.digest}:{self.layout!r}"

    @property
    def weight(self) -> int:
        """The bytes of the rows in memory; 0 where they are read from a file."""
        rows = self._rows
        return parser.weight(rows.to_table()) if isinstance(rows, ds.InMemoryDataset) else 0

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for open data."""
        return first(self._rows, columns, most, self._most)

    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: T) -> T:
        """Run a kernel once for each record batch and add the partial results to `start`, in place."""
        for batch in batches(self._rows, columns, self._most):
            start += kernel(batch)
        return start
