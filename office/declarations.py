"""Declarations: under which one each request of a dataset was asked, where it was extended later.

The first is part of the registration. Each later one is a line of a table that only grows, with the
number of the first request that it holds for; what was asked before stays under what it was asked under.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, func, insert, select

from discreet.office.registration import Registration
from discreet.office.relations import declarations, requests
from discreet.rows.schema import Schema

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Edition:
    """A declaration that was extended: the requests from `since` on are asked under it."""

    version: int
    since: int
    schema: Schema
    by: str
    at: str


def editions(lines: Sequence[Line], number: int | None = None) -> tuple[Edition, ...]:
    """Read the declarations that held when a request was asked; with no number, all of them."""
    return tuple(
        Edition(line["version"], line["since"], Schema.from_json(line["body"]), line["by"], line["at"])
        for line in lines
        if number is None or line["since"] <= number
    )


def asked_under(registration: Registration, later: Sequence[Edition]) -> Registration:
    """Return what was said of a dataset, with the newest of some declarations."""
    return replace(registration, schema=later[-1].schema) if later else registration


def follow(connection: Connection, lines: Sequence[Line], dataset: str, values: Line) -> list[dict[str, Any]]:
    """Write down a declaration that holds from the next request on; return all lines, as they are meant."""
    newest = connection.execute(select(func.max(requests.c.number))).scalar()
    line = {"dataset": dataset, "version": len(lines) + 1, "since": (newest or 0) + 1, **values}
    connection.execute(insert(declarations).values(**line))
    return [*map(dict, lines), line]
