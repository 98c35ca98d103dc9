"""Each row alone: what one row holds decides for no other row how it is read, in every format.

Each of these was found by the fuzz over files (`tests/support/evidence/files.py`), with the file that shows it.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import xlsxwriter

from discreet.budget.errors import ParameterError
from discreet.rows import Category, Dataset, LocalSource, Number, Schema
from discreet.rows.columns.ignored import Ignored
from discreet.rows.files import Layout, suggest
from discreet.rows.intake import opening
from discreet.rows.intake.opening import Keeping, read
from discreet.rows.sealing import Plain


def workbook(*cells: tuple[int, int, str | float]) -> bytes:
    """Return a workbook of some cells: row, column, value."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    sheet = book.add_worksheet()
    for cell in cells:
        sheet.write(*cell)
    book.close()
    return out.getvalue()


def table(data: bytes, layout: Layout, again: bool = False) -> dict[str, list[Any]]:
    """Return what is read of a file."""
    columns: dict[str, list[Any]] = read(data, layout, again=again).to_pydict()
    return columns


@pytest.mark.parametrize("spool", [opening.SPOOL, 0])
def test_no_object_decides_which_columns_there_are(spool: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where columns are declared, the first object of a JSON file may lack any of them, and have others."""
    monkeypatch.setattr(opening, "SPOOL", spool)
    rest, file = '{"age": 5, " town\\n": "a"}\n{"town": "b", "age": 6}\n', tmp_path / "rows.json"
    for first in ("", '{"age": 7}\n', '{"more": [1]}\n', "{}\n"):
        file.write_text(first + rest)
        keeping = Keeping(["age", "town"], again=True)
        source = LocalSource(Plain(file), Layout("json"), keeping=keeping)
        found = pa.concat_tables(
            pa.Table.from_batches([batch]) for batch in source.map(lambda batch: [batch], ["age", "town"], [])
        )
        assert found.slice(bool(first)).to_pydict() == {"age": ["5", "6"], "town": ["a", "b"]}
        schema = Schema({"age": Number(0, 9), "town": Category(("a",)), "note": Ignored()})
        assert Dataset(source, schema)  # what is not read need not be there


def test_blank_rows_of_a_sheet_are_none() -> None:
    """A row far below a table brings no others along: they would count where what is missing counts as a number."""
    above = ((0, 0, "age"), (0, 1, "town"), (1, 0, 5), (1, 1, "a"))
    assert table(workbook(*above, (40, 0, 6)), Layout("excel")) == {"age": ["5", "6"], "town": ["a", ""]}


@pytest.mark.parametrize("header", [True, False])
def test_a_stray_cell_beside_a_table_moves_no_column(header: bool) -> None:
    """Columns without a name are called by their place in the sheet."""
    cells = [(0, 1, "5"), (0, 2, "a"), (1, 1, "6"), (1, 2, "b")]
    if header:
        cells = [(0, 1, "age"), *((row + 1, column, cell) for row, column, cell in cells)]
    layout, name = Layout("excel", header=header), "age" if header else "column 2"
    for stray in ([], [(1 + header, 0, "x")], [(1 + header, 4, "x")]):
        found = table(workbook(*cells, *stray), layout)
        assert (found[name], found["column 3"]) == (["5", "6"], ["a", "b"])


def test_no_row_decides_how_many_columns_a_sheet_without_names_has() -> None:
    """Where they are declared, those of which no cell is filled are there, on both sides."""
    layout = Layout("excel", header=False, columns=4)
    for stray in ([], [(1, 0, "x"), (1, 3, "y")], [(1, 7, "x")]):
        found = table(workbook((0, 1, "5"), (0, 2, "a"), (1, 1, "6"), *stray), layout, again=True)
        assert list(found) == [f"column {at}" for at in range(1, 5)]
        assert (found["column 2"], found["column 3"]) == (["5", "6"], ["a", ""])


SWALLOWED = b'name,size\nann,"x\nbob,5\ncarl,5\'2"\ndora,7\n'


def test_a_quote_beside_a_cell_refuses_a_file_that_is_brought() -> None:
    """It could end a cell that somebody else has begun: two rows of one person would take all between them."""
    without = SWALLOWED.replace(b'ann,"x\n', b"")
    with pytest.raises(ParameterError, match=r"Line 3 cannot be read: a quote .* other text beside the quote"):
        read(without, Layout("text"))
    assert table(without, Layout("text", lenient=True))["size"] == ["5", "5'2\"", "7"]
    assert table(SWALLOWED, Layout("text", lenient=True))["size"] == [None, "5", "5'2\"", "7"]
    for right in (b'name,size\nann,"5\'2"""\nbob,""""\n', b'name;size\n"a;b";"say ""hi"""\r\n"""";""\r\n'):
        assert table(right, suggest(right))


def test_a_return_within_a_cell_refuses_a_file_that_is_brought() -> None:
    """Some programs leave it without quotes: its row would be two, whose cells come under other names."""
    torn = b"age,town,size\n5,a\r6,7\n8,b,9\n"
    for data in (torn, torn.replace(b"a\r", b"\r"), torn.translate(bytes.maketrans(b"\r\n", b"\n\r"))):
        with pytest.raises(ParameterError, match="Line 2 does not end as the first line"):
            read(data, Layout("text"))
        assert len(table(data, Layout("text", lenient=True))["age"]) == 3
    for right in (torn.replace(b"\r6", b"").replace(b"\n", b"\r"), b'a,b\r\n1,"x\ry"\r\n\r\n2,z\n'):
        assert len(next(iter(table(right, Layout("text")).values()))) == 2


def test_a_comment_below_names_over_lines_is_no_row() -> None:
    """In a text of which each line is a row as well."""
    data = b'"a\nb",c\n# by hand\n1,2\n'
    for lenient in (True, False):
        assert table(data, Layout("text", comment="#", lenient=lenient)) == {"a b": ["1"], "c": ["2"]}


@pytest.mark.parametrize("sign", ["\u2028", "\x0b", "\x85", "\x1c"])
def test_lines_above_a_table_are_counted_as_they_are_skipped(sign: str) -> None:
    """Only line feeds and carriage returns end lines, where a layout is proposed and where it is used."""
    data = f"# by{sign}hand\nid;a\n1;2\n".encode()
    assert suggest(data) == Layout("text", separator=";", skip=1)
    assert list(table(data, suggest(data)).values()) == [["1"], ["2"]]


def test_a_file_that_is_read_again_may_be_empty() -> None:
    """That its last person has gone is nothing that anybody may see."""
    for data in (b"age,town\n", b"age,town\n\n"):
        assert table(data, Layout("text"), again=True) == {"age": [], "town": []}
        with pytest.raises(ParameterError, match="no rows"):
            read(data, Layout("text"))
