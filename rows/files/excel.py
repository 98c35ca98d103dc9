"""Excel: the first sheet of a workbook, its cells as texts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any, ClassVar

import pyarrow as pa
from python_calamine import CalamineError, CalamineWorkbook

from discreet.budget.errors import ParameterError
from discreet.rows.files.format import BEYOND, DAMAGED, Batches, Format, Job, Wrong, accepted

TORN, ARCHIVE, LARGE_BOOK = "torn", "archive", "book"
PART = 4  # of what a file may unpack to, a workbook may unpack to one in so many
PIECE_CELLS = 2**18


class Excel(Format):
    """A workbook: texts below the header; no columns if its first sheet is empty."""

    name: ClassVar[str] = "excel"
    titles: ClassVar[tuple[str, ...]] = ("Excel (xlsx)",)
    rank: ClassVar[int] = 3
    magic: ClassVar[bytes] = b"PK\x03\x04"

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read the first sheet, if what is packed is a workbook that does not grow too large."""
        book = io.BytesIO(data.read())
        _check(book, job["unpacked"] // PART)
        book.seek(0)
        try:
            sheet = CalamineWorkbook.from_filelike(book).get_sheet_by_index(0)
        except CalamineError:
            raise Wrong(DAMAGED) from None
        if sheet.start is None:
            return pa.schema([]), ()
        rows = islice(sheet.iter_rows(), sheet.start[0], None)
        schema = pa.schema([(_text(name).strip(), pa.large_string()) for name in next(rows)])
        return schema, _batches(rows, schema)

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Say what the archive is, or what a workbook takes."""
        if reason == LARGE_BOOK:
            return ParameterError("This workbook unpacks beyond 512 MiB. Save it as CSV or Parquet.")
        if reason == ARCHIVE:
            return ParameterError("This is a packed archive, not a workbook. {accepted}", accepted=accepted())
        if reason == TORN:
            return ParameterError("This packed file is damaged. {accepted}", accepted=accepted())
        if reason == BEYOND:
            return ParameterError(
                "This workbook takes too much memory. Delete cells far from the table, or save it as CSV or Parquet."
            )
        return self.damaged()

    def damaged(self) -> ParameterError:
        """Say that it cannot be read."""
        return ParameterError("This workbook cannot be read. Save it again as xlsx or CSV.")

    def no_columns(self) -> ParameterError:
        """Say that there is no table where it is looked for."""
        return ParameterError("The first sheet is empty. Move the table to the first sheet.")


def _check(book: IO[bytes], most: int) -> None:
    """Refuse an archive by its own list: one that is torn, no workbook, or large."""
    try:
        with zipfile.ZipFile(book) as packed:
            names = {item.filename for item in packed.infolist()}
            unpacked = sum(item.file_size for item in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise Wrong(TORN) from None
    if "xl/workbook.xml" not in names:
        raise Wrong(ARCHIVE)
    if unpacked > most:
        raise Wrong(LARGE_BOOK)


def _batches(rows: Iterator[list[Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    size = PIECE_CELLS // len(schema) + 1
    while piece := list(islice(rows, size)):
        columns = zip(*piece, strict=True)
        yield pa.record_batch([[_text(cell) for cell in column] for column in columns], schema=schema)


def _text(cell: Any) -> str:
    """Write a workbook's cell as text: 5.0 is 5, a date is its ISO form."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    return cell if isinstance(cell, str) else str(cell)
