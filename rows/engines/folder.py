"""Folder: many Parquet files that form one table, read one after the other as needed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from glob import glob, has_magic
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, TypeGuard

import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows import source
from discreet.rows.engines.address import Located
from discreet.rows.engines.arrow import ArrowSource, ArrowStream
from discreet.rows.files.typed import together
from discreet.rows.intake.parser import check_header
from discreet.rows.sealing import Plain
from discreet.rows.source import READING, Batched, LocalSource, Source, T

FORMAT = "folder"
ENDING = "*.parquet"
Stamp = tuple[tuple[str, int, int, int], ...]  # of each file: path, inode, size, and time of modification


class FolderSource(LocalSource):
    """The files `*.parquet` of a folder, or those that match a pattern: their rows form one table.

    Rows that change while they are in use are refused: to use the new rows, open the folder again.
    """

    def __init__(self, place: str | Path) -> None:
        """Find the files, and the columns that all of them have."""
        self._files = listed(place)
        self._stamp = stamp(self._files)
        self._rows, self._names, self._most = together([str(file) for file in self._files])
        check_header(self._names)

    @cached_property
    def digest(self) -> str:
        """A hash of the content of all files, independent of their names; computed once."""
        with self._steady():
            return sha256(json.dumps([FORMAT, sorted(self._contents)]).encode()).hexdigest()

    @property
    def ground(self) -> str | None:
        """The hash of the files' contents in reading order, because the words of rows depend on it."""
        with self._steady():
            order = sha256(json.dumps(self._contents).encode()).hexdigest()
        return f"{READING}:{self.digest}:{order}"

    @cached_property
    def _contents(self) -> list[str]:
        return [source.of_bytes(Plain(file)) for file in self._files]

    def holds(self, files: Sequence[Path]) -> bool:
        """Return whether files are those that were opened, and unchanged."""
        return stamp(files) == self._stamp

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for open data."""
        with self._steady():
            return super().head(columns, most)

    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: T) -> T:
        """Run a kernel once for each record batch and add the partial results to `start`, in place."""
        with self._steady():
            return super().map(kernel, columns, start)

    @contextmanager
    def _steady(self) -> Iterator[None]:
        """Raise ParameterError if files were added, removed or changed during the block."""
        try:
            yield
            steady = self.holds(self._files)
        except (pa.ArrowException, OSError):
            steady = False
        if not steady:
            raise ParameterError("A file in this folder is damaged or was changed while in use. Open the folder again.")


def opened(place: str) -> LocalSource:
    """Open a path: a file, a folder of files, or the files that match a pattern."""
    file = Path(place)
    if file.is_dir() or (has_magic(place) and not file.exists()):
        return FolderSource(place)
    return LocalSource(place)


Rows = str | Path | bytes | ArrowStream


def source_of(data: Source | Rows) -> Source:
    """Return the rows that a caller means: a source, a path, the bytes of a file, or a frame of another library."""
    if isinstance(data, (str, Path)):
        return opened(str(data))
    if isinstance(data, bytes):
        return LocalSource(data)
    return data if _is_source(data) else ArrowSource(data)  # type: ignore[arg-type]  # refused there


def _is_source(data: object) -> TypeGuard[Source]:
    """Return whether something counts rows itself; asked of its type, because a frame has its columns as attributes."""
    return hasattr(type(data), "counts") and hasattr(type(data), "capped")


def listed(place: str | Path) -> list[Path]:
    """Return the files of a folder or a pattern, in a fixed order."""
    folder = Path(place).resolve()
    if folder.is_dir():
        return listed_in(folder)
    return _some(sorted({Path(path).resolve() for path in glob(str(place), recursive=True)}))


def listed_in(folder: Path) -> list[Path]:
    """Return the files of a folder, in a fixed order; raise ParameterError if one of them is a link."""
    files = sorted(path for path in folder.glob(ENDING) if not path.name.startswith((".", "_")))
    if any(path.is_symlink() for path in files):
        raise ParameterError("A file in this folder is a link to another place. Replace it with the file itself.")
    return _some(files if folder.is_dir() else [])


def _some(files: list[Path]) -> list[Path]:
    files = [path for path in files if path.is_file()]
    if not files:
        raise ParameterError("This folder has no Parquet files ({ending}). Check the folder.", ending=ENDING)
    return files


def stamp(files: Sequence[Path]) -> Stamp:
    """Return facts that distinguish files from later replacements; empty if any is gone."""
    try:
        facts = [(str(file), file.stat()) for file in files]
    except OSError:
        return ()
    return tuple((name, fact.st_ino, fact.st_size, fact.st_mtime_ns) for name, fact in facts)


# --- Live folder: files that may be added, removed and changed between queries, under one budget ---


@dataclass(frozen=True)
class Folder(Located):
    """The path of a folder, as an officer gives it."""

    format: ClassVar[str] = FORMAT
    unreadable: ClassVar[Phrase] = Phrase("This folder cannot be read.")

    path: str

    def __post_init__(self) -> None:
        """Raise ParameterError for anything but a normal absolute path, before anything is opened."""
        good = isinstance(self.path, str) and "\0" not in self.path and Path(self.path).is_absolute()
        if not good or os.path.normpath(self.path) != self.path:
            raise ParameterError("This is not a folder. Enter an absolute path, such as /srv/registers/people.")

    @property
    def identity(self) -> tuple[Any, ...]:
        """The folder, with links resolved."""
        return (str(self.resolved),)

    @property
    def place(self) -> str:
        """The path, as it was given."""
        return self.path

    @property
    def resolved(self) -> Path:
        """The path, with links resolved."""
        return Path(self.path).resolve()

    @property
    def bare(self) -> Folder:
        """The address itself: a folder has no password."""
        return self

    def source(self) -> LiveFolder:
        """Return the source; nothing is opened before it is needed."""
        return LiveFolder(self)

    def knock(self) -> None:
        """Check that the folder can be listed; no file is opened."""
        _ = self.source().names


class LiveFolder(Batched):
    """Rows of a folder of Parquet files, which are listed again for every query."""

    def __init__(self, where: Folder) -> None:
        """Take a folder; nothing is opened before it is needed."""
        self.where = where
        self._last: FolderSource | None = None

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the columns, as they were when first requested."""
        return self._now().names

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns as the files declare them: public, like their names."""
        return self._now().types

    @property
    def digest(self) -> str:
        """A hash of where the rows are stored: they may change, their budget does not."""
        return self.where.digest

    def settled(self) -> LiveFolder:
        """Return the source with the one full name of its folder."""
        there = Folder(str(self.where.resolved)).source()
        return there if there.names else self

    def map(self, kernel: Callable[[pa.RecordBatch], Any], columns: Sequence[str], start: T) -> T:
        """Run a kernel once for each record batch and add the partial results to `start`, in place."""
        return self._now().map(kernel, columns, start)

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows, for open data."""
        return self._now().head(columns, most)

    def _now(self) -> FolderSource:
        """Return the files as they are now; footers are read again only if a file has changed.

        Only a folder is accepted, not a pattern: a pattern would follow links, and each pattern would be another
        budget.
        """
        files = listed_in(self.where.resolved)
        if self._last is None or not self._last.holds(files):
            self._last = FolderSource(self.where.resolved)
        return self._last
