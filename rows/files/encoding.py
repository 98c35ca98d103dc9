"""Encoding: what does not fit it, as what the bytes of a text are most likely meant, and what separates its cells.

What is likely follows from rows, so it is only offered to the person who brings a file, who declares it or not.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter

from discreet.rows.capacity import LOOK, MIB
from discreet.rows.files.format import SEPARATORS

MOST_LINES = 50
UNFIT = "discreet.unfit"  # what decoding does with bytes that do not fit
NO_TEXT = "\udcff"  # what stands in their place: no encoding has it


def _unfit(error: UnicodeError) -> tuple[str, int]:
    """Put a mark in the place of bytes that do not fit, and go on behind them."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return NO_TEXT, error.end


codecs.register_error(UNFIT, _unfit)


def encoding_of(data: bytes, whole: bool = True) -> str:
    """Return the encoding of a text, or of its start."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    for encoding in ("utf-8", "gb18030"):
        if _fits(data, encoding, whole) and not (encoding == "gb18030" and _western(data[:LOOK])):
            return encoding
    windows = re.search(rb"[\x80-\x9f]", data) and _fits(data, "cp1252", whole)  # in Latin-1 they are no letters
    return "cp1252" if windows else "latin-1"


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


def decoded(start: bytes, encoding: str) -> str:
    """Return the start of a text without a byte-order mark and without its torn end."""
    name = "utf-8-sig" if encoding == "utf-8" else encoding
    whole = start[: len(start) // 2 * 2] if encoding == "utf-16" else start
    return whole.decode(name, errors="ignore")


def separator_of(start: str) -> str:
    """Return the separator that cuts most first lines into the same number of fields."""
    lines = start.splitlines(keepends=True)[:MOST_LINES]

    def vote(separator: str) -> tuple[int, int]:
        try:
            counts = Counter(len(row) for row in csv.reader(lines, delimiter=separator) if row)
        except csv.Error:
            return 0, 0
        fields, rows = max(counts.items(), key=lambda item: item[1], default=(0, 0))
        return (rows, fields) if fields > 1 else (0, 0)

    return max(SEPARATORS, key=vote)
