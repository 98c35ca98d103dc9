"""Small worlds: every dataset and every neighbour pair of them, for every registered statistic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation, registry

Rows = tuple[int, ...]
VARIED: dict[str, tuple[Any, ...]] = {"q": (Fraction(1, 4), "0.9"), "j": (2,)}


def multisets(ticks: int, sizes: Iterator[int] | range) -> list[Rows]:
    """Return every dataset of the given sizes over ticks 0 to ticks - 1."""
    return [rows for n in sizes for rows in combinations_with_replacement(range(ticks), n)]


def added(rows: Rows, ticks: int, person: int) -> set[Rows]:
    """Return the dataset with one person of 1 to `person` rows more, in every way."""
    found, new = {rows}, {rows}
    for _ in range(person):
        new = {tuple(sorted((*old, tick))) for old in new for tick in range(ticks)}
        found |= new
    return found - {rows}


def changed(rows: Rows, ticks: int, person: int) -> set[Rows]:
    """Return the datasets in which up to `person` rows have other values."""
    found = {rows}
    for _ in range(person):
        found |= {
            tuple(sorted((*old[:i], tick, *old[i + 1 :])))
            for old in found
            for i in range(len(old))
            for tick in range(ticks)
        }
    return found - {rows}


@dataclass(frozen=True)
class World:
    """Datasets over a few ticks and the index pairs that are neighbours, each pair once."""

    datasets: tuple[Rows, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]

    def columns(self, bounds: Bounds) -> list[Column]:
        """Return every dataset as a column."""
        return [Column.from_ticks(bounds, np.array(rows, np.int64)) for rows in self.datasets]


@cache
def columns(ticks: int, low: int, high: int, relation: Relation, bounds: Bounds) -> list[Column]:
    """Return a world's datasets as columns, the same ones to all: each keeps the ladders it was asked for."""
    return world(ticks, low, high, relation).columns(bounds)


@cache
def world(ticks: int, low: int, high: int, relation: Relation) -> World:
    """Return all datasets of low to high rows and all their neighbour pairs under a relation."""
    datasets = multisets(ticks, range(low, high + 1))
    place = {rows: i for i, rows in enumerate(datasets)}
    pairs = set()
    for rows in datasets:
        step = changed if relation.change_one else added
        for other in step(rows, ticks, relation.rows):
            if other in place:
                pairs.add(tuple(sorted((place[rows], place[other]))))
    first, second = zip(*sorted(pairs), strict=True)
    return World(tuple(datasets), first, second)


def variants(kind: type[Query], relation: Relation) -> list[Query]:
    """Return a statistic with its default and with other parameters, for one relation.

    A statistic that resizes to a public number of rows is one of change-one, given its secret keys.
    """
    names = {f.name for f in fields(kind)}
    given: list[dict[str, Any]] = [{}]
    given += [{name: value} for name in VARIED if name in names for value in VARIED[name]]
    if relation.change_one and "resize" in names:
        given += [{"resize": relation.size, "relation": Relation(rows=relation.rows)}]
    return [query for more in given if (query := made(kind, {"relation": relation, **more}))]


def made(kind: type[Query], given: dict[str, Any]) -> Query | None:
    """Return the statistic, or nothing where it does not offer this relation or parameter."""
    try:
        return kind(**given)
    except ParameterError:
        return None


def every_query(relation: Relation) -> list[Query]:
    """Return every registered statistic under a relation."""
    return [query for name in sorted(registry) for query in variants(registry[name], relation)]


def told(query: Query) -> str:
    """Name a statistic and its parameters for a test's title."""
    more = [
        f"{f.name}={getattr(query, f.name)}"
        for f in fields(query)
        if f.name != "relation" and getattr(query, f.name) is not None
    ]
    size, rows = query.relation.size, query.relation.rows
    kind = "add-remove" if size is None else f"change-one-{size}"
    return " ".join([query.name, kind, *([f"{rows} rows"] if rows > 1 else []), *more])


__all__ = ["ADD_REMOVE", "World", "columns", "every_query", "multisets", "told", "variants", "world"]
