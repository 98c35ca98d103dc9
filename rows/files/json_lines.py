"""JSON: a sequence of objects, one per line or in a list; the first objects name the columns.

If columns are declared, they are the keys: a key that the first objects lack is still read from all others.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, Any, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import MIB
from discreet.rows.files.format import DAMAGED, Batches, Format, Job, Wrong, cleaned, fields
from discreet.rows.files.typed import scientific, typed

NESTED = "nested"
NAME = "name"
ROOM = 512 * MIB  # memory for parsing, which proceeds in pieces
PIECE_CELLS = 2**17
PIECE_SIGNS = 2**20
FIRST, LONG = 1000, 2**20  # objects that name the columns, fewer if they reach this many characters
LONGEST = 2**24  # characters of an object
BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*[\"}]")
ENDLESS = {"Infinity": "inf", "-Infinity": "-inf"}


class JsonLines(Format):
    """Objects whose keys are the names of columns; nested cells are missing."""

    name: ClassVar[str] = "json"
    titles: ClassVar[tuple[str, ...]] = ("JSON",)
    rank: ClassVar[int] = 4
    streamed: ClassVar[bool] = True
    keyed: ClassVar[bool] = True

    def recognises(self, start: bytes) -> bool:
        """Return whether a file begins with an object, or with a list that begins with one."""
        return bool(BEGINS.match(start))

    def room(self, job: Job) -> int:
        """Return the same number of bytes for files of any size."""
        return ROOM

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Parse cells as texts, a number of rows at a time."""
        declared: list[str] = job.get("keys", [])
        objects = Objects(io.TextIOWrapper(data, "utf-8-sig"))
        rows = iter(objects)
        if declared:
            schema = pa.schema([(name, pa.large_string()) for name in declared])
            return schema, _batches((_named(row, declared) for row in rows), declared, schema)
        first = _first(rows, objects)
        keys, nested = _keys(first)
        if (keys and len(nested) == len(keys)) or (len(first) == 1 and _wraps(first[0])):
            raise Wrong(NESTED)
        below = chain(first, rows) if job.get("again") else _known(chain(first, rows), set(keys), len(first))
        schema = fields(keys, pa.large_string(), nested=nested)
        return schema, _batches(below, keys, schema) if keys else ()

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Return the error with how rows are to be written."""
        if reason == NESTED:
            return ParameterError("This JSON contains no rows. Write a list of objects, one for each row.")
        if reason == NAME:
            return ParameterError(
                "Object {line} has a name that the first objects do not have. Write all names into the "
                "first object, with null for missing values.",
                line=line,
            )
        return super().refusal(reason, line)

    def damaged(self) -> ParameterError:
        """Return the error for something that is not an object."""
        return ParameterError("This JSON cannot be read. Write a list of objects, one for each row, in UTF-8.")

    def no_columns(self) -> ParameterError:
        """Return the error for a file without an object, or with an empty one."""
        return ParameterError("The first object of this file has no keys. They name the columns.")


class Objects:
    """The objects of a text in order; a list around them is ignored."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        """Start at the first character."""
        self._text = text
        self._rest = ""
        self._at = 0
        self._size = PIECE_SIGNS
        self.signs = 0  # read before the buffered text
        self._decoder = json.JSONDecoder(parse_float=scientific, parse_int=str, parse_constant=ENDLESS.get)
        self._pass("")
        self._listed = self._rest[self._at : self._at + 1] == "["
        self._at += int(self._listed)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield every object; raise Wrong for anything else, for an incomplete object, and for text after the end."""
        while self._pass(","):
            try:
                row, self._at = self._decoder.raw_decode(self._rest, self._at)
            except ValueError:
                if not self._more():
                    break
                continue
            if not isinstance(row, dict):
                raise Wrong(DAMAGED)
            self._size = PIECE_SIGNS
            yield row
        if (self._rest[self._at :] + self._text.read(PIECE_SIGNS)).strip() != ("]" if self._listed else ""):
            raise Wrong(DAMAGED)

    def _pass(self, sign: str) -> bool:
        """Move to the next character that is neither blank nor `sign`; return whether an object may begin there."""
        while True:
            while self._at < len(self._rest) and (self._rest[self._at].isspace() or self._rest[self._at] == sign):
                self._at += 1
            if self._at < len(self._rest) or not self._more():
                return self._rest[self._at : self._at + 1] not in ("", "]")

    def _more(self) -> bool:
        """Read on, twice as much each time, until an object is complete."""
        piece = self._text.read(self._size)
        self.signs += self._at
        self._rest, self._at, self._size = self._rest[self._at :] + piece, 0, 2 * self._size
        if len(self._rest) > LONGEST:
            raise Wrong(DAMAGED)
        return bool(piece)


def _named(row: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Return an object with its keys replaced by the column names."""
    if all(name in row for name in names):
        return row
    return {cleaned(key): cell for key, cell in reversed(row.items())} | row


def _first(rows: Iterator[dict[str, Any]], objects: Objects) -> list[dict[str, Any]]:
    """Collect the objects that name the columns: a fixed number, or fewer long ones."""
    first = []
    for row in islice(rows, FIRST):
        first.append(row)
        if objects.signs >= LONG:
            break
    return first


def _keys(first: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """Return the names that the first objects have, and those whose cells are lists and objects only.

    A name that is written exactly like a column name comes first and keeps it, whatever others there are.
    """
    every = dict.fromkeys(key for row in first for key in row)
    exact = [key for key in every if key and " ".join(key.splitlines()).strip() == key]
    keys = [*exact, *sorted(set(every) - set(exact))]
    cells = {key: [row[key] for row in first if row.get(key) is not None] for key in keys}
    return keys, [key for key in keys if cells[key] and all(isinstance(cell, (dict, list)) for cell in cells[key])]


def _wraps(row: dict[str, Any]) -> bool:
    """Return whether an object is not a row, but contains rows."""
    return any(isinstance(cell, list) and cell and isinstance(cell[0], (dict, list)) for cell in row.values())


def _known(rows: Iterator[dict[str, Any]], keys: set[str], first: int) -> Iterator[dict[str, Any]]:
    """Raise Wrong for an uploaded file in which a later object has a key that would be ignored."""
    for at, row in enumerate(rows, 1):
        if at > first and not row.keys() <= keys:
            raise Wrong(NAME, at)
        yield row


def _batches(rows: Iterator[dict[str, Any]], keys: list[str], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    while piece := list(islice(rows, PIECE_CELLS // len(keys) + 1)):
        columns = ([_text(row.get(key)) for row in piece] for key in keys)
        yield pa.record_batch([pa.array(column, pa.large_string()) for column in columns], schema=schema)


def _text(cell: Any) -> str | None:
    """Return a cell as text; nested cells and texts with half a surrogate pair are missing."""
    if cell is None or isinstance(cell, (dict, list)):
        return None
    words = typed(cell)
    return words if words.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in words) else None
