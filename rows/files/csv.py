"""CSV: rows of cells between separators, such as CSV and TSV; also any file that no other format recognises."""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import IO, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LOOK, MIB, MOST_CELLS
from discreet.rows.files.format import ENCODING, Batches, Format, Job, Layout, Wrong, fields
from discreet.rows.files.layout import (
    NO_TEXT,
    UNFIT,
    beginning,
    decoded,
    encoding_of,
    heading,
    refuse_foreign,
    separator_of,
)

# --- Records: the rows of a text in order, and how lines that cannot be parsed are handled ---

CELLS = "cells"
NUL = "nul"
LINE = "line"
WIDE = "wide"
LONG = "long"
ENDS = "ends"
QUOTED = '(?:^|(?<={0}))"(?:[^"]|"")*"(?=$|[{0}\r\n])'
LONGEST_ROW = 2**20  # characters
Row = list[str] | None  # None: a row that cannot be parsed


class Records:
    """The rows of a text below the skipped lines; comment lines between rows are dropped."""

    def __init__(self, text: io.TextIOWrapper, job: Job) -> None:
        """Start below the skipped lines."""
        csv.field_size_limit(2 * LONGEST_ROW)  # a cell over many lines is measured as it grows
        self._text = text
        self._separator = job["separator"]
        self._comment = job["comment"]
        self._alone = job["lenient"]
        self._tolerant = job["lenient"] or job["again"]
        self._pushed, self._taken = deque[str](), list[str]()  # lines to be read again; lines of the current row
        self.width = 0
        self.signs = 0
        self._number = 0
        self._quoted = re.compile(QUOTED.format(re.escape(self._separator)))
        self._returns = False
        for _ in range(job["skip"]):
            next(self._physical(), None)

    def header(self) -> list[str]:
        """Return the first row, which names the columns; a name may span lines."""
        for row in self._over_lines():
            if row is None:
                raise Wrong(LINE, self._number)
            if row:
                return row
        return []

    def first(self) -> list[Row]:
        """Return the first row that can be parsed, preceded by the rows that cannot."""
        rows: list[Row] = []
        for row in self._rows():
            if row is None or row:
                rows.append(row)
            if row:
                break
        return rows

    def __iter__(self) -> Iterator[Row]:
        """Yield every further row."""
        return self.checked(self._rows())

    def checked(self, rows: Iterator[Row] | list[Row]) -> Iterator[Row]:
        """Yield rows of the right width; one with too many cells counts as unparsable, and blank lines are dropped."""
        for row in rows:
            if row is None or len(row) == self.width:
                yield row
            elif row:
                yield self._broken(WIDE) if any(row[self.width :]) else row

    def _rows(self) -> Iterator[Row]:
        return self._by_line() if self._alone else self._over_lines()

    def _by_line(self) -> Iterator[Row]:
        """Parse each line as a row."""
        self._taken.clear()  # the lines of the header
        for line in self._lines():
            self._taken.clear()
            if "\0" in line:
                yield None
            elif '"' not in line:
                cells = line.rstrip("\r\n")
                yield cells.split(self._separator) if cells else []
            else:
                yield next(self._parsed(iter((line,))), None)

    def _over_lines(self) -> Iterator[Row]:
        """Parse rows whose cells may span lines; after one that cannot be parsed, continue with the line below it."""
        parsed = self._parsed(self._lines())
        while True:
            self._taken.clear()
            try:
                row = next(parsed)
            except StopIteration:
                return
            if row is None:
                self._pushed.extendleft(reversed(self._taken[1:]))
                self._number -= len(self._taken) - 1
                parsed = self._parsed(self._lines())
            yield row

    def _parsed(self, lines: Iterator[str]) -> Iterator[Row]:
        """Parse rows up to the first that cannot be parsed."""
        reader = csv.reader(lines, delimiter=self._separator, strict=True)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield self._broken(LINE)
                return
            reason = self._reason(row)
            yield self._broken(reason) if reason else row

    def _reason(self, row: list[str]) -> str:
        """Return why a parsed row is not acceptable, or an empty text.

        While a file is being uploaded, quotes must enclose cells or be doubled inside them: any other quote could close
        a cell that another person's row has opened, whose row would swallow everything between. And a row may end with
        a lone carriage return only if the first line does: otherwise a program has left it in a cell unquoted. If lines
        end doubly, the lines between are blank.
        """
        if any("\0" in line for line in self._taken):
            return NUL
        if self._tolerant:
            return ""
        end = self._taken[-1][-1:]
        if (end == "\r" and not self._returns) or (row and end == "\n" and self._returns):
            return ENDS
        whole = "".join(self._taken)
        return LINE if '"' in whole and any('"' in c for c in row) and '"' in self._quoted.sub("", whole) else ""

    def _broken(self, reason: str) -> Row:
        """Raise Wrong for a line, or return an unparsable row if such rows are tolerated."""
        if not self._tolerant:
            raise Wrong(reason, self._number - max(len(self._taken) - 1, 0))
        return None

    def _lines(self) -> Iterator[str]:
        """Yield lines without comments between rows; a row that is too long ends with a NUL."""
        size = 0
        for line in self._physical():
            size = len(line) + size * bool(self._taken)
            if not self._taken and self._comment and line.startswith(self._comment):
                continue
            if size > LONGEST_ROW:
                self._broken(LONG)
                line = '"\0"\0'  # no CSV parser continues a quoted cell after this
            self._taken.append(line)
            yield line

    def _physical(self) -> Iterator[str]:
        """Yield the lines of the file in order, with pushed-back lines first."""
        while line := self._pushed.popleft() if self._pushed else self._text.readline(LONGEST_ROW + 1):
            self._number += 1
            self._returns |= self._number == 1 and line.endswith("\r")
            self.signs += len(line)
            if len(line) > LONGEST_ROW and line[-1] not in "\r\n":
                self._rest_of_line()
            if not self._tolerant and ("\0" in line or NO_TEXT in line):
                raise Wrong(NUL if "\0" in line else ENCODING, self._number)
            yield line

    def _rest_of_line(self) -> None:
        """Skip the rest of a line that is too long."""
        while (rest := self._text.readline(LONGEST_ROW)) and rest[-1] not in "\r\n":
            pass


