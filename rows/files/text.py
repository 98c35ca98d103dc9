"""Text: rows of cells between separators, CSV and TSV among them; what nothing else recognises."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, Any, ClassVar, Self

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LOOK, MIB, MOST_CELLS
from discreet.rows.files.beginning import beginning
from discreet.rows.files.encoding import decoded, encoding_of, separator_of
from discreet.rows.files.foreign import refuse_foreign
from discreet.rows.files.format import Batches, Format, Job, Layout, Wrong
from discreet.rows.files.naming import fields

CELLS, NUL, LINE = "cells", "nul", "line"
ROOM = 512 * MIB  # what reading may take: it is read a piece at a time
PIECE_CELLS = 2**18
PIECE_SIGNS = 2**23
LONGEST_CELL = 1_000_000


class Text(Format):
    """A text: a line names the columns, or none does; each row below is read as it is written."""

    name: ClassVar[str] = "text"
    titles: ClassVar[tuple[str, ...]] = ("CSV", "TSV")
    rank: ClassVar[int] = 0
    adjustable: ClassVar[tuple[str, ...]] = ("encoding", "separator", "header", "skip", "comment", "row_names")
    streamed: ClassVar[bool] = True
    overfull: ClassVar[str] = CELLS

    def layout(self, data: bytes, whole: bool) -> Layout:
        """Guess encoding, separator and where the table begins; refuse what is no text."""
        refuse_foreign(data[:LOOK])
        encoding = encoding_of(data, whole)
        start = decoded(data[:LOOK], encoding)
        separator = separator_of(start)
        return Layout(self.name, encoding, separator, **beginning(start, separator)._asdict())

    def room(self, job: Job) -> int:
        """Take no more for a large text than for a small one."""
        return ROOM

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read cells as texts, so many rows at a time."""
        csv.field_size_limit(LONGEST_CELL)
        lines = Lines(io.TextIOWrapper(data, job["encoding"], newline=""), job["skip"], job["comment"])
        reader = csv.reader(lines, delimiter=job["separator"], strict=False)
        first: list[str] = next((rows[0] for rows in _rows(reader, 1, lines) if rows[0]), [])
        names = [""] * job["row_names"] + first
        schema = fields(names if job["header"] else len(first), pa.large_string())
        size = PIECE_CELLS // max(len(first), 1) + 1
        below = _rows(reader, size, lines)
        return schema, _columns(below if job["header"] else chain([[first]], below), schema)

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Say which line it is, or what to choose."""
        if reason == LINE:
            return ParameterError(
                "Line {line_num} cannot be read: a quote is not closed, or a cell is longer "
                "than {longest_cell:,} characters.",
                line_num=line,
                longest_cell=LONGEST_CELL,
            )
        if reason == NUL:
            return ParameterError("The file holds NUL characters. Choose another encoding.")
        if reason == CELLS:
            return ParameterError("The file has more than {most_cells:,} cells. Split it.", most_cells=MOST_CELLS)
        return super().refusal(reason, line)

    def damaged(self) -> ParameterError:
        """Say that the bytes are not what they were taken for."""
        return ParameterError("The file is not in this encoding. Choose another one.")


class Lines:
    """The lines of a text below those that are skipped, without comments: a comment is no part of a cell."""

    def __init__(self, text: io.TextIOWrapper, skip: int, comment: str) -> None:
        """Begin below so many lines."""
        self._lines, self._comment = islice(text, skip, None), comment
        self.signs, self.between = 0, True  # since rows were cut off last; whether a row may begin here

    def __iter__(self) -> Self:
        """Go on."""
        return self

    def __next__(self) -> str:
        """Return the next line that is none of the comments between rows."""
        for line in self._lines:
            if "\0" in line:
                raise Wrong(NUL)
            self.signs += len(line)
            if not (self.between and self._comment and line.startswith(self._comment)):
                self.between = False
                return line
        raise StopIteration


def _rows(reader: Any, size: int, lines: Lines) -> Iterator[list[list[str]]]:
    """Read so many rows at a time, or fewer long ones."""
    rows: list[list[str]] = []
    try:
        for row in reader:
            rows.append(row)
            lines.between = True
            if len(rows) >= size or lines.signs > PIECE_SIGNS:
                yield rows
                rows, lines.signs = [], 0
    except csv.Error:
        raise Wrong(LINE, reader.line_num) from None
    if rows:
        yield rows


def _columns(pieces: Iterator[list[list[str]]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Cut rows into columns. A short row lacks its last cells; a long row loses its surplus."""
    width = len(schema)
    for piece in pieces:
        rows = [(row + [""] * width)[:width] if len(row) != width else row for row in piece if row]
        if rows:
            arrays = [pa.array(column, pa.large_string()) for column in zip(*rows, strict=True)]
            yield pa.record_batch(arrays, schema=schema)
