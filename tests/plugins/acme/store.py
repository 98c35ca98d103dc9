"""A store of tables: `acme:///folder` and the name of a file in it, which may change between two questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pyarrow import feather

from discreet.budget import Phrase
from discreet.rows.engines.address import Tabled
from discreet.rows.source import Batched


@dataclass(frozen=True, repr=False)
class Store(Tabled):
    """The address of a table of a store."""

    format: ClassVar[str] = "acme-store"
    schemes: ClassVar[tuple[str, ...]] = ("acme://",)
    unreadable: ClassVar[Phrase] = Phrase("This address of a store cannot be read.")

    @property
    def file(self) -> Path:
        """Where the table lies."""
        return Path(self.url.removeprefix("acme://")) / f"{self.table}.feather"

    @property
    def identity(self) -> tuple[Any, ...]:
        """Which table of which store."""
        return (str(self.file),)

    @property
    def bare(self) -> Store:
        """The same: no password leads there."""
        return self

    def source(self) -> Rows:
        """Return its rows."""
        return Rows(self)

    def knock(self) -> None:
        """See whether it is there."""
        self.file.stat()


class Rows(Batched):
    """The rows of a table of a store."""

    def __init__(self, where: Store) -> None:
        """Take an address."""
        self.where = where

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        return self._now().column_names

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns."""
        return {field.name: field.type for field in self._now().schema}

    @property
    def digest(self) -> str:
        """A hash of where the rows are."""
        return self.where.digest

    def settled(self) -> Rows:
        """Return the same."""
        return self

    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: Any) -> Any:
        """Run a kernel for each batch."""
        for batch in self._now().select(list(columns)).to_batches():
            start += kernel(batch)
        return start

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows."""
        return self._now().select(list(columns)).slice(0, most)

    def _now(self) -> pa.Table:
        return feather.read_table(self.where.file)
