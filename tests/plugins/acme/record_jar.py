"""Record jar: a line for each cell, and one of two percent signs between records; the first one names the columns."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.files.format import DAMAGED, Batches, Format, Job, Wrong

PIECE = 2**12


class RecordJar(Format):
    """Records of lines."""

    name: ClassVar[str] = "record-jar"
    titles: ClassVar[tuple[str, ...]] = ("record jars",)
    magic: ClassVar[bytes] = b"%%\n"
    streamed: ClassVar[bool] = True

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read cells as texts."""
        rows = _rows(io.TextIOWrapper(data, "utf-8"))
        first = next(rows)
        schema = pa.schema([(name, pa.large_string()) for name in first])
        return schema, _batches(chain([first], rows), schema)

    def damaged(self) -> ParameterError:
        """Say that a line is no cell."""
        return ParameterError("A line of this file is no cell. Write it again.")


def _rows(lines: io.TextIOWrapper) -> Iterator[dict[str, str]]:
    row: dict[str, str] = {}
    for line in chain(lines, ["%%"]):
        name, colon, cell = line.partition(":")
        if line.strip() == "%%":
            if row:
                yield row
            row = {}
        elif colon:
            row[name] = cell.strip()
        else:
            raise Wrong(DAMAGED)


def _batches(rows: Iterator[dict[str, str]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    while piece := list(islice(rows, PIECE)):
        columns = ([row.get(name) for row in piece] for name in schema.names)
        yield pa.record_batch([pa.array(column, pa.large_string()) for column in columns], schema=schema)
