"""Odd files: read as meant, or refused in a sentence that says what to do; never wrong without a word.

Where a file is read, its rows are compared; where not, its sentence is. Texts whose layout alone is odd
stand in `test_layouts.py` and `odd_tables.py`.
"""

from __future__ import annotations

import datetime as dt
import gzip
import io
import json
import pickle
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from discreet.budget.errors import ParameterError
from discreet.rows import Category, Dataset, LocalSource, Number, Schema
from discreet.rows.columns.person import person_words
from discreet.rows.counting import Task
from discreet.rows.files import Layout
from discreet.rows.intake.opening import Keeping

CANARY = "secret-4711"
LINES = f"name,age\n{CANARY},30\nb,40\n".encode()
MEANT = {"name": [CANARY, "b"], "age": ["30", "40"]}
TABLE = pa.table({"name": [CANARY, "b"], "age": [30, 40]})
WEB = f'<table border="1" class="dataframe">\n<tr><th>age</th></tr>\n<tr><td>{CANARY}</td></tr></table>'


def packed(**files: bytes) -> bytes:
    """Return a zip; in a name two underscores stand for a point, and three for a slash."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as box:
        for name, content in files.items():
            box.writestr(name if "/" in name else name.replace("___", "/").replace("__", "."), content)
    return sink.getvalue()


def saved(write: Callable[[Any], Any]) -> bytes:
    """Return what something writes into a file."""
    sink = io.BytesIO()
    write(sink)
    return sink.getvalue()


def book(fill: Callable[[Any], Any]) -> bytes:
    """Return a workbook."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as written:
        fill(written)
    return sink.getvalue()


def sheet(*rows: list[object], name: str = "Data", hidden: bool = False) -> Callable[[Any], Any]:
    """Return what adds a sheet to a workbook."""

    def add(written: Any) -> Any:
        page = written.add_worksheet(name)
        for at, row in enumerate(rows):
            page.write_row(at, 0, row)
        if hidden:
            page.hide()
        return page

    return add


