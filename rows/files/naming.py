"""Naming: columns whose header has no name for them, or one name for several."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

NOTE = b"discreet."  # what a reader says of a file beside its columns
HEAVIEST = 2**22  # bytes of all notes


def fields(header: Sequence[str] | int, form: pa.DataType, first: int = 1, **notes: Any) -> pa.Schema:
    """Return columns named by a header, or counted from the first one's place on; notes say which names were made."""
    counted = isinstance(header, int)
    header = [""] * header if isinstance(header, int) else header
    cells = list(map(cleaned, header))
    names = [name or f"column {place}" for place, name in enumerate(cells, first)]
    taken, last, unique = set[str](), dict[str, int](), list[str]()
    for name in names:
        unique.append(_free(name, taken, last))
        taken.add(unique[-1])
    unnamed = [name for name, cell in zip(unique, cells, strict=True) if not cell and not counted]
    doubled = [name for name, cell in zip(unique, cells, strict=True) if cell and name != cell]
    return noted(pa.schema([(name, form) for name in unique]), unnamed=unnamed, doubled=doubled, **notes)


def cleaned(name: str) -> str:
    """Return a name of a header as that of a column: on one line, without outer blanks."""
    return re.sub(r"[\r\n\t]+", " ", name).strip()


def _free(name: str, taken: set[str], last: dict[str, int]) -> str:
    """Return a name, with a number behind it where it is taken: the one after the last that it had."""
    free = name
    while free in taken:
        last[name] = last.get(name, 1) + 1
        free = f"{name} ({last[name]})"
    return free


def noted(schema: pa.Schema, **notes: Any) -> pa.Schema:
    """Return columns with what is to be said of them beside, as plain JSON."""
    written = {NOTE + name.encode(): json.dumps(note).encode() for name, note in notes.items() if note}
    return schema.with_metadata({**(schema.metadata or {}), **written})


def carried(metadata: Mapping[bytes, bytes] | None) -> dict[bytes, bytes]:
    """Return the notes among what a file says of itself, unless they are too heavy to be carried."""
    notes = {name: note for name, note in (metadata or {}).items() if name.startswith(NOTE)}
    return notes if sum(map(len, notes.values())) <= HEAVIEST else {}


def notes_of(schema: pa.Schema) -> dict[str, Any]:
    """Return what was said of a file beside its columns."""
    return {name.removeprefix(NOTE).decode(): json.loads(note) for name, note in carried(schema.metadata).items()}


def nested(form: pa.DataType) -> bool:
    """Say whether cells of a type are lists or objects: nothing is read of them."""
    return bool(pa.types.is_nested(form.storage_type if isinstance(form, pa.BaseExtensionType) else form))


def nested_in(schema: pa.Schema) -> list[str]:
    """Return the columns whose cells are lists or objects, by their type or by what was noted of them."""
    return [*dict.fromkeys([*notes_of(schema).get("nested", []), *(f.name for f in schema if nested(f.type))])]
