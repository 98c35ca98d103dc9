"""Beginning: where the table of a text begins, and whether its first line names the columns."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

from discreet.rows.files.encoding import MOST_LINES
from discreet.rows.files.format import COMMENTS

NUMBER = re.compile(r"[-+]?[0-9.,' ]*[0-9][0-9.,' ]*([eE][-+]?[0-9]+)? ?[%€$£]?")
YEAR = re.compile(r"[0-9]{4}")


def beginning(start: str, separator: str) -> tuple[bool, int, str]:
    """Return whether a line names the columns, how many lines stand above it, and what begins a comment.

    Lines above a table have no separator. What holds numbers, and neither years nor one number
    after the other, is no line of names: it is somebody's row, and is shown to nobody.
    """
    lines = start.splitlines()[:MOST_LINES]
    rows = [_cells(line, separator) for line in lines]
    sizes = Counter(len(row) for row in rows if any(row))
    width = max(sizes, key=lambda size: (sizes[size] if size > 1 else 0, size), default=0)
    head = next((at for at, row in enumerate(rows) if any(row)), None)
    comment = "" if head is None or len(rows[head]) == width else _comment(lines[head])
    body = [at for at, row in enumerate(rows) if any(row) and not (comment and lines[at].startswith(comment))]
    above = [at for at in body if width < 3 or sum(map(bool, rows[at])) > 1]
    first = above[0] if above else 0
    if any(line.count('"') % 2 for line in lines[: first + 1]):  # a name goes on over lines
        return True, 0, comment
    skip = first if any(at < first for at in body) else 0
    return not above or _names(rows[first]), skip, comment


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return []


def _comment(line: str) -> str:
    """Return the sign with which a first line begins that has not the width of the others."""
    return next((sign for sign in COMMENTS[1:4] if line.startswith(sign)), "")


def _names(cells: Sequence[str]) -> bool:
    """Say whether cells look like names: no numbers, but for years and for those that count columns."""
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    if not numbers or all(YEAR.fullmatch(cell) for cell in numbers):
        return True
    whole = [int(cell) for cell in numbers if cell.isascii() and cell.isdigit()]
    return len(whole) == len(numbers) > 1 and whole == list(range(whole[0], whole[0] + len(whole)))
