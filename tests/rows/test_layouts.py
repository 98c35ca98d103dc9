"""Layouts: where the table of a file begins, what its columns are called, which sheet of a workbook is read."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget.errors import ParameterError
from discreet.noise.source import ReleaseNoise
from discreet.rows import Category, Dataset, LocalSource, Number, Schema
from discreet.rows.files import Layout, likely, suggest
from discreet.rows.files.format import fields
from discreet.rows.intake.opening import Keeping, read
from discreet.rows.persons import DrawnLots

FROM_R = {"column 1": ["1", "2"], "age": ["31", "42"], "town": ["a", "b"]}
TABLE = {"id": ["1", "4"], "pay": ["2", "5"], "town": ["a", "b"]}
LINES = "id,pay,town\n1,2,a\n4,5,b\n"


def text(content: str, **changes: Any) -> dict[str, list[str]]:
    """Read a text as it is suggested, but for some changes."""
    data = content.encode()
    layout = Layout(**(asdict(suggest(data)) | changes))
    table: dict[str, list[str]] = read(data, layout).to_pydict()
    return table


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        "\ufeff" + LINES,
        LINES.replace("\n", "\r"),
        LINES.replace("\n", "\r\n"),
        "\n\n" + LINES,
        "# exported on Monday\n" + LINES,
        "# exported, by whom, on Monday, at noon\n# again\n" + LINES,
        "// exported\n" + LINES,
        "sep=;\n" + LINES.replace(",", ";"),
        '"id","pay","town"\n"1","2","a"\n"4","5","b"\n',
        LINES.replace(",", ";"),
        LINES.replace(",", "\t"),
        "% made by a program\n" + LINES.replace(",", "|"),
    ],
)
def test_a_table_is_found_below_what_stands_above_it(content: str) -> None:
    """Titles, blank lines and comments are no rows, whoever wrote the ends of lines."""
    assert text(content) == TABLE


@pytest.mark.parametrize(
    "above", ["People of the town\n", "People of the town\n\n", '"People of the town"\nSource: the office\n\n']
)
def test_a_title_is_found_by_its_rows_and_said_by_a_person(above: str) -> None:
    """No row decides where a table begins: such a file is refused, and whoever brings it hears how it looks."""
    data = (above + LINES).encode()
    with pytest.raises(ParameterError, match="whether the first column has no header"):
        LocalSource(data)
    assert read(data, likely(data)).to_pydict() == TABLE


@pytest.mark.parametrize(
    ("content", "first"),
    [
        ("Anna Canary,34,52000\nBob,5,6\n", ["Anna Canary", "34", "52000"]),
        ("1.5\n2.5\n", ["1.5"]),
        ("1;2,5;x\n2;3,5;y\n", ["1", "2,5", "x"]),
        ("x,12 €\ny,13 €\n", ["x", "12 €"]),
    ],
)
def test_a_first_line_of_numbers_is_a_row_and_no_name_on_a_screen(content: str, first: list[str]) -> None:
    """Its cells are somebody's: columns are called by their place, and the row counts."""
    table = text(content)
    assert list(table) == [f"column {at + 1}" for at in range(len(first))]
    assert [cells[0] for cells in table.values()] == first and len(table["column 1"]) == 2
    assert list(text(content, header=True)) == first


@pytest.mark.parametrize("header", ["id,2019,2020", "0,1,2", "1,2,3", "a,b,c", ",x,y", "#id,a,b"])
def test_names_that_are_numbers_are_names(header: str) -> None:
    """Years, and the places that programs write where nobody gave names."""
    table = text(f"{header}\n5,6,7\n8,9,10\n")
    assert list(table) == [name or "column 1" for name in header.split(",")]


def test_a_name_may_go_on_over_lines() -> None:
    """A line break in a name is a blank; nothing of it is skipped."""
    assert text('"id\nof a person",pay,town\n1,2,a\n4,5,b\n') == {"id of a person": ["1", "4"]} | {
        name: TABLE[name] for name in ("pay", "town")
    }


