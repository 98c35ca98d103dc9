"""Comparing: what a question is made of is compared on every pair of neighbours, without chance."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from discreet.curator.request import Request
from discreet.lab.audit import Worst, worst
from discreet.lab.proving.certificates import Book, book_of, bounds_of, ladder_faults, smooth_faults
from discreet.lab.proving.layer import Layer
from discreet.lab.proving.neighbouring import PERSON, ROWS, TICKS, pairs, places
from discreet.lab.proving.small_worlds import world
from discreet.lab.proving.twin import Twin
from discreet.mechanisms.one_column import OneColumn
from discreet.queries import Column, Relation
from discreet.rows.schema import Schema

BETAS = (0.1, 0.5)
SHRUNK = 0.5  # of what a person really moves, in the broken ladder


def certificates(request: Request, schema: Schema) -> Layer:
    """Look at the statistic alone: how far one person moves it, and what its ladder promises of that."""
    view, relation = request.mechanism.view, request.mechanism.neighbours
    if not isinstance(view, OneColumn) or view.query is None or _large(relation):
        return Layer("certificates", None, None)
    bounds, ticks = schema.bounds(request.columns[0]), places(schema.bounds(request.columns[0]))
    size = relation.size
    small = world(len(ticks), *((0, ROWS) if size is None else (size, size)), relation)
    columns = [Column.from_ticks(bounds, np.array([ticks[row] for row in rows], np.int64)) for rows in small.datasets]
    book = book_of(view.query, columns, bounds, small)
    faults = ladder_faults(book)
    for beta in BETAS if book.most > 0 else ():
        faults |= smooth_faults(book, bounds_of(view.query, columns, beta), beta)
    broken = Book(book.values, book.ladders * SHRUNK, book.first, book.second, book.most)
    caught = any(ladder_faults(broken).values()) if book.moves.any() else None
    numbers = {"pairs": len(small.first), "faults": sum(faults.values()), "largest_move": float(book.moves.max())}
    return Layer("certificates", not any(faults.values()), caught, numbers)


def _large(relation: Relation) -> bool:
    """Say whether there are too many datasets of this size to go through all of them."""
    return relation.rows > PERSON or (relation.size or 0) > TICKS


def divergence(request: Request, schema: Schema) -> Layer:
    """Compare the two laws of every pair, exactly: the mechanism with the settings of this question."""
    own, loud, views = worst_of(request, schema)
    numbers = {"pairs": len(views), "largest_delta": own.delta, "claimed_delta": own.claimed}
    numbers |= {"epsilon": request.mechanism.cost().epsilon, "twin_delta": loud.delta}
    return Layer("divergence", own.holds, not loud.holds, numbers)


class Compared:
    """What a comparison of all pairs came to, remembered for the layers that attack the worst of them."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._last: tuple[str, tuple[Worst, Worst, list[Any]]] | None = None

    def of(self, request: Request, schema: Schema) -> tuple[Worst, Worst, list[Any]]:
        """Return the worst pair of the mechanism and of its twin, and all pairs that were compared."""
        key = request.identity + schema.digest
        if self._last is None or self._last[0] != key:
            views = pairs(request, schema)
            twin = cast(Any, Twin(request.mechanism))
            self._last = key, (worst(request.mechanism, views), worst(twin, views), views)
        return self._last[1]


worst_of = Compared().of
