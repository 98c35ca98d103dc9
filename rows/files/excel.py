"""Excel: one sheet of a workbook, its cells as texts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import IO, Any, ClassVar

import pyarrow as pa
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.files.book_parts import Sheets
from discreet.rows.files.format import (
    BEYOND,
    DAMAGED,
    TORN,
    Batches,
    Format,
    Job,
    Layout,
    Wrong,
    accepted,
    fields,
    noted,
)
from discreet.rows.files.typed import typed

ARCHIVE = "archive"
LARGE_BOOK = "book"
OPEN_DOCUMENT = "ods"
BINARY = "xlsb"
PART = 4  # a workbook may unpack to this fraction of the limit for other files
PIECE_CELLS = 2**18
SEVERAL = Phrase("This workbook has {many} sheets: {names}. Choose one.")
DOUBTS = {
    "names": Phrase(
        "Cells {cells} are merged in the line with the column names. Skip the lines above the "
        "names, or unmerge these cells."
    ),
    "merged": Phrase(
        "Cells {cells} are merged, so only the first one has a value. Unmerge all cells of the "
        "table, fill in each cell, and upload the file again."
    ),
    "uncomputed": Phrase(
        "This sheet contains formulas that have not been computed. Open the file in a spreadsheet program, and save it."
    ),
}


class Unchosen(ParameterError):
    """A workbook with several sheets, none of which was chosen."""

    def __init__(self, sheets: list[str]) -> None:
        """Take the names of the sheets."""
        self.sheets = sheets
        super().__init__(SEVERAL, many=len(sheets), names=", ".join(sheets))

    def __reduce__(self) -> tuple[type[Unchosen], tuple[list[str]]]:
        """Rebuild from the names, so that the error survives a process boundary."""
        return type(self), (self.sheets,)


class Excel(Format):
    """A workbook: cells as texts below the header; no columns if the sheet is empty."""

    name: ClassVar[str] = "excel"
    titles: ClassVar[tuple[str, ...]] = ("Excel (xlsx)",)
    rank: ClassVar[int] = 3
    magic: ClassVar[bytes] = b"PK\x03\x04"
    adjustable: ClassVar[tuple[str, ...]] = ("sheet", "header", "skip")

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read the chosen sheet, or else the only one with cells, of a workbook within the size limit."""
        book = io.BytesIO(data.read())
        _check(book, job["unpacked"] // PART)
        book.seek(0)
        try:
            workbook = CalamineWorkbook.from_filelike(book)
            names, choices = _sheets(workbook, Sheets(book))
            if job["sheet"]:
                choices = [name for name in names if name == job["sheet"]]
            elif job.get("again"):
                choices = _first(workbook, names)
            if len(choices) != 1:
                return noted(pa.schema([]), sheets=names, choices=choices, missing=job["sheet"]), ()
            sheet = workbook.get_sheet_by_name(choices[0])
        except CalamineError:
            raise Wrong(DAMAGED) from None
        return _table(sheet, names, Sheets(book), job)

    def settled(self, layout: Layout, notes: dict[str, Any]) -> Layout:
        """Return the layout with the sheet that was read."""
        return replace(layout, sheet=layout.sheet or notes.get("sheet", ""))

    def refused(self, notes: dict[str, Any]) -> ParameterError:
        """Return the error with the sheets to choose from, or with what prevents reading a table."""
        if len(notes.get("choices", [])) > 1:
            return Unchosen(notes["choices"])
        if "missing" in notes:
            return ParameterError(
                "No sheet with this name contains a table. The sheets of this workbook are: {names}.",
                names=", ".join(notes["sheets"]),
            )
        for doubt, sentence in DOUBTS.items():
            if doubt in notes:
                return ParameterError(sentence, cells=notes[doubt])
        return self.no_columns()

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Return the error for an archive that is not a workbook, or for its size."""
        if reason == LARGE_BOOK:
            return ParameterError("This workbook is larger than 512 MiB when unpacked. Save it as CSV or Parquet.")
        if reason == ARCHIVE:
            return ParameterError(
                "This is a compressed archive, not a workbook. Unpack it first. {accepted}", accepted=accepted()
            )
        if reason == OPEN_DOCUMENT:
            return ParameterError("This is an OpenDocument file. Save it as xlsx or CSV.")
        if reason == BINARY:
            return ParameterError("This is a binary workbook (xlsb). Save it as xlsx.")
        if reason == TORN:
            return ParameterError("This packed file is damaged. {accepted}", accepted=accepted())
        if reason == BEYOND:
            return ParameterError(
                "This workbook needs too much memory. Delete cells far from the table, or save it as CSV or Parquet."
            )
        return self.damaged()

    def damaged(self) -> ParameterError:
        """Return the error for a workbook that cannot be read."""
        return ParameterError("This workbook cannot be read. Save it again as xlsx or CSV.")

    def no_columns(self) -> ParameterError:
        """Return the error for an empty sheet."""
        return ParameterError("This sheet is empty. Choose another sheet, or skip fewer lines.")

    def no_rows(self) -> ParameterError:
        """Return the error for a sheet without rows below the header."""
        return ParameterError("This sheet has a header but no rows. Choose another sheet, or skip fewer lines.")


def _sheets(workbook: CalamineWorkbook, parts: Sheets) -> tuple[list[str], list[str]]:
    """Return the names of all sheets, and of those to choose from: the visible ones with cells, else all with cells."""
    sheets = [sheet for sheet in workbook.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
    filled = [sheet for sheet in sheets if parts.filled(sheet.name)]
    seen = [sheet for sheet in filled if sheet.visible == SheetVisibleEnum.Visible]
    return [sheet.name for sheet in sheets], [sheet.name for sheet in seen or filled]


def _first(workbook: CalamineWorkbook, names: list[str]) -> list[str]:
    """Return the first sheet with cells, which was the default before several sheets required a choice."""
    return [name for name in names if workbook.get_sheet_by_name(name).start is not None][:1]


def _table(sheet: CalamineSheet, names: list[str], parts: Sheets, job: Job) -> tuple[pa.Schema, Batches]:
    """Read a sheet below the skipped lines; columns without a name are named by their place in it."""
    notes: dict[str, Any] = {"sheets": names, "sheet": sheet.name, "percent": parts.percentages(sheet.name)}
    left = sheet.start[1] if sheet.start else 0  # rows are counted from the first of the sheet, cells are not
    rows = enumerate(sheet.iter_rows() if sheet.start else ())
    filled = ((at, row) for at, row in rows if at >= job["skip"] and any(cell != "" for cell in row))
    at, first = next(filled, (0, []))
    doubts = {} if job.get("again") or not first else _doubts(sheet, parts, at if job["header"] else -1, at)
    if doubts or not (first or job["width"]):
        return noted(pa.schema([]), **notes, **doubts), ()
    below = (row for _, row in filled)
    if job["header"]:
        schema = fields(list(map(typed, first)), pa.large_string(), left + 1, **notes)
        return schema, _batches(below, schema)
    left = 0 if job.get("again") and not job["width"] else left  # as it was read before columns were counted
    width = job["width"] or left + len(first)  # declared: which columns exist does not depend on filled cells
    schema = fields(width, pa.large_string(), **notes)
    whole = ([*[""] * left, *row, *[""] * width][:width] for row in chain([first] if first else [], below))
    return schema, _batches(whole, schema)


def _doubts(sheet: CalamineSheet, parts: Sheets, names: int, first: int) -> dict[str, Any]:
    """Return what of a sheet, from its first line on, would be read differently from how it is displayed.

    In a merged range only the first cell has a value, but all of its rows are displayed with it. If it were read so,
    one person's row would determine the cells of others. Therefore nothing is filled in, and the file is refused when
    it is uploaded; when it is read `again`, each row is taken by itself.
    """
    last = sheet.end or (0, 0)
    ranges = [(low, high) for low, high in sheet.merged_cell_ranges or () if high[0] >= first and low[0] <= last[0]]
    for low, high in sorted(ranges):
        name = f"{_called(*low)}:{_called(*high)}"
        return {"names": name} if low[0] <= names <= high[0] else {"merged": name}
    return {"uncomputed": True} if parts.uncomputed(sheet.name) else {}


def _called(row: int, column: int) -> str:
    """Return the name of a cell in a spreadsheet."""
    letters = ""
    place = column + 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def _check(book: IO[bytes], most: int) -> None:
    """Raise Wrong for an archive that, by its own directory, is torn, not a workbook, or too large."""
    try:
        with zipfile.ZipFile(book) as packed:
            names = {item.filename for item in packed.infolist()}
            unpacked = sum(item.file_size for item in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise Wrong(TORN) from None
    if "xl/workbook.xml" not in names:
        if "xl/workbook.bin" in names:
            raise Wrong(BINARY)
        raise Wrong(OPEN_DOCUMENT if {"mimetype", "content.xml"} <= names else ARCHIVE)
    if unpacked > most:
        raise Wrong(LARGE_BOOK)


def _batches(rows: Iterator[list[Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    size = PIECE_CELLS // len(schema) + 1
    while piece := list(islice(rows, size)):
        columns = zip(*piece, strict=True)
        yield pa.record_batch([list(map(typed, column)) for column in columns], schema=schema)