def test_what_is_suggested_can_be_corrected() -> None:
    """A table below any number of lines, with any comments, with names or without."""
    content = "x,y\nz,z\nid,pay,town\n;1,9,9\n1,2,a\n4,5,b\n"
    assert text(content, skip=2, comment=";") == TABLE
    assert text(content, skip=3, comment=";", header=False) == {
        f"column {at}": cells for at, cells in enumerate(TABLE.values(), 1)
    }
    with pytest.raises(ParameterError, match="no columns"):
        text(content, skip=99)


def test_no_row_decides_what_is_a_comment() -> None:
    """A row that is too short and begins with a sign says nothing of the others."""
    content = "id,pay,town\n#1\n#2,5,b\n"
    assert suggest(content.encode()) == Layout("text") and text(content)["id"] == ["#1", "#2"]


def test_a_comment_is_no_part_of_a_quoted_cell() -> None:
    """A line of a cell may begin like a comment."""
    content = 'a,b\n"x\n#y",2\n#z,9\n3,"4\n#"\n'
    assert text(content, comment="#") == {"a": ["x\n#y", "3"], "b": ["2", "4\n#"]}


def test_unnamed_and_doubled_columns_get_names_and_are_noted() -> None:
    """By their place, and by a number; no name is given twice, whatever names there are already."""
    keeping = Keeping()
    source = LocalSource(b",a,a,a (2),,column 5\n1,2,3,4,5,6\n", keeping=keeping)
    assert source.names == ["column 1", "a", "a (2)", "a (2) (2)", "column 5", "column 5 (2)"]
    assert keeping.notes == {"unnamed": ["column 1", "column 5"], "doubled": ["a (2)", "a (2) (2)", "column 5 (2)"]}
    LocalSource(b"a,b\n1,2\n", keeping=(plain := Keeping()))
    assert plain.notes == {}


@given(st.lists(st.sampled_from(["", "a", "a (2)", "column 1", "column 2", " a "]), min_size=1, max_size=7))
def test_names_are_always_there_and_differ(header: list[str]) -> None:
    """And a name that is free stays what it was."""
    names = fields(header, pa.large_string()).names
    assert len(set(names)) == len(names) == len(header) and all(names)
    assert all(names[at] == name.strip() for at, name in enumerate(header) if name and name.strip() not in names[:at])


def test_layouts_that_were_kept_are_what_they_were() -> None:
    """A registration of an earlier version says less, and means the same."""
    registration: dict[str, Any] = {"format": "text", "encoding": "utf-8", "separator": ";"}
    assert Layout(**registration) == Layout("text", "utf-8", ";", True, 0, "", "")
    assert read(b"a;b\n1;2\n", Layout(**registration)).to_pydict() == {"a": ["1"], "b": ["2"]}


@pytest.mark.parametrize("wrong", [{"comment": "a"}, {"skip": -1}, {"skip": 10**9}, {"sheet": "x" * 101}])
def test_a_layout_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    """What is sent to the reader is short and plain."""
    with pytest.raises(ParameterError):
        Layout("text", **wrong)


