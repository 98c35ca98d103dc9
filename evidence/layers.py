"""Layers: the result of each of the five layers for a query and its broken twin, and the pairs they compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, islice
from typing import Any, cast

import numpy as np

from discreet.budget import Cost, ParameterError, Phrase
from discreet.curator.request import Request
from discreet.evidence.audit import Worst, worst
from discreet.evidence.worlds import (
    Book,
    added,
    book_of,
    bounds_of,
    changed,
    ladder_faults,
    multisets,
    smooth_faults,
    world,
)
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.view import InBlocks, Levels, OneColumn, TwoColumns
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.quartile_range import QuartileRange
from discreet.mechanisms.several_quantiles import SeveralQuantiles
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Blocks, Pairs, Scores
from discreet.rows.columns.grouping import source_of
from discreet.rows.columns.number import Number
from discreet.rows.schema import Schema

# --- Layer: the result of one layer for a query, and whether it detected a deliberate defect ---

LAYERS = {
    "certificates": Phrase("Largest change caused by one person"),
    "divergence": Phrase("Exact distance between the distributions of two neighbours"),
    "black_box": Phrase("Attack on results alone"),
    "sampler": Phrase("Noise drawn for releases"),
    "whole_road": Phrase("From the cells of a table to everything shown"),
}
BROKE_OFF = "broke_off"


@dataclass(frozen=True)
class Layer:
    """One layer: whether the claim is valid, and whether the broken twin was detected; None if not applicable.

    `numbers` are counts and measurements by name; none of them is about a protected row.
    """

    name: str
    holds: bool | None
    caught: bool | None
    numbers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def broke_off(self) -> bool:
        """Whether it did not come to an end: it says nothing of the claim."""
        return BROKE_OFF in self.numbers

    def plain(self) -> dict[str, Any]:
        """Return the layer as plain values."""
        numbers = {name: _plain(number) for name, number in self.numbers.items()}
        return {"name": self.name, "holds": _plain(self.holds), "caught": _plain(self.caught), "numbers": numbers}


def _plain(value: Any) -> Any:
    """Return a number as JSON can represent it."""
    return value.item() if isinstance(value, np.generic) else value


# --- Coarse grid: for queries whose answers on the declared grid are too many to enumerate ---

CELLS = 3


def is_coarse(request: Request) -> bool:
    """Return whether the answers on the declared grid are too many."""
    return isinstance(request.mechanism, SeveralQuantiles | QuartileRange)


def coarse(request: Request, schema: Schema) -> tuple[Request, Schema]:
    """Return the query and the declaration to examine; most are unchanged."""
    if not is_coarse(request):
        return request, schema
    bounds = {name: schema.bounds(name) for name in request.columns}
    few = {name: Number(b.lower, b.upper, step=(b.upper - b.lower) / CELLS) for name, b in bounds.items()}
    # the right side of a filter, or an edge of bands, may not be on this grid
    where = tuple(each for each in request.where if not {part.column for part in each.filters} & few.keys())
    by = tuple(each for each in request.groups if source_of(each) not in few)
    return replace(request, where=where, by=by), replace(schema, columns={**schema.columns, **few})


# --- Twin: a mechanism broken on purpose: it draws as for much more epsilon than it claims ---

LOUDEST = 40.0
LOUD = 5.0
TIMES = 8.0
SHARE = 20  # of the claim, if the mechanism accepts no larger epsilon


class Twin:
    """A mechanism whose law is that of a larger epsilon, at its own claimed cost."""

    def __init__(self, mechanism: Mechanism, price: Cost | None = None) -> None:
        """Take the mechanism that it claims to be."""
        self.claimed = price or mechanism.cost()
        self.loud = mechanism
        thing: Any = mechanism
        try:
            self.loud = replace(thing, epsilon=min(LOUDEST, max(LOUD, TIMES * float(thing.epsilon))))
        except (ParameterError, ValueError, TypeError):
            self.claimed = Cost(self.claimed.nano_epsilon // SHARE, self.claimed.delta_units // SHARE)

    def cost(self) -> Cost:
        """Return the claimed cost."""
        return self.claimed

    def law(self, view: Any) -> Law:
        """Return the actual law."""
        return self.loud.law(view)


# --- Neighbours: pairs of views that a query could have, with the declared columns and no real rows ---

Pair = tuple[Any, Any]
TICKS, ROWS, PERSON = 4, 3, 2  # of a small world, and how many rows of one person it enumerates
MOST = 60
COUNTS = (0, 1, 30, 99)  # of a level: none, one, many, and close to a threshold of a hundred
LENGTHS = (20, 10_000)  # rows of a long dataset


def pairs(request: Request, schema: Schema) -> list[Pair]:
    """Return neighbouring views, of the kind that the mechanism takes."""
    view = request.mechanism.view
    relation = request.mechanism.neighbours
    if isinstance(view, InBlocks):
        every = _blocks(view)
    elif isinstance(view, Levels):
        declared = schema.categories[request.columns[0]].labels if view.category else ()
        every = _scores(view.labels(declared), relation)
    elif isinstance(view, TwoColumns):
        first, second = map(schema.grid, request.columns)
        every = _pairs(first, second, relation)
    else:
        every = _columns(schema.bounds(request.columns[0]), relation, () if is_coarse(request) else LENGTHS)
    return list(islice(every, MOST))


def places(bounds: Bounds) -> list[int]:
    """Return ticks from one end of a declared range to the other."""
    return sorted({round(at * bounds.top / (TICKS - 1)) for at in range(TICKS)})


def _columns(bounds: Bounds, relation: Relation, lengths: Sequence[int]) -> Iterator[Pair]:
    ticks = places(bounds)
    for pair in _neighbours(len(ticks), relation, lengths):
        yield tuple(_column(bounds, ticks, which) for which in pair)  # type: ignore[misc]


def _pairs(first: Bounds, second: Bounds, relation: Relation) -> Iterator[Pair]:
    """Yield pairs of columns; each row is at one of the places of both, numbered."""
    left, right = np.array(places(first)), np.array(places(second))
    for pair in _neighbours(left.size * right.size, relation, LENGTHS):
        codes = (np.array(which, dtype=np.int64) for which in pair)
        both = [Pairs.from_ticks(first, second, left[at // right.size], right[at % right.size]) for at in codes]
        yield both[0], both[1]


def _neighbours(ticks: int, relation: Relation, lengths: Sequence[int]) -> Iterator[Pair]:
    """Yield neighbouring datasets of rows over some ticks, one of each kind first, so that a limit omits no kind."""
    rows = min(relation.rows, PERSON)
    if relation.size is None:
        begun = [*multisets(ticks, range(ROWS)), *(rows for size in lengths for rows in _long(ticks, size))]
        step = added
    else:
        begun = multisets(ticks, [relation.size]) if relation.size <= ROWS else _long(ticks, relation.size)
        step = changed
    ways = [[(dataset, other) for other in _some(step, dataset, ticks, rows)] for dataset in begun]
    yield from _in_turn(ways)


def _some(step: Any, dataset: tuple[int, ...], ticks: int, rows: int) -> list[tuple[int, ...]]:
    """Return neighbours of a dataset; of a long one those that change its end."""
    if len(dataset) <= ROWS + 1:
        return sorted(step(dataset, ticks, rows))
    head = dataset[:-rows] if step is changed else dataset
    tails = combinations_with_replacement(range(ticks), rows)
    return sorted({tuple(sorted((*head, *tail))) for tail in tails} - {dataset})


def _long(ticks: int, size: int) -> list[tuple[int, ...]]:
    """Return datasets of many rows: all at one end, all at the other, and half at each."""
    half = (0,) * (size // 2) + (ticks - 1,) * (size - size // 2)
    return [(0,) * size, (ticks - 1,) * size, half]


def _column(bounds: Bounds, ticks: Sequence[int], rows: Sequence[int]) -> Column:
    return Column.from_ticks(bounds, np.array([ticks[row] for row in rows], dtype=np.int64))


def _scores(labels: tuple[str, ...], relation: Relation) -> Iterator[Pair]:
    """Yield counts of all levels: two levels vary, the others are 0, one person, or as many as the first."""
    size = len(labels)
    many = relation.rows
    ends = sorted({0, min(1, size - 1), size - 1})
    for first in COUNTS:
        for rest in COUNTS:
            base = np.full(size, rest, dtype=np.int64)
            base[0] = first
            if relation.size is not None:
                base[:], base[0] = 0, relation.size
            for at in ends:
                more = base.copy()
                more[at] += many
                if relation.size is not None:
                    more[0] -= many
                if (more >= 0).all() and (more != base).any():
                    yield Scores(labels, base), Scores(labels, more)


def _blocks(view: InBlocks) -> Iterator[Pair]:
    """Yield estimates of all blocks, one of which changes: the others at the ends, between, and mixed."""
    levels = np.linspace(view.lower, view.upper, TICKS)
    if view.k <= TICKS:
        rests = [np.array(rest) for rest in combinations_with_replacement(levels, view.k - 1)]
    else:
        halves = [
            np.where(np.arange(view.k - 1) < share * (view.k - 1), levels[0], levels[-1]) for share in (0.25, 0.5)
        ]
        rests = [*(np.full(view.k - 1, level) for level in levels), *halves, np.resize(levels, view.k - 1)]
    ways = []
    for rest in rests:
        each = [Blocks(view.lower, view.upper, np.array([*rest, value])) for value in levels]
        ways.append([(first, second) for at, first in enumerate(each) for second in each[at + 1 :]])
    yield from _in_turn(ways)


def _in_turn(ways: Sequence[Sequence[Any]]) -> Iterator[Any]:
    """Yield the first of each, then the second of each, until there are no more."""
    for at in range(max(map(len, ways), default=0)):
        yield from (way[at] for way in ways if at < len(way))


# --- Comparing: the statistic and the laws of a query are compared on every pair of neighbours, exactly ---

BETAS = (0.1, 0.5)
SHRUNK = 0.5  # of what a person really moves, in the broken ladder


def certificates(request: Request, schema: Schema) -> Layer:
    """Check the statistic alone: how far one person moves it, and whether its ladder bounds that."""
    view = request.mechanism.view
    relation = request.mechanism.neighbours
    if not isinstance(view, OneColumn) or view.query is None or _large(relation):
        return Layer("certificates", None, None)
    bounds = schema.bounds(request.columns[0])
    ticks = places(schema.bounds(request.columns[0]))
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
    """Return whether there are too many datasets of this size to enumerate all of them."""
    return relation.rows > PERSON or (relation.size or 0) > TICKS


def divergence(request: Request, schema: Schema) -> Layer:
    """Compare the two laws of every pair, exactly: the mechanism with the settings of this query."""
    own, loud, views = worst_of(request, schema)
    numbers = {"pairs": len(views), "largest_delta": own.delta, "claimed_delta": own.claimed}
    numbers |= {"epsilon": request.mechanism.cost().epsilon, "twin_delta": loud.delta}
    return Layer("divergence", own.holds, not loud.holds, numbers)


class Compared:
    """The result of a comparison of all pairs, cached for the layers that attack the worst of them."""

    def __init__(self) -> None:
        """Start with an empty cache."""
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
