"""Heading: what the public beginning of a text says of its layout: its byte order mark and its line of names.

No row is looked at: what one person's row holds must not decide how everybody else's is read. Without a mark a text is
UTF-8, always.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

from discreet.rows.capacity import MOST_COLUMNS
from discreet.rows.files.beginning import names_columns
from discreet.rows.files.encoding import decoded
from discreet.rows.files.format import MOST_SKIPPED, SEPARATORS

DECLARED = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # a first line that spreadsheets write and read
COMMENT = re.compile(r"(#|%|//)\s")
MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16; that of UTF-8 needs no other reading


class Heading(NamedTuple):
    """What is proposed: parts of a `Layout`, by their names."""

    encoding: str
    separator: str
    header: bool
    skip: int
    columns: int


def heading(start: bytes) -> Heading:
    """Propose how a text is read, by what stands up to its first line that is neither blank nor a comment."""
    encoding = "utf-16" if start[:2] in MARKS else "utf-8"
    lines = list(io.StringIO(decoded(start, encoding), newline=""))  # as they are read: no other sign ends one
    skip = next((at for at, line in enumerate(lines) if line.strip() and not COMMENT.match(line)), 0)
    skip = skip if skip <= MOST_SKIPPED and any(COMMENT.match(line) for line in lines[:skip]) else 0
    said = DECLARED.fullmatch(lines[skip]) if lines[skip:] else None
    if said and said[1] in SEPARATORS:
        skip, separators = skip + 1, [said[1]]
    else:
        separators = [*SEPARATORS]
    rows = {separator: _first(lines[skip:], separator) for separator in separators}
    separator = max(separators, key=lambda each: len(rows[each]))
    header = not rows[separator] or names_columns(rows[separator])
    columns = 0 if header or len(rows[separator]) > MOST_COLUMNS else len(rows[separator])  # too many are refused later
    return Heading(encoding, separator, header, skip, columns)


def _first(lines: Sequence[str], separator: str) -> list[str]:
    """Return the cells of the first line that has any."""
    try:
        row = next((row for row in csv.reader(lines, delimiter=separator, strict=True) if row), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in row]
