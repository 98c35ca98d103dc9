"""Sniffing: what a file is by its content, before anything is opened. The name says nothing."""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from budget.errors import ParameterError
from budget.phrase import Phrase

MIB = 2**20
LARGEST_UPLOAD = 200 * MIB
LARGEST_UNPACKED = 2048 * MIB
MOST_COLUMNS = 2_000
MOST_CELLS = 400_000_000
LOOK = 64 * 1024
SEPARATORS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8", "utf-16", "latin-1", "gb18030")
FOREIGN = {
    b"\x80\x04": "a Python pickle",
    b"\x80\x05": "a Python pickle",
    b"\x1f\x8b": "a compressed file",
    b"BZh": "a compressed file",
    b"\xfd7zXZ": "a compressed file",
    b"(\xb5/\xfd": "a compressed file",
    b"7z\xbc\xaf": "a compressed file",
    b"%PDF": "a PDF",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\xd0\xcf\x11\xe0": "an old Office file",
}
ACCEPTED = Phrase("Use CSV, TSV, Parquet, Feather or Excel (xlsx).")


@dataclass(frozen=True)
class Layout:
    """How to read a file: a suggestion that the person may correct."""

    format: str
    encoding: str = "utf-8"
    separator: str = ","

    def __post_init__(self) -> None:
        """Accept only what can be read."""
        if self.format not in ("text", "parquet", "feather", "excel"):
            raise ParameterError("This format cannot be read. {accepted}", accepted=ACCEPTED)
        if self.encoding not in ENCODINGS:
            raise ParameterError("Encoding must be one of {choices}.", choices=", ".join(ENCODINGS))
        if self.separator not in SEPARATORS:
            raise ParameterError("Separator must be a comma, a semicolon, a tab or a bar.")


def suggest(data: bytes, whole: bool = True) -> Layout:
    """Say how to read an upload (or the start of a file), or why it is refused.

    Nothing is unpacked or parsed here.
    """
    if not data:
        raise ParameterError("The file is empty. Choose a file with a header and rows.")
    if len(data) > LARGEST_UPLOAD:
        raise ParameterError(
            "The file is larger than {largest_upload} MiB. Use Parquet.",
            largest_upload=LARGEST_UPLOAD // MIB,
        )
    if data[:4] == b"PAR1":
        return check_parquet(data)
    if data[:6] == b"ARROW1":
        return Layout("feather")
    if data[:4] == b"PK\x03\x04":
        return _check_excel(data)
    _refuse_foreign(data)
    encoding = _encoding(data, whole)
    return Layout("text", encoding, _separator(decode(data[:LOOK], encoding, cut=True)))


def check_parquet(data: bytes) -> Layout:
    """Read only the footer, and refuse what would unpack beyond the limits."""
    try:
        told = pq.read_metadata(io.BytesIO(data))
    except (pa.ArrowException, OSError):
        raise ParameterError("This Parquet file is damaged. Write it again.") from None
    unpacked = sum(told.row_group(i).total_byte_size for i in range(told.num_row_groups))
    cells = told.num_rows * told.num_columns
    if told.num_columns > MOST_COLUMNS or unpacked > LARGEST_UNPACKED or cells > MOST_CELLS:
        raise beyond()
    return Layout("parquet")


def beyond() -> ParameterError:
    """Say that a file grows too large."""
    return ParameterError(
        "This file unpacks beyond the limits ({most_columns} columns, {most_cells:,} "
        "cells, {largest_unpacked} MiB). Split it.",
        most_columns=MOST_COLUMNS,
        most_cells=MOST_CELLS,
        largest_unpacked=LARGEST_UNPACKED // MIB,
    )


def _check_excel(data: bytes) -> Layout:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = set(packed.namelist())
            unpacked = sum(item.file_size for item in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError):
        raise ParameterError("This packed file is damaged. {accepted}", accepted=ACCEPTED) from None
    if "xl/workbook.xml" not in names:
        raise ParameterError(
            "This is a packed archive, not a workbook. {accepted}", accepted=ACCEPTED
        )
    if unpacked > LARGEST_UNPACKED // 4:
        raise ParameterError("This workbook unpacks beyond 512 MiB. Save it as CSV or Parquet.")
    return Layout("excel")


def _refuse_foreign(data: bytes) -> None:
    for magic, name in FOREIGN.items():
        if data.startswith(magic):
            raise ParameterError(
                "This is {name}, not a table. {accepted}", name=Phrase(name), accepted=ACCEPTED
            )
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<svg")):
        raise ParameterError("This is a web page, not a table. {accepted}", accepted=ACCEPTED)
    if b"\x00" in data[:LOOK] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ParameterError("This is not a text file. {accepted}", accepted=ACCEPTED)


def _encoding(data: bytes, whole: bool) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    for encoding in ("utf-8", "gb18030"):
        try:
            codecs.getincrementaldecoder(encoding)().decode(data, final=whole)
        except UnicodeDecodeError:
            continue
        if encoding == "gb18030" and _western(data[:LOOK]):
            continue
        return encoding
    return "latin-1"


def _western(start: bytes) -> bool:
    """Say whether most letters beyond ASCII stand alone or in pairs inside words, as accents do."""
    runs = list(re.finditer(rb"([A-Za-z]?)([\x80-\xff]+)", start))
    inside = sum(bool(run[1]) and len(run[2]) <= 2 for run in runs)
    return 2 * inside > len(runs)


def decode(data: bytes, encoding: str, cut: bool = False) -> str:
    """Return the text without a byte-order mark; a wrong encoding gets a sentence."""
    name = "utf-8-sig" if encoding == "utf-8" else encoding
    if cut and encoding == "utf-16":
        data = data[: len(data) // 2 * 2]
    try:
        return data.decode(name, errors="ignore" if cut else "strict")
    except UnicodeDecodeError:
        raise ParameterError(
            "The file is not written in {encoding}. Choose another encoding.", encoding=encoding
        ) from None


def _separator(start: str) -> str:
    """Return the separator that cuts most first lines into the same number of fields."""

    def vote(separator: str) -> tuple[int, int]:
        try:
            counts = Counter(len(row) for row in csv.reader(lines, delimiter=separator) if row)
        except csv.Error:
            return 0, 0
        fields, rows = max(counts.items(), key=lambda item: item[1], default=(0, 0))
        return (rows, fields) if fields > 1 else (0, 0)

    lines = start.splitlines(keepends=True)[:50]
    return max(SEPARATORS, key=vote)
