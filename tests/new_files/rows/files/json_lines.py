"""JSON lines: one object a line; the first one names the columns."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, Any, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.files.format import DAMAGED, Batches, Format, Job, Wrong

PIECE = 2**12


class JsonLines(Format):
    """Objects on lines of their own."""

    name: ClassVar[str] = "json-lines"
    titles: ClassVar[tuple[str, ...]] = ("JSON lines",)
    streamed: ClassVar[bool] = True

    def recognises(self, start: bytes) -> bool:
        """Look for an object on the first line."""
        return start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read cells as texts."""
        rows = _rows(io.TextIOWrapper(data, "utf-8-sig"))
        first = next(rows)
        schema = pa.schema([(name, pa.large_string()) for name in first])
        return schema, _batches(chain([first], rows), schema)

    def damaged(self) -> ParameterError:
        """Say that a line is no object."""
        return ParameterError("A line of this file is no JSON object. Write it again.")


def _rows(lines: io.TextIOWrapper) -> Iterator[dict[str, Any]]:
    for line in filter(str.strip, lines):
        row = json.loads(line)
        if not isinstance(row, dict):
            raise Wrong(DAMAGED)
        yield row


def _batches(rows: Iterator[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    while piece := list(islice(rows, PIECE)):
        columns = ([_text(row.get(name)) for row in piece] for name in schema.names)
        yield pa.record_batch([pa.array(column, pa.large_string()) for column in columns], schema=schema)


def _text(cell: Any) -> str | None:
    return cell if cell is None or isinstance(cell, str) else json.dumps(cell)
