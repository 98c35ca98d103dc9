"""Certificate: the exact divergence of a mechanism over every neighbour pair of small worlds, computed live."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from discreet.budget import Cost
from discreet.curator.request import Request
from discreet.curator.road import WHOLE
from discreet.evidence.audit import Worst, worst
from discreet.evidence.refined_road import AskedTwice
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.view import InBlocks, Levels, TwoColumns
from discreet.mechanisms.laws.law import Law
from discreet.queries import Bounds, Column
from discreet.queries.column import Blocks, Pairs, Scores

LARGEST = 3
SMALL = Bounds(0, LARGEST, integer=True)
MOST_ROWS = 4
MOST_PAIRS = 2  # rows of two columns
MOST_EPSILON = 25.0  # twice as much is still a valid epsilon
CANDIDATES = ("a", "b", "c")


@dataclass(frozen=True)
class Certificate:
    """How many pairs were compared, and the worst of them."""

    pairs: int
    worst: Worst


def certificate(mechanism: Mechanism) -> Certificate:
    """Compare the two answers of every neighbour pair of a small world, exactly and without sampling."""
    pairs = list(_pairs(mechanism))
    return Certificate(len(pairs), worst(mechanism, pairs))


@dataclass(frozen=True)
class _Twice:
    """An answer and its finer one as one mechanism, which the audit compares like any other."""

    asked: AskedTwice

    def cost(self) -> Cost:
        """Return the cost of both."""
        return self.asked.cost()

    def law(self, view: Any) -> Law:
        """Return the joint law of both."""
        return self.asked.law(self.asked.request, [(WHOLE, view)])


def refined(mechanism: Mechanism) -> Certificate | None:
    """Compare an answer together with one of twice its epsilon; None if there is none, or no table is large enough.

    Laplace noise is enumerated on coarse cells, on which the numbers of this world are exact.
    """
    if not mechanism.refines or mechanism.cost().epsilon > MOST_EPSILON:
        return None
    twice: Any = _Twice(AskedTwice(Request(mechanism, ("x",)), 2 * mechanism.cost().epsilon))
    pairs = list(_pairs(mechanism))
    try:
        return Certificate(len(pairs), worst(twice, pairs))
    except ValueError:
        return None


def _pairs(mechanism: Mechanism) -> Iterator[tuple[Any, Any]]:
    view = mechanism.view
    if isinstance(view, InBlocks):
        return _blocks(view)
    if isinstance(view, TwoColumns):
        return _two_columns()
    return _scores() if isinstance(view, Levels) else _columns()


def _columns() -> Iterator[tuple[Column, Column]]:
    columns: dict[tuple[int, ...], Column] = {}
    for n in range(MOST_ROWS + 1):
        for rows in combinations_with_replacement(range(LARGEST + 1), n):
            columns[rows] = Column.from_ticks(SMALL, np.array(rows, dtype=np.int64))
    for rows, column in columns.items():
        if len(rows) < MOST_ROWS:
            for tick in range(LARGEST + 1):
                yield column, columns[tuple(sorted((*rows, tick)))]


def _two_columns() -> Iterator[tuple[Pairs, Pairs]]:
    """Yield two columns of up to two rows at four ticks each, and of one row more."""
    places = list(product(range(LARGEST + 1), repeat=2))
    worlds = {
        rows: Pairs.from_ticks(SMALL, SMALL, [left for left, _ in rows], [right for _, right in rows])
        for n in range(MOST_PAIRS + 1)
        for rows in combinations_with_replacement(places, n)
    }
    for rows, pairs in worlds.items():
        if len(rows) < MOST_PAIRS:
            for place in places:
                yield pairs, worlds[tuple(sorted((*rows, place)))]


def _scores() -> Iterator[tuple[Scores, Scores]]:
    worlds = {
        counts: Scores(CANDIDATES, np.array(counts, dtype=np.int64))
        for counts in product(range(MOST_ROWS), repeat=len(CANDIDATES))
    }
    for counts, scores in worlds.items():
        for at in range(len(CANDIDATES)):
            more = tuple(c + (i == at) for i, c in enumerate(counts))
            if more in worlds:
                yield scores, worlds[more]


def _blocks(view: InBlocks) -> Iterator[tuple[Blocks, Blocks]]:
    low = view.lower
    high = view.upper
    levels = np.linspace(low, high, 4)
    for rest in combinations_with_replacement(levels, view.k - 1):
        views = [Blocks(low, high, np.array([*rest, value])) for value in levels]
        for i, blocks in enumerate(views):
            for other in views[i + 1 :]:
                yield blocks, other
