"""Sniffing: what a file is by its content, before anything is opened. The name says nothing."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from dataclasses import dataclass

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase

MIB = 2**20
LARGEST_UPLOAD = 200 * MIB
LARGEST_UNPACKED = 2048 * MIB
MOST_COLUMNS = 2_000
MOST_CELLS = 400_000_000
ROW_BYTES = 64  # what a question keeps of one row, where rows are told apart
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

    Nothing is unpacked here; of a text no more is parsed than the start, to guess its separator.
    """
    if not data:
        raise ParameterError("The file is empty. Choose a file with a header and rows.")
    if len(data) > LARGEST_UPLOAD:
        raise ParameterError(
            "The file is larger than {largest_upload} MiB. Use Parquet.", largest_upload=LARGEST_UPLOAD // MIB
        )
    if data[:4] == b"PAR1":
        return Layout("parquet")
    if data[:6] == b"ARROW1":
        return Layout("feather")
    if data[:4] == b"PK\x03\x04":
        return Layout("excel")
    _refuse_foreign(data)
    encoding = _encoding(data, whole)
    return Layout("text", encoding, _separator(_decoded(data[:LOOK], encoding)))


def _refuse_foreign(data: bytes) -> None:
    for magic, name in FOREIGN.items():
        if data.startswith(magic):
            raise ParameterError("This is {name}, not a table. {accepted}", name=Phrase(name), accepted=ACCEPTED)
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<svg")):
        raise ParameterError("This is a web page, not a table. {accepted}", accepted=ACCEPTED)
    if b"\x00" in data[:LOOK] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ParameterError("This is not a text file. {accepted}", accepted=ACCEPTED)


def _encoding(data: bytes, whole: bool) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    for encoding in ("utf-8", "gb18030"):
        if _fits(data, encoding, whole) and not (encoding == "gb18030" and _western(data[:LOOK])):
            return encoding
    return "latin-1"


def _fits(data: bytes, encoding: str, whole: bool) -> bool:
    """Say whether bytes are text in an encoding, a piece at a time."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(data), MIB):
            decoder.decode(data[start : start + MIB])
        decoder.decode(b"", final=whole)
    except UnicodeDecodeError:
        return False
    return True


def _western(start: bytes) -> bool:
    """Say whether most letters beyond ASCII stand alone or in pairs inside words, as accents do."""
    runs = list(re.finditer(rb"([A-Za-z]?)([\x80-\xff]+)", start))
    inside = sum(bool(run[1]) and len(run[2]) <= 2 for run in runs)
    return 2 * inside > len(runs)


def _decoded(start: bytes, encoding: str) -> str:
    """Return the start of a text without a byte-order mark and without its torn end."""
    name = "utf-8-sig" if encoding == "utf-8" else encoding
    whole = start[: len(start) // 2 * 2] if encoding == "utf-16" else start
    return whole.decode(name, errors="ignore")


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