def survey() -> bytes:
    """Return a workbook: notes first, then a table under a title and a merged header."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        book.add_worksheet("Notes").write(0, 0, "Read me")
        data = book.add_worksheet("Data")
        data.write(0, 0, "The survey of 2020")
        data.merge_range(1, 0, 1, 3, "and of 2021")
        data.write(2, 1, "answers")
        data.write_row(3, 0, ["id", "pay", "paid", "when"])
        data.write_row(4, 0, ["x1", 1.5, True])
        data.write_row(5, 0, ["x2", 2, False])
        day, time = (book.add_format({"num_format": form}) for form in ("dd.mm.yyyy", "dd.mm.yyyy hh:mm"))
        data.write_datetime(4, 3, date(2020, 5, 3), day)
        data.write_datetime(5, 3, datetime(2020, 5, 4, 6, 30), time)
        data.write(6, 0, "x3")
        data.write(6, 3, 2)
        book.add_chartsheet("Chart")
        book.add_worksheet("Empty")
    return sink.getvalue()


def test_a_sheet_and_its_first_line_are_chosen() -> None:
    """Names of sheets are noted, also where the first sheet is no table; cells are what their types say."""
    keeping = Keeping()
    with pytest.raises(ParameterError, match="2 sheets: Notes, Data. Choose one"):
        LocalSource(survey(), keeping=keeping)
    assert keeping.notes == {"sheets": ["Notes", "Data", "Empty"], "choices": ["Notes", "Data"]}
    assert read(survey(), Layout("excel", sheet="Data", skip=3)).to_pydict() == {
        "id": ["x1", "x2", "x3"],
        "pay": ["1.5E0", "2", ""],
        "paid": ["true", "false", ""],
        "when": ["2020-05-03", "2020-05-04 06:30:00", "2"],
    }
    names = ["column 1", "answers", "column 3", "column 4"]
    assert read(survey(), Layout("excel", sheet="Data", skip=2)).column_names == names
    assert read(survey(), Layout("excel", sheet="Data", skip=4, header=False)).num_rows == 3
    for wrong, says in {
        "Empty": "is empty",
        "Chart": "No sheet with this name contains a table",
        "none": "of this workbook are: Notes, Data",
    }.items():
        with pytest.raises(ParameterError, match=says):
            read(survey(), Layout("excel", sheet=wrong))
    with pytest.raises(ParameterError, match="sheet is empty"):
        read(survey(), Layout("excel", sheet="Data", skip=99))


def test_a_number_of_a_workbook_is_one_number_under_every_way_of_writing() -> None:
    """Between points for thousands, a typed 1.234 is no thousand; a text beside it is."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True, "strings_to_numbers": False}) as book:
        book.add_worksheet().write_column(0, 0, ["pay", 1.234, "1.234", 1e-7, 1e300, -2.5, 3])
    cells = read(sink.getvalue(), Layout("excel")).column("pay")
    ways: list[dict[str, Any]] = [{}, {"decimal": ",", "thousands": "."}, {"decimal": ",", "thousands": " "}]
    for way in [*ways, {"thousands": ","}]:
        declared = Number(-10, 2000, step=0.001, **way)
        values = declared.bounds.value(declared.ticks(cells)[0]).round(9).tolist()
        assert [values[at] for at in (0, 2, 3, 4, 5)] == [1.234, 0, 2000, -2.5, 3]
        assert way.get("thousands") != "." or values[1] == 1234


@pytest.mark.parametrize(
    "content",
    [
        '"age","town"\n"1",31,"a"\n"2",42,"b"\n',
        "age\ttown\n1\t31\ta\n2\t42\tb\n",
        "# made by hand\nage;town\n1;31;a\n2;42;b\n",
    ],
)
def test_a_line_of_names_that_is_one_short_names_the_other_columns(content: str) -> None:
    """R writes no name over the names of its rows: ages are not what stands under "age" by its place."""
    with pytest.raises(ParameterError, match="whether the first column has no header"):
        text(content)
    layout = likely(content.encode())
    assert layout.row_names and not suggest(content.encode()).row_names
    keeping = Keeping(notes={})
    source = LocalSource(content.encode(), layout, keeping=keeping)
    assert source.names == list(FROM_R) and source.head(source.names, 9).to_pydict() == FROM_R
    assert keeping.notes["unnamed"] == ["column 1"]


@pytest.mark.parametrize(
    "content",
    [LINES, "age,town\n31,a,\n42,b,\n", "age,town\n31,a\n42,b,c\n", "age,town\n", "name,age\nann,20,1\nbob,30,2\n"],
)
def test_other_tables_are_not_shifted(content: str) -> None:
    """A separator at the end of each row, or a single long row, moves no column."""
    assert not likely(content.encode()).row_names


AUSTRIA = Schema({"land": Category(("Österreich", "Deutschland"))})
OF_R = Schema({"age": Number(0, 100, integer=True), "g": Category(("A", "B"))})


def vienna(cologne: int) -> bytes:
    """Return a correct file in Latin-1 of which half of the runs beyond ASCII stand at the beginning of a cell."""
    return ("land,ort\n" + "Österreich,Wien\n" * 100 + "Deutschland,Köln\n" * cologne).encode("latin-1")


