"""Foreign: what is no table, told by its first bytes, and what to do instead."""

from __future__ import annotations

import re

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows.capacity import LOOK
from discreet.rows.files.format import accepted

PACKED = [b"BZh%d1AY" % level for level in range(1, 10)]
UNPACK = Phrase("Unpack it first.")
EXPORT = Phrase("Export its table.")
RESAVE = Phrase("Open it where it was made, and save it as xlsx, without a password.")
CHOOSE = Phrase("Choose the table itself.")
NAMES: dict[bytes, tuple[Phrase, Phrase]] = {
    **{b"\x80" + bytes([version]): (Phrase("a Python pickle"), EXPORT) for version in range(2, 6)},
    **{
        mark: (Phrase("a compressed file"), UNPACK)
        for mark in (b"\x1f\x8b", b"\xfd7zXZ", b"(\xb5/\xfd", b"7z\xbc\xaf", b"Rar!", *PACKED)
    },
    **{mark: (Phrase("data of R"), EXPORT) for mark in (b"RDX2", b"RDX3", b"RDA2", b"RDA3")},
    **{mark: (Phrase("a program"), CHOOSE) for mark in (b"\x7fELF", b"MZ")},
    **{mark: (Phrase("a picture"), CHOOSE) for mark in (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")},
    b"%PDF": (Phrase("a PDF"), CHOOSE),
    b"{\\rtf": (Phrase("a text document"), CHOOSE),
    b"\xd0\xcf\x11\xe0": (Phrase("an old Office file, or a locked one"), RESAVE),
    b"SQLite format 3": (Phrase("a database of SQLite"), EXPORT),
    b"\x00\x01\x00\x00Standard": (Phrase("a database of Access"), EXPORT),
    b"PGDMP": (Phrase("a dump of PostgreSQL"), EXPORT),
    b"\x93NUMPY": (Phrase("an array of NumPy"), EXPORT),
    b"\x89HDF": (Phrase("a file of HDF5"), EXPORT),
    b"MATLAB 5": (Phrase("a file of MATLAB"), EXPORT),
    b"Obj\x01": (Phrase("a file of Avro"), EXPORT),
    b"ORC": (Phrase("a file of ORC"), EXPORT),
    b"PARE": (Phrase("a locked Parquet file"), EXPORT),
    b"FEA1": (Phrase("a Feather file of version 1"), EXPORT),
    b"\xff\xff\xff\xff": (Phrase("a stream of Arrow"), EXPORT),
}
WITHIN: dict[tuple[int, bytes], tuple[Phrase, Phrase]] = {  # marks that do not stand first
    (257, b"ustar"): (Phrase("an archive"), UNPACK),
    (8, b"DUCK"): (Phrase("a database of DuckDB"), EXPORT),
}
LONGEST_WORD = 5
SCRIPT = re.compile(rb"\s*(?:--|/\*|CREATE |DROP |INSERT |SET |BEGIN)", re.IGNORECASE)
STATEMENT = re.compile(rb"INSERT INTO|CREATE TABLE|COPY \S+ \(", re.IGNORECASE)
LISTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*[\[\]\"0-9-]")  # JSON, but no list of objects
PAGES = (b"<!doctype", b"<html", b"<?xml", b"<svg")


def refuse_foreign(data: bytes) -> None:
    """Refuse what somebody took for a table; call it what it is, and say what to do."""
    binary = b"\x00" in data[:LOOK]
    for (place, mark), words in ({(0, mark): words for mark, words in NAMES.items()} | WITHIN).items():
        word = mark.isalnum() and len(mark) <= LONGEST_WORD  # a table may begin with it
        if data[place : place + len(mark)] == mark and (binary or not word):
            raise _refused(*words)
    if SCRIPT.match(data) and STATEMENT.search(data[:LOOK]):
        raise _refused(Phrase("a script of SQL"), EXPORT)
    if data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(PAGES):
        raise ParameterError("This is a web page, not a table. {accepted}", accepted=accepted())
    if LISTS.match(data):
        raise ParameterError("This JSON holds no rows. Write a list of objects, one for each row.")
    if binary and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ParameterError("This is not a text file. {accepted}", accepted=accepted())


def _refused(name: Phrase, advice: Phrase) -> ParameterError:
    return ParameterError(
        "This is {name}, not a table. {advice} {accepted}", name=name, advice=advice, accepted=accepted()
    )
