"""Excel: one sheet of a workbook, its cells as texts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, Any, ClassVar

import pyarrow as pa
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum

from discreet.budget.errors import ParameterError
from discreet.rows.files.format import BEYOND, DAMAGED, Batches, Format, Job, Wrong, accepted
from discreet.rows.files.naming import fields, noted
from discreet.rows.files.typed import typed

TORN, ARCHIVE, LARGE_BOOK, OPEN_DOCUMENT = "torn", "archive", "book", "ods"
PART = 4  # of what a file may unpack to, a workbook may unpack to one in so many
PIECE_CELLS = 2**18


class Excel(Format):
    """A workbook: texts below the header; no columns if the sheet is empty."""

    name: ClassVar[str] = "excel"
    titles: ClassVar[tuple[str, ...]] = ("Excel (xlsx)",)
    rank: ClassVar[int] = 3
    magic: ClassVar[bytes] = b"PK\x03\x04"
    adjustable: ClassVar[tuple[str, ...]] = ("sheet", "header", "skip")

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read the chosen sheet, else the first that holds cells, of a workbook that does not grow too large."""
        book = io.BytesIO(data.read())
        _check(book, job["unpacked"] // PART)
        book.seek(0)
        try:
            workbook = CalamineWorkbook.from_filelike(book)
            names = [sheet.name for sheet in workbook.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
            sheet = _chosen(workbook, [name for name in names if job["sheet"] in ("", name)])
        except CalamineError:
            raise Wrong(DAMAGED) from None
        if sheet is None:
            return noted(pa.schema([]), sheets=names), ()
        rows = islice(sheet.iter_rows(), job["skip"], None)
        first: list[Any] = next((row for row in rows if any(cell != "" for cell in row)), [])
        header = list(map(typed, first)) if job["header"] else len(first)
        before = sheet.start[1]  # a stray cell to the left of a table moves no column
        schema = fields(header, pa.large_string(), before, sheets=names, sheet=sheet.name)
        below = rows if job["header"] else chain([first], rows)
        return schema, _batches(below, schema) if first else ()

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Say what the archive is, or what a workbook takes."""
        if reason == LARGE_BOOK:
            return ParameterError("This workbook unpacks beyond 512 MiB. Save it as CSV or Parquet.")
        if reason == ARCHIVE:
            return ParameterError(
                "This is a packed archive, not a workbook. Unpack it first. {accepted}", accepted=accepted()
            )
        if reason == OPEN_DOCUMENT:
            return ParameterError("This is an OpenDocument file. Save it as xlsx or CSV.")
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
        return ParameterError("This sheet is empty. Choose another sheet, or skip fewer lines.")

    def no_rows(self) -> ParameterError:
        """Say that there is nothing below the names."""
        return ParameterError("This sheet has a header but no rows. Choose another sheet, or skip fewer lines.")


def _chosen(workbook: CalamineWorkbook, names: list[str]) -> CalamineSheet | None:
    """Return the first of some sheets that holds cells; what a formula could not compute is no cell."""
    sheets = map(workbook.get_sheet_by_name, names)
    return next((sheet for sheet in sheets if sheet.start is not None), None)


def _check(book: IO[bytes], most: int) -> None:
    """Refuse an archive by its own list: one that is torn, no workbook, or large."""
    try:
        with zipfile.ZipFile(book) as packed:
            names = {item.filename for item in packed.infolist()}
            unpacked = sum(item.file_size for item in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise Wrong(TORN) from None
    if "xl/workbook.xml" not in names:
        raise Wrong(OPEN_DOCUMENT if {"mimetype", "content.xml"} <= names else ARCHIVE)
    if unpacked > most:
        raise Wrong(LARGE_BOOK)


def _batches(cells: Iterator[list[Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Read rows; a blank one is none, however far below it somebody's row stands."""
    rows = (row for row in cells if any(cell != "" for cell in row))
    size = PIECE_CELLS // len(schema) + 1
    while piece := list(islice(rows, size)):
        columns = zip(*piece, strict=True)
        yield pa.record_batch([list(map(typed, column)) for column in columns], schema=schema)
