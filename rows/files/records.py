"""Records: the rows of a text, one after the other, and what becomes of lines that cannot be read.

A line that cannot be read refuses a file while it is brought. Where each line is a row by itself, or a file is read
again, it is a row without any readable cell: nothing that one row holds decides how another one is read.
"""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterator

from discreet.rows.files.encoding import NO_TEXT
from discreet.rows.files.format import ENCODING, Job, Wrong

CELLS, NUL, LINE, WIDE, LONG, ENDS = "cells", "nul", "line", "wide", "long", "ends"
QUOTED = '(?:^|(?<={0}))"(?:[^"]|"")*"(?=$|[{0}\r\n])'
LONGEST_ROW = 2**20  # characters
Row = list[str] | None  # None: what cannot be read


class Records:
    """The rows of a text below those lines that are skipped; comments between them are none."""

    def __init__(self, text: io.TextIOWrapper, job: Job) -> None:
        """Begin below the lines that are skipped."""
        csv.field_size_limit(2 * LONGEST_ROW)  # a cell over many lines is measured as it grows
        self._text, self._separator, self._comment = text, job["separator"], job["comment"]
        self._alone, self._tolerant = job["lenient"], job["lenient"] or job["again"]
        self._pushed, self._taken = deque[str](), list[str]()  # lines to be read again; those of the row being read
        self.width, self.signs, self._number = 0, 0, 0
        self._quoted, self._returns = re.compile(QUOTED.format(re.escape(self._separator))), False
        for _ in range(job["skip"]):
            next(self._physical(), None)

    def header(self) -> list[str]:
        """Return the first row, which names the columns; a name may go on over lines."""
        for row in self._over_lines():
            if row is None:
                raise Wrong(LINE, self._number)
            if row:
                return row
        return []

    def first(self) -> list[Row]:
        """Return the first row that can be read, and those above it that cannot."""
        rows: list[Row] = []
        for row in self._rows():
            if row is None or row:
                rows.append(row)
            if row:
                break
        return rows

    def __iter__(self) -> Iterator[Row]:
        """Yield every further row."""
        return self.checked(self._rows())

    def checked(self, rows: Iterator[Row] | list[Row]) -> Iterator[Row]:
        """Pass rows on; one with more cells than there are columns cannot be read. A blank line is none."""
        for row in rows:
            if row is None or len(row) == self.width:
                yield row
            elif row:
                yield self._broken(WIDE) if any(row[self.width :]) else row

    def _rows(self) -> Iterator[Row]:
        return self._by_line() if self._alone else self._over_lines()

    def _by_line(self) -> Iterator[Row]:
        """Read each line as a row."""
        self._taken.clear()  # what the header took
        for line in self._lines():
            self._taken.clear()
            if "\0" in line:
                yield None
            elif '"' not in line:
                cells = line.rstrip("\r\n")
                yield cells.split(self._separator) if cells else []
            else:
                yield next(self._parsed(iter((line,))), None)

    def _over_lines(self) -> Iterator[Row]:
        """Read rows whose cells may go on over lines; where one cannot be read, go on with the line below it."""
        parsed = self._parsed(self._lines())
        while True:
            self._taken.clear()
            try:
                row = next(parsed)
            except StopIteration:
                return
            if row is None:
                self._pushed.extendleft(reversed(self._taken[1:]))
                self._number -= len(self._taken) - 1
                parsed = self._parsed(self._lines())
            yield row

    def _parsed(self, lines: Iterator[str]) -> Iterator[Row]:
        """Read rows up to the first that cannot be read."""
        reader = csv.reader(lines, delimiter=self._separator, strict=True)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield self._broken(LINE)
                return
            reason = self._reason(row)
            yield self._broken(reason) if reason else row

    def _reason(self, row: list[str]) -> str:
        """Say why a row that was read is none.

        While a file is brought, quotes stand around cells or are doubled within: one beside them could end a cell that
        somebody else has begun, whose row would take all between. And a row ends with a carriage return alone where
        the first line does, and nowhere else: otherwise a program has left it in a cell as it is. Where lines end so
        twice, those between are blank.
        """
        if any("\0" in line for line in self._taken):
            return NUL
        if self._tolerant:
            return ""
        end = self._taken[-1][-1:]
        if (end == "\r" and not self._returns) or (row and end == "\n" and self._returns):
            return ENDS
        whole = "".join(self._taken)
        return LINE if '"' in whole and any('"' in c for c in row) and '"' in self._quoted.sub("", whole) else ""

    def _broken(self, reason: str) -> Row:
        """Refuse the file for a line, or let it be a row that cannot be read."""
        if not self._tolerant:
            raise Wrong(reason, self._number - max(len(self._taken) - 1, 0))
        return None

    def _lines(self) -> Iterator[str]:
        """Yield lines; comments between rows are left out, and a row of too many ends with a NUL in it."""
        size = 0
        for line in self._physical():
            size = len(line) + size * bool(self._taken)
            if not self._taken and self._comment and line.startswith(self._comment):
                continue
            if size > LONGEST_ROW:
                self._broken(LONG)
                line = '"\0"\0'  # no reader of quotes goes on behind it
            self._taken.append(line)
            yield line

    def _physical(self) -> Iterator[str]:
        """Yield the lines of the file as they come, those that are read again first."""
        while line := self._pushed.popleft() if self._pushed else self._text.readline(LONGEST_ROW + 1):
            self._number += 1
            self._returns |= self._number == 1 and line.endswith("\r")
            self.signs += len(line)
            if len(line) > LONGEST_ROW and line[-1] not in "\r\n":
                self._rest_of_line()
            if not self._tolerant and ("\0" in line or NO_TEXT in line):
                raise Wrong(NUL if "\0" in line else ENCODING, self._number)
            yield line

    def _rest_of_line(self) -> None:
        """Leave out what is left of a line that is too long."""
        while (rest := self._text.readline(LONGEST_ROW)) and rest[-1] not in "\r\n":
            pass
