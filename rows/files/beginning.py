"""Beginning: where the table of a text most likely begins, and whether its first line names the columns.

Where it begins follows from rows, so it is only offered to the person who brings a file, who declares it or not.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from discreet.rows.files.encoding import MOST_LINES
from discreet.rows.files.format import COMMENTS

# each sign has one place in it: the time that a cell takes grows with its length, and no faster
NUMBER = re.compile(r"[-+]?[.,' ]*[0-9][0-9.,' ]*([eE][-+]?[0-9]+)? ?[%€$£]?")
YEAR, PLACE = re.compile(r"[0-9]{4}"), re.compile(r"[0-9]{1,9}")


class Beginning(NamedTuple):
    """How a text begins: parts of a `Layout`, by their names."""

    header: bool
    skip: int
    comment: str
    row_names: bool = False


def beginning(start: str, separator: str) -> Beginning:
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
        return Beginning(True, 0, comment)
    skip = first if any(at < first for at in body) else 0
    header = not above or names_columns(rows[first])
    below = [at for at in body if at > first]
    below = below[:-1] if len(below) > 1 else below  # the last one may be cut off
    short = _one_name_short(rows[first], [rows[at] for at in below]) if header and above else False
    return Beginning(header, skip, comment, short and _named_by_r([lines[at] for at in below], rows, below))


def _one_name_short(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Say whether each row has one cell more than there are names, as where R names the rows.

    A row that ends with a separator has an empty cell at its end, and no name for it.
    """
    return bool(below) and all(len(row) == len(names) + 1 and row[-1] != "" and row[0] != "" for row in below)


def _named_by_r(lines: Sequence[str], rows: Sequence[Sequence[str]], at: Sequence[int]) -> bool:
    """Say whether rows begin with what R calls them: a name in quotation marks, or their number.

    Otherwise a cell too many may stand at the end of each row, and nothing is moved for it.
    """
    if all(line.lstrip().startswith('"') for line in lines):
        return True
    first = [rows[place][0] for place in at]
    return all(cell.isdecimal() and cell.isascii() and len(cell) <= 9 for cell in first) and all(
        int(later) == int(sooner) + 1 for sooner, later in zip(first, first[1:], strict=False)
    )


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return []


def _comment(line: str) -> str:
    """Return the sign with which a first line begins that has not the width of the others."""
    return next((sign for sign in COMMENTS[1:4] if line.startswith(sign)), "")


def names_columns(cells: Sequence[str]) -> bool:
    """Say whether cells look like names: no numbers, but for years and for those that count columns."""
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    if not numbers or all(YEAR.fullmatch(cell) for cell in numbers):
        return True
    whole = [int(cell) for cell in numbers if PLACE.fullmatch(cell)]
    return len(whole) == len(numbers) > 1 and whole == list(range(whole[0], whole[0] + len(whole)))
