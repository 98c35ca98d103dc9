"""Text: rows of cells between separators, CSV and TSV among them; what nothing else recognises."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import IO, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LOOK, MIB, MOST_CELLS
from discreet.rows.files.beginning import beginning
from discreet.rows.files.encoding import NO_TEXT, UNFIT, decoded, encoding_of, separator_of
from discreet.rows.files.foreign import refuse_foreign
from discreet.rows.files.format import ENCODING, Batches, Format, Job, Layout
from discreet.rows.files.heading import heading
from discreet.rows.files.naming import fields
from discreet.rows.files.records import CELLS, ENDS, LINE, LONG, LONGEST_ROW, NUL, WIDE, Records, Row

ROOM = 512 * MIB  # what reading may take: it is read a piece at a time
PIECE_CELLS = 2**18
PIECE_SIGNS = 2**23


class Text(Format):
    """A text: a line names the columns, or none does; each row below is read as it is written."""

    name: ClassVar[str] = "text"
    titles: ClassVar[tuple[str, ...]] = ("CSV", "TSV")
    rank: ClassVar[int] = 0
    adjustable: ClassVar[tuple[str, ...]] = (
        *("encoding", "separator", "header", "skip", "comment", "row_names", "lenient"),
    )
    streamed: ClassVar[bool] = True
    overfull: ClassVar[str] = CELLS

    def layout(self, start: bytes) -> Layout:
        """Propose encoding, separator and names by the byte order mark and the first line; refuse what is no text."""
        refuse_foreign(start[:LOOK])
        return Layout(self.name, **heading(start[:LOOK])._asdict())

    def likely(self, data: bytes) -> Layout:
        """Guess by the rows: most bytes beyond ASCII, most widths."""
        encoding = encoding_of(data, whole=True)
        start = decoded(data[:LOOK], encoding)
        separator = separator_of(start)
        return Layout(self.name, encoding, separator, **beginning(start, separator)._asdict())

    def room(self, job: Job) -> int:
        """Take no more for a large text than for a small one."""
        return ROOM

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read cells as texts, so many rows at a time."""
        text = io.TextIOWrapper(data, job["encoding"], errors=UNFIT, newline="")
        records = Records(text, job)
        if job["header"]:
            names = [""] * job["row_names"] + [name.replace(NO_TEXT, "\ufffd") for name in records.header()]
            schema, before = fields(names, pa.large_string()), list[Row]()
        else:
            before = records.first()
            schema = fields(job["width"] or len((before or [None])[-1] or ()), pa.large_string())
        records.width = len(schema)
        return schema, _columns(_pieces(chain(records.checked(before), records), records), schema)

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Say which line it is, and what to choose."""
        sentences = {
            LINE: ParameterError(
                "Line {line_num} cannot be read: a quote is not closed, or something stands beside it in its cell. "
                "Correct the line, or leave out what cannot be read.",
                line_num=line,
            ),
            ENDS: ParameterError(
                "Line {line_num} does not end as the first line does: one of them ends with a carriage return alone. "
                "Write all ends of lines alike, or leave out what cannot be read.",
                line_num=line,
            ),
            WIDE: ParameterError(
                "Line {line_num} has more cells than there are columns. Choose another separator, the lines to skip "
                "above the table, or whether the first column has no name; or leave out what cannot be read.",
                line_num=line,
            ),
            ENCODING: ParameterError(
                "Line {line_num} is not in this encoding. Choose another one, or leave out what cannot be read.",
                line_num=line,
            ),
            NUL: ParameterError(
                "Line {line_num} holds a NUL character. Choose another encoding, or leave out what cannot be read.",
                line_num=line,
            ),
            LONG: ParameterError(
                "Line {line_num} cannot be read: it is longer than {longest:,} characters. Leave out what cannot be "
                "read, or use Parquet.",
                line_num=line,
                longest=LONGEST_ROW,
            ),
            CELLS: ParameterError("The file has more than {most_cells:,} cells. Split it.", most_cells=MOST_CELLS),
        }
        return sentences[reason] if reason in sentences else super().refusal(reason, line)

    def damaged(self) -> ParameterError:
        """Say that the bytes are not what they were taken for."""
        return ParameterError("The file is not in this encoding. Choose another one.")


def _pieces(rows: Iterator[Row], records: Records) -> Iterator[list[Row]]:
    """Take so many rows at a time, or fewer long ones."""
    size, piece = PIECE_CELLS // max(records.width, 1) + 1, list[Row]()
    for row in rows:
        piece.append(row)
        if len(piece) >= size or records.signs > PIECE_SIGNS:
            yield piece
            piece, records.signs = [], 0
    if piece:
        yield piece


def _columns(pieces: Iterator[list[Row]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Cut rows into columns. A short row lacks its last cells, a row that cannot be read all of them."""
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
    """Return cells as an array; what is not in the encoding of the file is missing."""
    try:
        return pa.array(cells, pa.large_string())
    except UnicodeEncodeError:
        return _texts(tuple(None if cell and NO_TEXT in cell else cell for cell in cells))
