"""Versions: which rows each request of a dataset is answered from; the budget is the dataset's, not theirs.

The first rows are those of the registration. Each later version is a line of a table that only grows,
with the number of the first request that it answers; what was asked before is answered from the rows
that it was asked of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, insert, select

from discreet.office.house.tables import errata, requests, versions

if TYPE_CHECKING:
    from discreet.rows.files import Layout

Line = Mapping[str, Any]
FIRST = 1
WHERE = ("fingerprint", "content", "layout")  # what a version has of its own


@dataclass(frozen=True)
class Version:
    """Rows of a dataset: the requests from `since` on are answered from them.

    `wave` is that of data with a budget for each wave, which earlier versions of this program registered.
    """

    number: int
    since: int
    fingerprint: str
    why: str
    by: str
    at: str
    wave: int
    layout: Layout | None  # how its file is read
    format: str  # of its file, or of the address of rows that lie elsewhere


@dataclass(frozen=True)
class Erratum:
    """A dated note on the declaration of a dataset: the declaration stays, and the note is shown beside it."""

    number: int
    text: str
    by: str
    at: str


def history(row: Line, number: int | None = None) -> tuple[Version, ...]:
    """Return the versions that there were when a request was asked; with no number, all of them."""
    own = FIRST, 0, row["fingerprint"], "", row["by"], row["at"], FIRST
    first = Version(*own, layout_of(row["layout"]), format_of(row["layout"]))
    return first, *map(_version, held(row, number))


def _version(line: Line) -> Version:
    """Return a later version: of the wave that it names, or of one of its own."""
    own = line["version"], line["since"], line["fingerprint"], line["why"], line["by"], line["at"]
    return Version(*own, line.get("wave") or line["version"], layout_of(line["layout"]), format_of(line["layout"]))


def format_of(written: str) -> str:
    """Return what kind of file or address rows have, as it was written down."""
    return str(json.loads(written)["format"])


def layout_of(written: str) -> Layout | None:
    """Return the stored layout of a file; None for a format without one, or without a file."""
    from discreet.rows.files import Layout, formats

    said = json.loads(written)
    form = formats.get(said["format"])
    return Layout(**said) if form is not None and form.adjustable else None


def held(row: Line, number: int | None = None) -> list[Line]:
    """Return the lines of the later versions that there were when a request was asked."""
    return [line for line in row["versions"] if number is None or line["since"] <= number]


def rows_at(row: Line, number: int | None = None) -> dict[str, Any]:
    """Return the row of a dataset with the place of the rows that a request is answered from."""
    newest = held(row, number)[-1:]
    return {**row, **{name: newest[0][name] for name in WHERE if newest}}


def contents(row: Line) -> list[str]:
    """Return where the rows of all versions lie."""
    return [str(row["content"]), *(str(line["content"]) for line in row["versions"])]


def notes(row: Line) -> tuple[Erratum, ...]:
    """Return the dated notes on a dataset, oldest first."""
    return tuple(Erratum(line["number"], line["text"], line["by"], line["at"]) for line in row["errata"])


def follow(connection: Connection, row: Line, values: Line) -> list[dict[str, Any]]:
    """Write down rows that answer from the next request on; return all lines, as they are meant."""
    newest = connection.execute(select(func.max(requests.c.number))).scalar()
    place = {"dataset": row["id"], "version": len(row["versions"]) + FIRST + 1, "since": (newest or 0) + 1}
    return _written(connection, versions, row["versions"], place | dict(values))


def note(connection: Connection, row: Line, values: Line) -> list[dict[str, Any]]:
    """Write down a dated note likewise."""
    place = {"dataset": row["id"], "number": len(row["errata"]) + 1}
    return _written(connection, errata, row["errata"], place | dict(values))


def _written(connection: Connection, table: Any, before: Sequence[Line], line: dict[str, Any]) -> list[dict[str, Any]]:
    connection.execute(insert(table).values(**line))
    return [*map(dict, before), line]
