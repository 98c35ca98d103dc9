"""Worlds: every dataset of a small world and every pair of neighbours, for every registered statistic."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from functools import cache
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.evidence.worlds import SmallWorld as World
from discreet.evidence.worlds import multisets, world
from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation, registry

VARIED: dict[str, tuple[Any, ...]] = {"q": (Fraction(1, 4), "0.9"), "j": (2,)}


@cache
def columns(ticks: int, low: int, high: int, relation: Relation, bounds: Bounds) -> list[Column]:
    """Return a world's datasets as columns, as shared objects: each caches its local sensitivities."""
    return world(ticks, low, high, relation).columns(bounds)


def variants(kind: type[Query], relation: Relation) -> list[Query]:
    """Return a statistic with its default and with other parameters, for one relation.

    A statistic that resizes to a public number of rows becomes a change-one statistic, given its secret keys.
    """
    names = {f.name for f in fields(kind)}
    given: list[dict[str, Any]] = [{}]
    given += [{name: value} for name in VARIED if name in names for value in VARIED[name]]
    if relation.change_one and "resize" in names:
        given += [{"resize": relation.size, "relation": Relation(rows=relation.rows)}]
    return [query for more in given if (query := statistic(kind, {"relation": relation, **more}))]


def statistic(kind: type[Query], given: dict[str, Any]) -> Query | None:
    """Return the statistic, or None if it does not support this relation or parameter."""
    try:
        return kind(**given)
    except ParameterError:
        return None


def every_query(relation: Relation) -> list[Query]:
    """Return every registered statistic under a relation."""
    return [query for name in sorted(registry) for query in variants(registry[name], relation)]


def title_of(query: Query) -> str:
    """Return a statistic and its parameters as a test id."""
    more = [
        f"{f.name}={getattr(query, f.name)}"
        for f in fields(query)
        if f.name != "relation" and getattr(query, f.name) is not None
    ]
    size, rows = query.relation.size, query.relation.rows
    kind = "add-remove" if size is None else f"change-one-{size}"
    return " ".join([query.name, kind, *([f"{rows} rows"] if rows > 1 else []), *more])


__all__ = ["ADD_REMOVE", "World", "columns", "every_query", "multisets", "title_of", "variants", "world"]