ROOM = 512 * MIB  # memory for parsing, which proceeds in pieces
PIECE_CELLS = 2**18
PIECE_SIGNS = 2**23


class Text(Format):
    """A text: its first line may name the columns; each row below is taken literally."""

    name: ClassVar[str] = "text"
    titles: ClassVar[tuple[str, ...]] = ("CSV", "TSV")
    rank: ClassVar[int] = 0
    adjustable: ClassVar[tuple[str, ...]] = (
        *("encoding", "separator", "header", "skip", "comment", "row_names", "lenient"),
    )
    streamed: ClassVar[bool] = True
    overfull: ClassVar[str] = CELLS

    def layout(self, start: bytes) -> Layout:
        """Suggest encoding, separator and names by the byte order mark and the first line; refuse foreign files."""
        refuse_foreign(start[:LOOK])
        return Layout(self.name, **heading(start[:LOOK])._asdict())

    def likely(self, data: bytes) -> Layout:
        """Guess the layout by the rows: encoding by bytes beyond ASCII, separator by the most frequent width."""
        encoding = encoding_of(data, whole=True)
        start = decoded(data[:LOOK], encoding)
        separator = separator_of(start)
        return Layout(self.name, encoding, separator, **beginning(start, separator)._asdict())

    def room(self, job: Job) -> int:
        """Return the same number of bytes for texts of any size."""
        return ROOM

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Parse cells as texts, a number of rows at a time."""
        text = io.TextIOWrapper(data, job["encoding"], errors=UNFIT, newline="")
        records = Records(text, job)
        if job["header"]:
            names = [""] * job["row_names"] + [name.replace(NO_TEXT, "\ufffd") for name in records.header()]
            schema = fields(names, pa.large_string())
            before = list[Row]()
        else:
            before = records.first()
            schema = fields(job["width"] or len((before or [None])[-1] or ()), pa.large_string())
        records.width = len(schema)
        return schema, _columns(_pieces(chain(records.checked(before), records), records), schema)

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Return the error with the line, and what to choose."""
        sentences = {
            LINE: ParameterError(
                "Line {line_num} cannot be read: a quote is not closed, or its cell has other text beside "
                "the quote. Correct the line, or skip what cannot be read.",
                line_num=line,
            ),
            ENDS: ParameterError(
                "Line {line_num} does not end as the first line does: one of them ends with only a "
                "carriage return. Use the same line ending everywhere, or skip what cannot be read.",
                line_num=line,
            ),
            WIDE: ParameterError(
                "Line {line_num} has more cells than there are columns. Check the separator, the lines to "
                "skip and whether the first column has no header. You can also skip what cannot be read.",
                line_num=line,
            ),
            ENCODING: ParameterError("Choose another encoding: line {line_num} is not in this one.", line_num=line),
            NUL: ParameterError("Choose another encoding: line {line_num} contains a NUL character.", line_num=line),
            LONG: ParameterError(
                "Line {line_num} cannot be read: it is longer than {longest:,} characters. Skip what "
                "cannot be read, or use Parquet.",
                line_num=line,
                longest=LONGEST_ROW,
            ),
            CELLS: ParameterError("The file has more than {most_cells:,} cells. Split it.", most_cells=MOST_CELLS),
        }
        return sentences[reason] if reason in sentences else super().refusal(reason, line)

    def damaged(self) -> ParameterError:
        """Return the error for bytes that do not fit the encoding."""
        return ParameterError("Choose another encoding: the file is not in this one.")


def _pieces(rows: Iterator[Row], records: Records) -> Iterator[list[Row]]:
    """Collect a number of rows at a time, fewer if they are long."""
    size = PIECE_CELLS // max(records.width, 1) + 1
    piece = list[Row]()
    for row in rows:
        piece.append(row)
        if len(piece) >= size or records.signs > PIECE_SIGNS:
            yield piece
            piece = []
            records.signs = 0
    if piece:
        yield piece


def _columns(pieces: Iterator[list[Row]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Turn rows into columns. A short row lacks its last cells, an unparsable row all of them."""
    width = len(schema)
    broken: Sequence[str | None] = [None] * width
    for piece in pieces:
        rows: list[Sequence[str | None]] = [
            row if row and len(row) == width else _filled(row, width, broken) for row in piece
        ]
        yield pa.record_batch([_texts(column) for column in zip(*rows, strict=True)], schema=schema)


def _filled(row: Row, width: int, broken: Sequence[str | None]) -> Sequence[str | None]:
    return broken if row is None else [*row, *[""] * width][:width]


def _texts(cells: tuple[str | None, ...]) -> pa.Array:
    """Return cells as an array; a cell that does not fit the encoding of the file is null."""
    try:
        return pa.array(cells, pa.large_string())
    except UnicodeEncodeError:
        return _texts(tuple(None if cell and NO_TEXT in cell else cell for cell in cells))
