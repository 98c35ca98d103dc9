"""Text: rows of cells between separators, CSV and TSV among them; what nothing else recognises."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import IO, Any, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LOOK, MIB, MOST_CELLS
from discreet.rows.files.encoding import decoded, encoding_of, separator_of
from discreet.rows.files.foreign import refuse_foreign
from discreet.rows.files.format import Batches, Format, Job, Layout, Wrong

CELLS, NUL, LINE = "cells", "nul", "line"
ROOM = 512 * MIB  # what reading may take: it is read a piece at a time
PIECE_CELLS = 2**18
PIECE_SIGNS = 2**23
LONGEST_CELL = 1_000_000


class Text(Format):
    """A text: its first line names the columns, each row below is read as it is written."""

    name: ClassVar[str] = "text"
    titles: ClassVar[tuple[str, ...]] = ("CSV", "TSV")
    rank: ClassVar[int] = 0
    adjustable: ClassVar[tuple[str, ...]] = ("encoding", "separator")
    streamed: ClassVar[bool] = True
    overfull: ClassVar[str] = CELLS

    def layout(self, data: bytes, whole: bool) -> Layout:
        """Guess encoding and separator; refuse what is no text."""
        refuse_foreign(data)
        encoding = encoding_of(data, whole)
        return Layout(self.name, encoding, separator_of(decoded(data[:LOOK], encoding)))

    def room(self, job: Job) -> int:
        """Take no more for a large text than for a small one."""
        return ROOM

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read cells as texts, so many rows at a time."""
        csv.field_size_limit(LONGEST_CELL)
        signs = [0]
        lines = _lines(io.TextIOWrapper(data, job["encoding"], newline=""), signs)
        reader = csv.reader(lines, delimiter=job["separator"], strict=False)
        header: list[list[str]] = next(_rows(reader, 1, signs), [[]])
        names = [name.strip() for name in header[0]]
        schema = pa.schema([(name, pa.large_string()) for name in names])
        size = PIECE_CELLS // max(len(names), 1) + 1
        return schema, _columns(_rows(reader, size, signs), schema)

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


def _lines(text: io.TextIOWrapper, signs: list[int]) -> Iterator[str]:
    for line in text:
        if "\0" in line:
            raise Wrong(NUL)
        signs[0] += len(line)
        yield line


def _rows(reader: Any, size: int, signs: list[int]) -> Iterator[list[list[str]]]:
    """Read so many rows at a time, or fewer long ones."""
    rows: list[list[str]] = []
    try:
        for row in reader:
            rows.append(row)
            if len(rows) >= size or signs[0] > PIECE_SIGNS:
                yield rows
                rows, signs[0] = [], 0
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
