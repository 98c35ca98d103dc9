"""Files back: each repair of reading is reverted, and the fuzz over files must find the error again.

`python tests/support/evidence/files_back.py [MOST]` prints for each after how many pairs, with at most so many cases.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

for place in (Path(__file__).parents[2], Path(__file__).parents[3]):
    sys.path.insert(0, str(place))

import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402
from pytest import MonkeyPatch  # noqa: E402

from discreet.budget.errors import ParameterError  # noqa: E402
from discreet.rows import cells  # noqa: E402
from discreet.rows.files import Layout, excel, json_lines
from discreet.rows.files import csv as text
from discreet.rows.files.csv import ENDS, LINE, Records, Row, Text
from discreet.rows.files.json_lines import JsonLines  # noqa: E402
from discreet.rows.files.layout import NO_TEXT  # noqa: E402
from discreet.rows.intake import (
    opening,  # noqa: E402
    parser,  # noqa: E402
)
from support.evidence import writers  # noqa: E402
from support.evidence.files import Tally, Violation, check, drawn  # noqa: E402

Patch = Callable[[MonkeyPatch], None]


def _voted(patch: MonkeyPatch, *parts: str) -> None:
    """Let rows decide some parts of the proposed layout."""
    original = Text.layout

    def layout(self: Text, start: bytes) -> Layout:
        likely = vars(self.likely(start))
        return replace(original(self, start), **{part: likely[part] for part in parts})

    patch.setattr(Text, "layout", layout)


def encoding_voted(patch: MonkeyPatch) -> None:
    """Guess the encoding by the majority of bytes beyond ASCII."""
    _voted(patch, "encoding")


def rows_named_by_numbers(patch: MonkeyPatch) -> None:
    """Take consecutive numbers for row names."""
    _voted(patch, "row_names")


def separator_voted(patch: MonkeyPatch) -> None:
    """Guess the separator by the majority of row widths."""
    _voted(patch, "separator")


def beginning_guessed(patch: MonkeyPatch) -> None:
    """Guess by the majority of row widths where the table begins."""
    _voted(patch, "header", "skip", "comment")


def width_of_the_first_row(patch: MonkeyPatch) -> None:
    """Let the first row determine the number of columns if there is no header."""
    original = parser.job_of
    patch.setattr(parser, "job_of", lambda *given: original(*given) | {"width": 0})


def unclosed_quote_swallows(patch: MonkeyPatch) -> None:
    """End an unclosed cell at the end of the file, and allow any text after a quote."""

    def reader(lines: Any, delimiter: str, strict: bool) -> Any:
        return csv.reader(lines, delimiter=delimiter)

    lax = SimpleNamespace(reader=reader, Error=csv.Error, field_size_limit=csv.field_size_limit)
    patch.setattr(text, "csv", lax)


def unfit_byte_raises(patch: MonkeyPatch) -> None:
    """Refuse a file for an invalid byte, in every way of reading."""
    patch.setattr(text, "UNFIT", "strict")


def unfit_byte_is_a_sign(patch: MonkeyPatch) -> None:
    """Replace an invalid byte by a character: the cell is then another text, and not missing."""
    patch.setattr(text, "UNFIT", "replace")


def unfit_byte_takes_the_line(patch: MonkeyPatch) -> None:
    """Leave out the whole row of an invalid byte."""
    original = Records.checked

    def checked(self: Records, rows: Iterator[Row]) -> Iterator[Row]:
        for row in original(self, rows):
            yield None if row and any(NO_TEXT in cell for cell in row) else row

    patch.setattr(Records, "checked", checked)


def _accepted(patch: MonkeyPatch, reason: str) -> None:
    """Read a file that would be refused for this reason."""
    original = Records._reason

    def _reason(self: Records, row: list[str]) -> str:
        found = original(self, row)
        return "" if found == reason else found

    patch.setattr(Records, "_reason", _reason)


def quote_beside_a_cell(patch: MonkeyPatch) -> None:
    """Read a quote within an unquoted cell as text."""
    _accepted(patch, LINE)


def return_within_a_cell(patch: MonkeyPatch) -> None:
    """Let a carriage return end a row where other rows end differently."""
    _accepted(patch, ENDS)


def wide_row_is_cut(patch: MonkeyPatch) -> None:
    """Cut off surplus cells of a row."""

    def checked(self: Records, rows: Iterator[Row]) -> Iterator[Row]:
        return (row if row is None else row[: self.width] for row in rows if row is None or row)

    patch.setattr(Records, "checked", checked)


def comment_below_names(patch: MonkeyPatch) -> None:
    """Do not account for the lines that the header took."""
    original = Records._by_line

    def _by_line(self: Records) -> Iterator[Row]:
        self._taken = _Kept(self._taken)
        return original(self)

    patch.setattr(Records, "_by_line", _by_line)


class _Kept(list[str]):
    """Lines that survive the first `clear`."""

    first = True

    def clear(self) -> None:
        """Clear at the second call only."""
        if not self.first:
            super().clear()
        self.first = False


def first_objects_name_columns(patch: MonkeyPatch) -> None:
    """Let the first JSON objects decide which declared columns exist."""
    patch.setattr(JsonLines, "keyed", False)


def types_of_a_batch(patch: MonkeyPatch) -> None:
    """Give a column of JSON one type per batch: if it has several, nothing is read."""
    original = json_lines._batches

    def _batches(rows: Iterator[dict[str, Any]], keys: list[str], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        for batch in original(rows, keys, schema):
            columns = []
            for column in batch.columns:
                numbers = [cell is not None and cell.replace(".", "").isdigit() for cell in column.to_pylist()]
                mixed = any(numbers) and not all(numbers)
                columns.append(pa.nulls(len(column), column.type) if mixed else column)
            yield pa.record_batch(columns, schema=schema)

    patch.setattr(json_lines, "_batches", _batches)


def blank_rows_count(patch: MonkeyPatch) -> None:
    """Count the blank rows of a sheet."""
    patch.setattr(excel, "any", lambda cells: True, raising=False)


def endless_is_a_number(patch: MonkeyPatch) -> None:
    """Clip an infinite cell to the end of the range."""

    class Lax:
        """NumPy, where only NaN is not finite."""

        def __getattr__(self, name: str) -> Any:
            return (lambda values: ~np.isnan(values)) if name == "isfinite" else getattr(np, name)

    patch.setattr(cells, "np", Lax())


def nobody_refuses(patch: MonkeyPatch) -> None:
    """Refuse a file without rows even when it is read again."""
    original = opening.read

    def read(*given: Any) -> pa.Table:
        table = original(*given)
        if not table.num_rows:
            raise ParameterError("The file has a header but no rows. Choose a file with rows.")
        return table

    patch.setattr(opening, "read", read)


@dataclass(frozen=True)
class Back:
    """A reverted repair, and the writers whose files reveal it soonest."""

    patch: Patch
    programs: Sequence[Callable[..., Any]]
    first: int = 0  # the number of a case of these writers that reveals it, or a little less

    def found(self, most: int, whole: bool = False) -> tuple[Tally, Violation] | None:
        """Check at most so many cases, of these writers or of all; return how many pairs it took, and the violation."""
        tally = Tally()
        with MonkeyPatch.context() as patch:
            self.patch(patch)
            for seed in range(most) if whole else range(self.first, self.first + most):
                try:
                    check(drawn(seed, writers.PROGRAMS if whole else self.programs), tally)
                except Violation as violation:
                    return tally, violation
        return None


HAND = (writers.by_hand,)
TEXTS = (writers.csv_module, writers.pandas, writers.r, writers.spreadsheet)
BACK = (
    Back(encoding_voted, TEXTS, 24),
    Back(rows_named_by_numbers, (writers.r,)),
    Back(separator_voted, (writers.spreadsheet, writers.r)),
    Back(beginning_guessed, HAND, 20),
    Back(width_of_the_first_row, HAND, 458),
    Back(unclosed_quote_swallows, HAND),
    Back(unfit_byte_raises, HAND),
    Back(unfit_byte_is_a_sign, HAND),
    Back(unfit_byte_takes_the_line, HAND),
    Back(quote_beside_a_cell, HAND, 300),
    Back(return_within_a_cell, (writers.pandas, writers.csv_module)),
    Back(wide_row_is_cut, HAND, 15),
    Back(comment_below_names, HAND, 15),
    Back(first_objects_name_columns, (writers.json_,), 342),
    Back(types_of_a_batch, (writers.json_,)),
    Back(blank_rows_count, (writers.excel,)),
    Back(endless_is_a_number, TEXTS, 27),
    Back(nobody_refuses, TEXTS, 46),
)


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for back in BACK:
        began, seen = time.monotonic(), back.found(most, whole=True)
        took = f"{time.monotonic() - began:.0f} s"
        told = f"{seen[0].pairs} pairs, {took}: {seen[1].rule} (seed {seen[1].case.seed})" if seen else f"NOT in {took}"
        print(f"{back.patch.__name__}: {told}", flush=True)
