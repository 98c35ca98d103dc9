"""Cases: neighbouring private views for any mechanism, generated from its declarations."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import product
from typing import Any, ClassVar

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.view import InBlocks, Levels, OneColumn, TwoColumns
from discreet.mechanisms.laws.pair_moments import MEASURES as OF_PAIRS
from discreet.mechanisms.ptr_grid import ProposeGrid
from discreet.mechanisms.soft_pairs import JointCorrelations, JointSlopes, SoftPairs
from discreet.mechanisms.soft_weights import JOINT, JointWeightedCounts, JointWeightedMoments, SoftWeights
from discreet.mechanisms.soft_weights import MEASURES as OF_WEIGHTS
from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Blocks, Pairs, Scores
from support.evidence.worlds import columns, every_query, title_of, world
from support.soak import times

Pair = tuple[Any, Any]
EPSILONS = (1.0, 8.0)
MANY = 12  # of more settings than these, a test may take a sample
THREE = Bounds(-1, 5, step=3, integer=True)
SIZES = ((0, 1), (2, 3), (6, 7))
CHANGED = (3, 7)
JUMP = 1e5  # the shift of f where a proposal fails, in units of the proposal
DEEP = 70
COUNTS = (0, 1, 30, 99)  # ties, large differences, and values close to a threshold of a hundred rows
SHARP: tuple[dict[str, Any], ...] = (  # parameters without any slack in the guarantee
    {"m": 64},
    {"m": 64, "k": 1},
    {"people": 1},
    {"doubling": 1},
)
OF_TWO: dict[type[Mechanism], Collection[str]] = {
    SoftPairs: OF_PAIRS,
    JointSlopes: ("slope",),  # the draw is the same for all of its statistics
    JointCorrelations: ("slope",),
    SoftWeights: OF_WEIGHTS,
    JointWeightedCounts: JOINT[:3],
    JointWeightedMoments: JOINT,
}
WIDE = Bounds(0, 2**20 - 1, integer=True)
NARROWER = {  # where every possible result is enumerated
    "geometric": Bounds(0, 2**8 - 1, integer=True),
    "quantile-tree": Bounds(0, 2**2 - 1, integer=True),
    "quantiles-counted": Bounds(0, 2**4 - 1, integer=True),  # these three have no finer grids
    "quantile-counted": Bounds(0, 2**4 - 1, integer=True),
    "quantile-permute-and-flip": Bounds(0, 2**4 - 1, integer=True),
    "quartile-range": Bounds(0, 2**2 - 1, integer=True),
}


@dataclass(frozen=True)
class Cliff(Query):
    """A statistic of n alone whose smooth bound falls by exp(-rate) per row: the worst pairs."""

    label: ClassVar[str] = "Cliff"
    rate: float = 1.0

    def value(self, column: Column) -> float:
        """Move by the smaller of the two sensitivities, always in one direction."""
        return float(np.exp(-self.rate * np.arange(1, column.n + 1)).sum())

    def empty(self, bounds: Bounds) -> float:
        """Start at 0."""
        return 0.0

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Reach 1 at no rows."""
        return 1.0

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Rise by exp(rate) per step up to 1."""
        return np.exp(-self.rate * np.maximum(column.n - k, 0))


@dataclass(frozen=True)
class Drop(Query):
    """A statistic of n alone that moves by `near`, and jumps where the distance is 0 twice."""

    label: ClassVar[str] = "Drop"
    near: float = 1.0

    def value(self, column: Column) -> float:
        """Jump between no rows and one, then move by `near`."""
        return self.near * (JUMP * min(column.n, 1) + max(column.n - 1, 0))

    def empty(self, bounds: Bounds) -> float:
        """Start at 0."""
        return 0.0

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Reach the jump at no rows."""
        return self.near * JUMP

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Stay at `near` until the jump is within k rows; slightly below, because the rounding is strict."""
        return self.near * np.where(column.n - k >= 2, 1 - 1e-8, JUMP)


Cliff.name, Drop.name = "cliff", "drop"  # set afterwards, so that they do not register themselves


def settings(kind: type[Mechanism], epsilon: float) -> Iterator[Mechanism]:
    """Yield a mechanism for every statistic and relation that it accepts."""
    names = {f.name for f in fields(kind)}
    relations = [ADD_REMOVE, Relation(rows=2), *map(Relation, CHANGED)]
    for relation in relations:
        choices: list[dict[str, Any]] = [{}]
        if "query" in names:
            choices = [{"query": query} for query in every_query(relation)]
        elif kind in OF_TWO:
            choices = [{"relation": relation, "estimator": name} for name in OF_TWO[kind]]
        elif "relation" in names:
            choices = [{"relation": relation}]
        elif relation != ADD_REMOVE:
            continue
        for given in choices:
            query = given.get("query")
            if query is not None and query.global_sensitivity(THREE) == 0:
                continue  # a public constant
            try:
                yield kind(**{"epsilon": epsilon}, **given)
            except ParameterError:
                continue


def pairs(mechanism: Mechanism) -> Iterator[Pair]:
    """Return neighbouring private views of the kind that the mechanism uses."""
    kinds = {OneColumn: column_pairs, TwoColumns: two_column_pairs, Levels: score_pairs, InBlocks: block_pairs}
    (maker,) = (maker for kind, maker in kinds.items() if isinstance(mechanism.view, kind))
    return maker(mechanism)


def covering(plain: list[Mechanism], step: int) -> list[Mechanism]:
    """Return every n-th setting of every statistic, starting at another relation for each statistic."""
    groups: dict[type[Query], list[Mechanism]] = {}
    for mechanism in plain:
        groups.setdefault(type(getattr(mechanism, "query", None)), []).append(mechanism)
    each = enumerate(groups.values())
    return [mechanism for at, group in each for mechanism in group[at % min(step, len(group)) :: step]]


def audits(kind: type[Mechanism], epsilon: float, step: int = 1) -> list[tuple[Mechanism, list[Pair]]]:
    """Return every setting of a mechanism (of many, a sample) with its neighbours, and the worst ones."""
    plain = list(settings(kind, epsilon))
    if kind is ProposeGrid:  # a mixture of many distributions: fewer of them, and not every statistic
        plain = [replace(mechanism, size=3, factor=8.0) for mechanism in plain[:: times(12, 6)]]
    plain = covering(plain, step) if len(plain) > MANY else plain
    sharp = [replace(plain[0], **given) for given in SHARP if set(given) <= set(vars(plain[0]))]
    cases = [(mechanism, list(pairs(mechanism))) for mechanism in plain + sharp]
    return cases + [case for mechanism in plain[:1] + sharp for case in steep(mechanism)]


def column_pairs(mechanism: Mechanism) -> Iterator[Pair]:
    """Yield all neighbouring columns of the small worlds."""
    relation = mechanism.neighbours
    query = getattr(mechanism, "query", None)
    resize = getattr(query, "resize", None)
    relation = Relation(resize, relation.rows) if resize else relation
    sizes = [(relation.size,) * 2] if relation.size else SIZES
    for low, high in sizes:
        small, views = world(3, low, high, relation), columns(3, low, high, relation, THREE)
        for i, j in zip(small.first, small.second, strict=True):
            yield views[i], views[j]
    if not relation.change_one:
        yield from wide_pairs(NARROWER.get(mechanism.slug, WIDE))


def two_column_pairs(mechanism: Mechanism) -> Iterator[Pair]:
    """Yield all neighbours of up to two rows of two columns, and some of long ones of a wide range."""
    small = world(9, 0, 2, mechanism.neighbours)
    views = _two_columns(2)
    for i, j in zip(small.first, small.second, strict=True):
        yield views[small.datasets[i]], views[small.datasets[j]]
    for column, other in wide_pairs(WIDE):
        yield _crossed(column), _crossed(other)


@cache
def _two_columns(most: int) -> dict[tuple[int, ...], Pairs]:
    """Return every dataset of rows at three ticks of each of two columns."""
    datasets = world(9, 0, most, ADD_REMOVE).datasets
    return {rows: Pairs.from_ticks(THREE, THREE, np.array(rows) // 3, np.array(rows) % 3) for rows in datasets}


def _crossed(column: Column) -> Pairs:
    """Return two columns of a wide range: the second falls where the first rises."""
    ticks = np.repeat(column.levels, column.counts)
    return Pairs.from_ticks(column.bounds, column.bounds, ticks, column.bounds.top - ticks)


@cache
def wide_pairs(bounds: Bounds) -> list[Pair]:
    """Return rows at one value of a wide range, and one more row elsewhere."""
    top, neighbours = bounds.top, []
    for n, tick in product((0, 1, 7, 20), (top // 1000, top // 2)):
        rows = np.full(n, tick, np.int64)
        column = Column.from_ticks(bounds, rows)
        neighbours += [
            (column, Column.from_ticks(bounds, np.append(rows, more))) for more in (0, top // 4, top // 2, top)
        ]
    return neighbours


def score_pairs(mechanism: Mechanism) -> Iterator[Pair]:
    """Yield neighbouring counts of three candidates."""
    moves = score_moves(mechanism.neighbours)
    for start in product(COUNTS, repeat=3):
        for move in moves:
            other = tuple(count + more for count, more in zip(start, move, strict=True))
            if min(other) >= 0:
                yield scores(start), scores(other)


@cache
def scores(counts: tuple[int, ...]) -> Scores:
    """Return counts of three candidates, as one shared object: an audit computes the distribution of a view once."""
    return Scores(("a", "b", "c"), np.array(counts, np.int64))


def score_moves(relation: Relation) -> set[tuple[int, ...]]:
    """Return how one person's rows can move three counts."""
    units = [tuple(int(i == j) for j in range(3)) for i in range(3)]
    one_row = {(0, 0, 0), *units}
    if relation.change_one:
        one_row = {tuple(np.subtract(a, b).tolist()) for a in units for b in units}
    moves = {(0, 0, 0)}
    for _ in range(relation.rows):
        moves = {tuple(np.add(a, b).tolist()) for a in moves for b in one_row}
    return moves - {(0, 0, 0)}


