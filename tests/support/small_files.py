"""Small files: uploads in every supported format, and files that are refused with a sentence."""

from __future__ import annotations

import gzip
import io
import pickle
import zipfile
from collections.abc import Callable
from functools import partial

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import xlsxwriter

NAMES = ["größe", "城市"]
LINES = [["1", "a"], ["2", 'b "quoted"\nline'], ["3", "c"]]


def text(separator: str = ",", names: list[str] | None = None) -> str:
    """Return a small table as text, one cell with a quote and a line break."""
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in line] for line in LINES]
    lines = [names or NAMES, *quoted]
    return "\r\n".join(separator.join(line) for line in lines) + "\r\n"


def table(names: list[str] | None = None) -> pa.Table:
    """Return that table as an Arrow table."""
    columns = zip(*LINES, strict=True)
    return pa.table(dict(zip(names or NAMES, map(list, columns), strict=True)))


def parquet(data: pa.Table) -> bytes:
    """Return a table as Parquet."""
    sink = io.BytesIO()
    pq.write_table(data, sink)
    return sink.getvalue()


def feathered() -> bytes:
    """Return the table as Feather."""
    sink = io.BytesIO()
    feather.write_feather(table(), sink)
    return sink.getvalue()


def workbook(lines: list[list[str]]) -> bytes:
    """Return lines as an Excel workbook."""
    sink = io.BytesIO()
    book = xlsxwriter.Workbook(sink, {"in_memory": True})
    sheet = book.add_worksheet()
    for at, line in enumerate(lines):
        sheet.write_row(at, 0, line)
    book.close()
    return sink.getvalue()


def packed(name: str = "x.txt", size: int = 10) -> bytes:
    """Return a zip archive with one member of so many zeros."""
    sink, zeros = io.BytesIO(), b"0" * min(size, 2**20)
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as box, box.open(name, "w") as member:
        for _ in range(size // len(zeros)):
            member.write(zeros)
    return sink.getvalue()


def survey() -> bytes:
    """Return a workbook: notes first, then a table under a title and a header with gaps."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        book.add_worksheet("Notes").write(0, 0, "Read me")
        sheet = book.add_worksheet("Data")
        sheet.write_row(2, 1, ["answers", "", "", ""])
        sheet.write_row(3, 0, ["id", "pay", "paid", "when"])
        sheet.write_row(4, 0, ["x1", 1.5, True, "2020-05-03"])
    return sink.getvalue()


GOOD: dict[str, bytes] = {
    "comma.csv": text().encode(),
    "bom.csv": b"\xef\xbb\xbf" + text().encode(),
    "semicolon.csv": text(";").encode(),
    "tab.tsv": text("\t").encode(),
    "bar.csv": text("|").encode(),
    "utf-16.csv": text().encode("utf-16"),
    "gb18030.csv": text(names=["城市", "名字"]).encode("gb18030"),
    "latin-1.csv": text(names=["größe", "straße"]).encode("latin-1"),
    "table.parquet": parquet(table()),
    "table.feather": feathered(),
    "table.xlsx": workbook([NAMES, *LINES]),
    "misnamed.exe": text().encode(),
    "table.csv.gz": gzip.compress(text().encode()),
}

BAD: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "empty.csv": (b"", "empty"),
    "header-only.csv": (b"a,b\n", "no rows"),
    "pickle.csv": (pickle.dumps({"a": 1}), "pickle"),
    "gzip.csv": (gzip.compress(gzip.compress(b"a\n1\n")), "compressed"),
    "bzip2.csv": (b"BZh91AY&SY", "compressed"),
    "zip.csv": (packed("readme.md"), "no table"),
    "bomb.xlsx": (partial(packed, "xl/workbook.xml", 600 * 2**20), "512 MiB"),
    "broken.xlsx": (b"PK\x03\x04 broken", "damaged"),
    "old.xls": (b"\xd0\xcf\x11\xe0" + bytes(600), "old Office file"),
    "page.csv": (b"<!DOCTYPE html><html></html>", "web page"),
    "xml.csv": (b"<?xml version='1.0'?><a/>", "an XML document"),
    "paper.csv": (b"%PDF-1.7 ...", "PDF"),
    "picture.csv": (b"\x89PNG\r\n\x1a\n" + bytes(50), "picture"),
    "program.csv": (b"\x7fELF" + bytes(50), "program"),
    "nul.csv": (b"a,b\n1,\x002\n", "not a text file"),
    "wide.csv": (",".join(f"c{i}" for i in range(2_500)).encode() + b"\n1\n", "2000 columns"),
    "long-name.csv": (b"a" * 300 + b",b\n1,2\n", "200 characters"),
    "bidi.csv": ("a\u202eb,c\n1,2\n".encode(), "direction characters"),
    "open-quote.csv": (b'a,b\n"1,2\n' + b"x" * 1_100_000, "longer than 1,048,576"),
    "swallowing-quote.csv": (b'a,b\n1,"2\n' + b"3,4\n" * 9, "quote is not closed"),
    "broken.parquet": (b"PAR1 nothing PAR1", "damaged"),
    "broken.feather": (b"ARROW1 nothing", "damaged"),
    "empty-sheet.xlsx": (workbook([]), "empty"),
}


def bad(name: str) -> tuple[bytes, str]:
    """Return a bad file and its error message; a zip bomb is made on demand, not when files are listed."""
    data, says = BAD[name]
    return (data() if callable(data) else data), says
