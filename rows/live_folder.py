"""Live folder: files that may come, go and change between two questions, under one budget.

The digest names the folder and not the content. All files must keep one schema: a column that is
written with another type because of one row would make an answer a refusal because of that row.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows import folder
from discreet.rows.folder import FolderSource
from discreet.rows.located import Located
from discreet.rows.source import Batched, T


@dataclass(frozen=True)
class Folder(Located):
    """The place of a folder, as an officer names it."""

    format: ClassVar[str] = folder.FORMAT
    unreadable: ClassVar[Phrase] = Phrase("This folder cannot be read.")

    path: str

    def __post_init__(self) -> None:
        """Refuse what is no place, before anything is opened."""
        good = isinstance(self.path, str) and "\0" not in self.path and Path(self.path).is_absolute()
        if not good or os.path.normpath(self.path) != self.path:
            raise ParameterError("This is no folder. Write it from / on, as in /srv/registers/people.")

    @property
    def identity(self) -> tuple[Any, ...]:
        """Which folder, without links."""
        return (str(self.resolved),)

    @property
    def place(self) -> str:
        """The folder, as it was named."""
        return self.path

    @property
    def resolved(self) -> Path:
        """Where it leads, without links."""
        return Path(self.path).resolve()

    @property
    def bare(self) -> Folder:
        """The same folder: no password leads there."""
        return self

    def source(self) -> LiveFolder:
        """Return its rows; nothing is opened before it is needed."""
        return LiveFolder(self)

    def knock(self) -> None:
        """See whether the folder can be listed; no file is opened."""
        _ = self.source().names


class LiveFolder(Batched):
    """Rows of a folder of Parquet files, which are looked for at every question."""

    def __init__(self, where: Folder) -> None:
        """Take a folder; nothing is opened before it is needed."""
        self.where = where
        self._last: FolderSource | None = None

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns, as they were when they were first asked for."""
        return self._now().names

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns as the files declare them: public, like their names."""
        return self._now().types

    @property
    def digest(self) -> str:
        """A hash of where the rows are: they may change, their budget stays."""
        return self.where.digest

    def settled(self) -> LiveFolder:
        """Return the same rows under the one full name of their folder."""
        there = Folder(str(self.where.resolved)).source()
        return there if there.names else self

    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: T) -> T:
        """Run a kernel once for each record batch and add the partial results to `start`, in place."""
        return self._now().map(kernel, columns, start)

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for data that are open."""
        return self._now().head(columns, most)

    def _now(self) -> FolderSource:
        """Return the files as they are now; footers are read again only where one has changed.

        A pattern is no folder: it would follow links, and each pattern would be another budget.
        """
        files = folder.listed_in(self.where.resolved)
        if self._last is None or not self._last.holds(files):
            self._last = FolderSource(self.where.resolved)
        return self._last