def block_pairs(mechanism: Any) -> Iterator[Pair]:
    """Yield block estimates of which one differs."""
    low, high = float(mechanism.lower), float(mechanism.upper)
    levels, k = np.linspace(low, high, 3), int(mechanism.k)
    for start in product(range(3), repeat=3):
        estimates = np.resize(levels[list(start)], k)
        blocks = Blocks(low, high, estimates)
        for level in range(3):
            other = estimates.copy()
            other[0] = levels[level]
            if level != start[0]:
                yield blocks, Blocks(low, high, other)


def steep(mechanism: Any) -> Iterator[tuple[Mechanism, list[Pair]]]:
    """Yield a mechanism for any statistic with the worst statistic for it."""
    if not hasattr(mechanism, "query") or mechanism.neighbours != ADD_REMOVE:
        return
    if isinstance(mechanism, ProposeGrid):
        yield steep_grid(mechanism)
        return
    queries: list[Query] = []
    if hasattr(mechanism, "beta"):
        queries.append(Cliff(rate=float(mechanism.beta)))
    if hasattr(mechanism, "b"):
        queries.append(Drop(near=float(mechanism.b)))
    columns = [Column.from_ticks(THREE, np.zeros(n, np.int64)) for n in range(DEEP)]
    for query in queries:
        try:
            yield replace(mechanism, query=query), list(zip(columns, columns[1:], strict=False))
        except ParameterError:
            continue


def steep_grid(mechanism: ProposeGrid) -> tuple[Mechanism, list[Pair]]:
    """Return a grid whose smallest bound is exactly the shift, far enough from the jump."""
    grid = replace(mechanism, query=Drop(near=1.0), size=3, factor=JUMP ** (1 / 3))
    columns = [Column.from_ticks(THREE, np.zeros(n, np.int64)) for n in range(0, 240, 1)]
    return grid, list(zip(columns[100:], columns[101:], strict=False))


def name(mechanism: Mechanism) -> str:
    """Return the name of a setting."""
    query = getattr(mechanism, "query", None)
    more = title_of(query) if query is not None else str(mechanism.neighbours)
    return f"{mechanism.slug} {more} epsilon={getattr(mechanism, 'epsilon', math.nan)}"