def both(*fills: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Do all of it."""
    return lambda written: [fill(written) for fill in fills]


ROWS = (["name", "age"], [CANARY, 30], ["b", 40])
DATA, INFO = sheet(*ROWS), sheet(["Notes of the office"], name="Info")


def merged(low: tuple[int, int], high: tuple[int, int], rows: tuple[list[object], ...] = ROWS) -> bytes:
    """Return a workbook with a merged range."""
    return book(lambda written: sheet(*rows)(written).merge_range(*low, *high, CANARY))


def typed(written: Any) -> None:
    """Write what has a format in a sheet."""
    page = written.add_worksheet()
    forms = {"day": "dd.mm.yyyy", "moment": "yyyy-mm-dd hh:mm:ss", "share": "0.0%", "code": "00000"}
    cells: list[Any] = [dt.date(2020, 1, 31), dt.datetime(2020, 1, 31, 18, 30), 0.573, 1067]
    page.write_row(0, 0, [*forms, "yes", "digits"])
    for at, (form, cell) in enumerate(zip(forms.values(), cells, strict=True)):
        wanted = written.add_format({"num_format": form})
        (page.write_datetime if at < 2 else page.write_number)(1, at, cell, wanted)
    page.write_boolean(1, 4, True)
    page.write_string(1, 5, "007")


def further(written: Any) -> None:
    """Write a table that begins in cell C4."""
    page = written.add_worksheet()
    for at, row in enumerate(ROWS):
        page.write_row(3 + at, 2, row)


def database(folder: Path) -> bytes:
    "Return a SQLite database."
    with sqlite3.connect(folder / "x.db") as db:
        db.execute("CREATE TABLE t (a TEXT)")
    db.close()
    return (folder / "x.db").read_bytes()


def tar() -> bytes:
    """Return an archive that is packed."""
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w:gz") as box:
        member = tarfile.TarInfo("x.csv")
        member.size = len(LINES)
        box.addfile(member, io.BytesIO(LINES))
    return sink.getvalue()


def locked() -> bytes:
    """Return a zip that says that its file is locked."""
    box = bytearray(packed(x__csv=LINES))
    box[6] |= 1
    box[box.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(box)


def flipped(data: bytes, at: int) -> bytes:
    """Return bytes of which one is another."""
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


PARQUET = saved(lambda sink: pq.write_table(TABLE, sink))
BOOK = book(DATA)
READ: dict[str, tuple[bytes, dict[str, list[Any]]]] = {
    "gz": (gzip.compress(LINES), MEANT),
    "gz in two parts": (gzip.compress(LINES[:15]) + gzip.compress(LINES[15:]), MEANT),
    "gz of Parquet": (gzip.compress(PARQUET), TABLE.to_pydict()),
    "gz of a workbook": (gzip.compress(BOOK), MEANT),
    "gz of JSON lines": (gzip.compress(b'{"a": 1}\n{"a": 2}\n'), {"a": ["1", "2"]}),
    "gz of semicolons": (gzip.compress(b"a;b\n1;2\n"), {"a": ["1"], "b": ["2"]}),
    "gz of UTF-16": (gzip.compress("a\tb\n1\té\n".encode("utf-16")), {"a": ["1"], "b": ["é"]}),
    "zip": (packed(x__csv=LINES), MEANT),
    "zip of a Mac": (packed(x___=b"", x___x__csv=LINES, **{"__MACOSX/x": b"\0\5\x16\7"}), MEANT),
    "zip with words beside": (packed(README__txt=b"read me", x__csv=LINES, LICENSE=b"free"), MEANT),
    "zip of Parquet": (packed(x__parquet=PARQUET), TABLE.to_pydict()),
    "zip of a workbook": (packed(x__xlsx=BOOK), MEANT),
    "zip of a file without an ending": (packed(people=LINES), MEANT),
    "a workbook called csv": (BOOK, MEANT),
    "one sheet": (BOOK, MEANT),
    "an empty sheet before": (book(both(sheet(name="Empty"), DATA)), MEANT),
    "a hidden sheet of lists": (book(both(DATA, sheet(["yes"], ["no"], name="lists", hidden=True))), MEANT),
    "blank rows between": (book(sheet(ROWS[0], [], ROWS[1], ["", ""], ROWS[2])), MEANT),
    "a table that begins further in": (book(further), MEANT),
    "merged below the table": (book(lambda written: sheet(*ROWS)(written).merge_range(9, 0, 11, 1, "")), MEANT),
    "types of a sheet": (
        book(typed),
        {
            "day": ["2020-01-31"],
            "moment": ["2020-01-31 18:30:00"],
            "share": ["0.573E0"],
            "code": ["1067"],
            "yes": ["true"],
            "digits": ["007"],
        },
    ),
    "a name between signs": (b"<DATE>,<PRICE>\n2020,1\n", {"<DATE>": ["2020"], "<PRICE>": ["1"]}),
    "a name like SYLK": (b"ID;PLZ\nA;5\n", {"ID": ["A"], "PLZ": ["5"]}),
    "a missing mark of dashes": (b"a,b\n---,---\n1,2\n", {"a": ["---", "1"], "b": ["---", "2"]}),
    "JSON whose first object lacks a name": (b'{"a": 1}\n{"b": 2}\n', {"a": ["1", None], "b": [None, "2"]}),
    "JSON in another order": (b'[{"a": 1, "b": 2}, {"b": 3, "a": 4}]', {"a": ["1", "4"], "b": ["2", "3"]}),
    "JSON of large numbers": (b'[{"a": 18446744073709551617}]', {"a": ["18446744073709551617"]}),
    "Feather": (saved(lambda sink: feather.write_feather(TABLE, sink)), TABLE.to_pydict()),
    "numbers beyond 2^63": (b"id,v\n9223372036854775809,1\n", {"id": ["9223372036854775809"], "v": ["1"]}),
}
REFUSED: dict[str, tuple[bytes, str]] = {
    "a page called xls": (WEB.encode(), "web page.*save it as xlsx"),
    "a page with a mark": (b"\xef\xbb\xbf" + WEB.encode(), "web page"),
    "a page below blanks": (b"\r\n\r\n  \t" + WEB.encode(), "web page"),
    "a page below a remark": (b"<!-- saved -->\n<!-- twice -->" + WEB.encode(), "web page"),
    "a page with its type": (b"<!DOCTYPE html>\n" + WEB.encode(), "web page"),
    "a page in capitals": (WEB.upper().encode(), "web page"),
    "a page in UTF-16": (WEB.encode("utf-16"), "web page"),
    "a page of a style first": (b"<style>td {}</style>" + WEB.encode(), "web page"),
    "a page in a zip": (packed(x__xls=WEB.encode()), "web page"),
    "a page in a gz": (gzip.compress(WEB.encode()), "web page"),
    "XML of Excel 2003": (
        b'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n'
        b'<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"></Workbook>',
        "XML spreadsheet.*save it as xlsx",
    ),
    "XML": (f"<?xml version='1.0'?><a>{CANARY}</a>".encode(), "an XML document"),
    "XML without its line": (f"<rows><row>{CANARY}</row></rows>".encode(), "an XML document"),
    "an error of a store": (b"<Error><Code>AccessDenied</Code></Error>", "an XML document"),
    "a page in one file": (b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n" + LINES, "MHTML"),
    "a page that Chrome saved": (
        b"From: <Saved by Blink>\r\nSnapshot-Content-Location: x\r\nMIME-Version: 1.0\r\n",
        "MHTML",
    ),
    "RTF": (b"{\\rtf1\\ansi " + LINES, "text document"),
    "RTF below a blank": (b"\n{\\rtf1 " + LINES, "text document"),
    "PDF below a mark": (b"\xef\xbb\xbf\n%PDF-1.7\n" + LINES, "a PDF"),
    "PostScript": (b"%!PS-Adobe-3.0\n" + LINES, "PostScript"),
    "LaTeX": (b"\\begin{tabular}{ll}\n" + LINES, "LaTeX"),
    "an old pickle": (pickle.dumps([CANARY], protocol=0), "pickle.*Export"),
    "a pickle": (pickle.dumps(pd.DataFrame({"a": [1]})), "pickle.*Export"),
    "Weka": (b"@RELATION people\n@ATTRIBUTE age NUMERIC\n@DATA\n3\n", "Weka"),
    "SYLK": (b"ID;PWXL;N;E\nP;PGeneral\nC;Y1;X1;K5\n", "SYLK"),
    "a printed table": (b" id | age \n----+-----\n  1 |  30 \n", "printed table"),
    "a table in a frame": (b"+----+-----+\n| id | age |\n+----+-----+\n", "printed table"),
    "a table of Markdown": (b"| id | age |\n|---:|-----|\n| 1 | 30 |\n", "printed table"),
    "a pointer to a file": (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "Git LFS"),
    "a locked text": (b"-----BEGIN PGP MESSAGE-----\n\n" + LINES, "locked file.*Unlock"),
    "a link": (b"[InternetShortcut]\r\nURL=file:///x\r\n", "a link"),
    "zip of two tables": (packed(a__csv=LINES, b__csv=LINES), "2 files: a.csv, b.csv"),
    "zip of many": (packed(**{f"x{at}__csv": LINES for at in range(9)}), "9 files: x0.csv.*x4.csv, \\.\\.\\."),
    "zip of words": (packed(readme__md=LINES), "This packed file contains no table"),
    "zip in a zip": (packed(x__zip=packed(x__csv=LINES)), "This is a compressed archive, not a workbook"),
    "gz in a zip": (packed(x__csv__gz=gzip.compress(LINES)), "compressed file"),
    "gz in a gz": (gzip.compress(gzip.compress(LINES)), "compressed file"),
    "zip in a gz": (gzip.compress(packed(x__csv=LINES)), "This is a compressed archive, not a workbook"),
    "tar in a gz": (tar(), "an archive.*Unpack"),
    "a locked zip": (locked(), "locked with a password"),
    "arrays of NumPy": (saved(lambda sink: np.savez(sink, np.zeros(3))), "NumPy"),
    "a gz that is cut off": (gzip.compress(LINES * 1000)[:-30], "This packed file is damaged or was not"),
    "a gz with a wrong byte": (flipped(gzip.compress(LINES * 1000), 60), "damaged"),
    "a gz with something behind": (gzip.compress(LINES) + b"more", "damaged"),
    "a zip with a wrong byte": (flipped(packed(x__csv=LINES * 1000), 60), "damaged"),
    "a zip that is cut off": (packed(x__csv=LINES)[:-40], "damaged"),
    "nothing in a gz": (gzip.compress(b""), "no columns"),
    "two sheets": (book(both(INFO, DATA)), "2 sheets: Info, Data. Choose one"),
    "two sheets, the table first": (book(both(DATA, INFO)), "2 sheets: Data, Info. Choose one"),
    "merged over rows": (merged((1, 0), (2, 0)), "A2:A3 are merged.*Unmerge"),
    "merged over columns": (merged((2, 0), (2, 1)), "A3:B3 are merged"),
    "merged names": (merged((0, 0), (0, 1)), "A1:B1 are merged in the line with the column names.*Skip"),
    "merged far out": (merged((1, 27), (2, 27)), "AB2:AB3 are merged"),
    "formulas of a program": (
        book(lambda written: sheet(*ROWS)(written).write_formula(1, 1, "=1+1")),
        "This sheet contains formulas that have not",
    ),
    "a binary workbook": (packed(xl___workbook__bin=b"x"), "xlsb"),
    "an OpenDocument": (packed(mimetype=b"x", content__xml=b"<a/>"), "OpenDocument"),
    "a document of Word": (packed(**{"[Content_Types]__xml": b"<a/>", "word___document__xml": b"<a/>"}), "archive"),
    "an old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old Office"),
    "columns in JSON": (b'{"a": {"0": 1}, "b": {"0": 2}}', "list of objects"),
    "rows within an object": (b'{"count": 2, "rows": [{"a": 1}, {"a": 2}]}', "list of objects"),
    "a map": (b'{"type": "FeatureCollection", "features": [{"type": "Feature"}]}', "list of objects"),
    "JSON in UTF-16": ('[{"a": 1}]'.encode("utf-16"), "JSON cannot be read.*UTF-8"),
    "objects of Python": (b"{'a': 1, 'b': 2}\n{'a': 3, 'b': 4}\n", "JSON cannot be read"),
    "objects without quotes": (b"[{a: 1}, {a: 2}]", "JSON cannot be read"),
    "NUL bytes": (b"a,b\n1,\x00\n", "not a text"),
    "nothing": (b"", "empty"),
}


@pytest.mark.parametrize("name", READ)
def test_an_odd_file_is_read_as_it_is_meant(name: str) -> None:
    """Each cell of each row."""
    data, meant = READ[name]
    source = LocalSource(data)
    assert source.head(source.names, 99).to_pydict() == meant


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_as_it_is_meant_is_refused(name: str) -> None:
    """In a sentence that quotes no cell."""
    data, says = REFUSED[name]
    with pytest.raises(ParameterError, match=says) as refused:
        LocalSource(data)
    assert CANARY not in str(refused.value)


def test_a_database_is_exported_first(tmp_path: Path) -> None:
    """Its tables are the tables."""
    with pytest.raises(ParameterError, match="SQLite.*Export"):
        LocalSource(database(tmp_path))


@pytest.mark.parametrize("name", ["zip", "gz"])
def test_a_packed_file_on_disk_is_read_out_of_core(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large ones are never held as a whole, and mean the same."""
    (tmp_path / "x").write_bytes(READ[name][0])
    monkeypatch.setattr("discreet.rows.intake.opening.SPOOL", 10)
    source = LocalSource(tmp_path / "x")
    assert source.head(source.names, 9).to_pydict() == MEANT


@pytest.mark.parametrize("pack", [gzip.compress, lambda content: packed(x__csv=content)])
def test_a_file_that_unpacks_endlessly_is_refused(
    pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what it grows to, in the process that has limits: blank lines alone, of which no row is made."""
    monkeypatch.setattr("discreet.rows.capacity.LARGEST_UNPACKED", 2**20)
    with pytest.raises(ParameterError, match="when unpacked"):
        LocalSource(pack(b"a,b\n1,2\n" + b"\n" * 2**21))


def test_a_sheet_that_is_chosen_is_read_and_goes_with_the_layout() -> None:
    """Also the only one of a workbook: whoever reads the file again reads the same sheet."""
    several = book(both(INFO, DATA))
    assert LocalSource(several, Layout("excel", sheet="Data")).head(["age"], 9).to_pydict() == {"age": ["30", "40"]}
    alone = LocalSource(BOOK, Layout("excel"))
    assert alone.layout == Layout("excel", sheet="Data") and "sheet='Data'" in str(alone.ground)
    with pytest.raises(ParameterError, match="No sheet with this name.*are: Info, Data"):
        LocalSource(several, Layout("excel", sheet="data"))


def test_percentages_of_a_sheet_are_noted() -> None:
    """What is seen as 57.3 % is 0.573: whoever declares is told."""
    keeping = Keeping()
    LocalSource(book(typed), keeping=keeping)
    assert keeping.notes["percent"] and "percent" not in _notes(BOOK)


def _notes(data: bytes) -> dict[str, Any]:
    keeping = Keeping()
    LocalSource(data, keeping=keeping)
    return keeping.notes


@pytest.mark.parametrize(
    "rows", [(["b", 1], [CANARY, 2]), ([CANARY, 2], ["b", 1]), (["b", 1], ["c", 3, "a cell beside"]), (["b", 1],)]
)
def test_no_row_of_a_sheet_moves_the_columns_of_others(rows: tuple[list[object], ...]) -> None:
    """Without names a column is called by its place in the sheet, whatever stands left and right of it."""

    def fill(written: Any, left: bool) -> None:
        page = written.add_worksheet()
        for at, row in enumerate(rows):
            page.write_row(at, 1, row)
        if left:
            page.write(len(rows), 0, "one row alone begins further left")

    for left in (False, True):
        data = book(lambda written, left=left: fill(written, left))
        table = LocalSource(data, Layout("excel", header=False)).head(["column 2", "column 3"], 9).to_pydict()
        assert table["column 3"][: len(rows)] == [str(row[1]) for row in rows]


INFINITE = ("inf", "-inf", "Infinity", "-INFINITY", "1e999", "NaN", "")


def counted(source: LocalSource) -> tuple[int, list[int]]:
    """Return how many rows have a number, and where they stand."""
    counts = source.counts(Task.of(Schema({"x": Number(0, 100, integer=True)}), ("x",)))
    return int(counts.rows.sum()), [int(place) for place in counts.places]


def test_what_is_endless_is_no_number_in_any_format() -> None:
    """Twenty of 480 cells that were infinite counted as the upper bound: a mean of 52.6 for 49.5."""
    cells = [*INFINITE, "5", "101"]
    numbers = [float(cell or "nan") for cell in cells]
    text = "id,x\n" + "".join(f"{at},{cell}\n" for at, cell in enumerate(cells))
    frames = {form: pa.table({"x": pa.array(numbers, form)}) for form in (pa.float64(), pa.float32())}
    files = [text.encode(), gzip.compress(text.encode())]
    files += [saved(lambda sink, t=table: pq.write_table(t, sink)) for table in frames.values()]
    files += [saved(lambda sink, t=table: feather.write_feather(t, sink)) for table in frames.values()]
    files += [json.dumps([{"x": number} for number in numbers]).encode()]
    assert [counted(LocalSource(file)) for file in files] == [(2, [5, 100])] * len(files)


NESTED = pa.table({"id": [1, 2], "tags": [[1], [2]], "place": [{"x": 1}, {"x": 2}]})


@pytest.mark.parametrize(
    "data",
    [
        b'[{"id": 1, "tags": [1], "place": {"x": 1}}, {"id": 2, "tags": [2], "place": {"x": 2}}]',
        saved(lambda sink: pq.write_table(NESTED, sink)),
        saved(lambda sink: feather.write_feather(NESTED, sink)),
        gzip.compress(saved(lambda sink: pq.write_table(NESTED, sink))),
    ],
    ids=["json", "parquet", "feather", "packed"],
)
def test_lists_and_objects_cannot_be_used_and_that_is_said(data: bytes, tmp_path: Path) -> None:
    """They are noted when the file is read, and whoever declares one all the same is refused."""
    (tmp_path / "x").write_bytes(data)
    for content in (data, tmp_path / "x"):
        keeping = Keeping()
        source = LocalSource(content, keeping=keeping)
        assert keeping.notes["nested"] == ["tags", "place"] == list(dict.fromkeys(source.unusable))
        Dataset(source, Schema({"id": Number(0, 5)}))
        with pytest.raises(ParameterError, match="'tags' cannot be used: it contains lists"):
            Dataset(source, Schema({"tags": Category(("1",))}))


def test_numbers_beyond_a_word_are_persons_by_their_digits_and_bounds_say_their_end() -> None:
    """The same person in text and in a typed column; as a whole number nothing beyond 2^62 is declared."""
    large = [2**63, 2**64 - 1, 5]
    words = person_words(pa.array(large, pa.uint64()), b"key")[0]
    assert words.tolist() == person_words(pa.array(list(map(str, large))), b"key")[0].tolist()
    with pytest.raises(ParameterError, match="For larger values, declare a number with decimals"):
        Number(0, 2**63, integer=True)
    ticks, there = Number(0, 2.0**64).ticks(pa.array(["18446744073709551616", "1"]))
    assert there.all() and ticks[0] == Number(0, 2.0**64).bounds.top