def of_r(people: Sequence[int]) -> bytes:
    """Return a table as R writes it: the rows have names, their column has none."""
    return ("age,g\n" + "".join(f"{i},{20 + i % 50},{'A' if i % 3 else 'B'}\n" for i in people)).encode()


PAIRS = {
    "the encoding": (vienna(100), vienna(101), AUSTRIA, {"encoding": "latin-1"}, "land"),
    "names of rows": (of_r(range(1, 41)), of_r([*range(1, 17), *range(18, 41)]), OF_R, {"row_names": True}, "g"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_one_person_does_not_decide_how_everybody_is_read(name: str) -> None:
    """Two files that differ in one row are proposed and read alike: counts differ by one row at most (maths F1)."""
    one, other, schema, declared, column = PAIRS[name]
    assert suggest(one) == suggest(other) and likely(one) != likely(other)
    layout = replace(suggest(one), **declared)
    counts = []
    for data in (one, other):
        with pytest.raises(ParameterError, match=r"(?i)line \d+ "):
            LocalSource(data)  # not as it is proposed, and no wrong number either
        dataset = Dataset(LocalSource(data, layout), replace(schema, layout=layout))
        counts.append(dataset.table((column,), (), DrawnLots(ReleaseNoise())))
    assert np.abs(counts[0] - counts[1]).sum() == 1


@given(st.lists(st.binary(max_size=12), min_size=1, max_size=8), st.data())
def test_a_line_is_a_row_by_itself_where_it_is_declared_so(cells: list[bytes], data: st.DataObject) -> None:
    """Whatever bytes one line holds, all others are read as without it."""
    rows = [b"7," + cell.replace(b"\n", b"").replace(b"\r", b"") + b"\n" for cell in cells]
    encoding = data.draw(st.sampled_from(["utf-8", "latin-1", "cp1252", "gb18030"]))
    layout, gone = Layout("text", encoding, lenient=True), data.draw(st.integers(0, len(rows) - 1))
    # a separator that belongs to a letter of two bytes moves cells of its own row only
    table = read(b"a,b\n9,9\n" + b"".join(rows), layout).to_pylist()
    without = read(b"a,b\n9,9\n" + b"".join(rows[:gone] + rows[gone + 1 :]), layout).to_pylist()
    assert len(table) == len(rows) + 1 and table[: gone + 1] + table[gone + 2 :] == without


def test_what_a_row_holds_refuses_no_file_that_is_read_again() -> None:
    """What was brought by an earlier version is read: an open quote, a NUL and a byte that does not fit are missing."""
    data = b'a,b\n1,"2\n3,\xff\n5,\0\n7,8\n' + b"9" * 2**21 + b",1\n10,11\n"
    source = LocalSource(data, Layout("text"), keeping=Keeping(again=True))
    assert source.head(["a", "b"], 9).to_pydict() == {
        "a": [None, "3", None, "7", None, "10"],
        "b": [None, None, None, "8", None, "11"],
    }


def test_how_a_file_is_read_is_declared() -> None:
    """It is in the declaration, in its hash and among what is said of an answer; read otherwise it is refused."""
    source = LocalSource(b"5;2\n3;4\n")
    schema = Schema({"column 1": Number(0, 9)}, source.layout)
    assert source.layout == Layout("text", separator=";", header=False, columns=2)
    assert Schema.from_json(schema.to_json()) == schema
    assert schema.digest != Schema(schema.columns).digest != replace(schema, layout=Layout("text")).digest
    assert "a text in utf-8 with a semicolon between cells" in str(schema.layout and schema.layout.as_read()[0])
    with pytest.raises(ParameterError, match="The file was not read as its schema requires"):
        Dataset(LocalSource(b"5;2\n3;4\n", Layout("text", header=False)), schema)
    with pytest.raises(ParameterError, match="This is not a schema file"):
        Schema.from_json('{"columns": {}, "read": {"formats": "text"}}')
