"""Neighbouring: pairs of views that a question could see, in the shape that was declared, of nobody's rows.

Few rows at the ends of the declared range and between them, few counts, few blocks: every way in
which one person comes, goes or changes, up to a number of pairs that is the same for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, islice
from typing import Any

import numpy as np

from discreet.curator.request import Request
from discreet.lab.proving.coarse import is_coarse
from discreet.lab.proving.small_worlds import added, changed, multisets
from discreet.mechanisms.in_blocks import InBlocks
from discreet.mechanisms.levels import Levels
from discreet.queries import Bounds, Column, Relation
from discreet.queries.blocks import Blocks
from discreet.queries.scores import Scores
from discreet.rows.schema import Schema

Pair = tuple[Any, Any]
TICKS, ROWS, PERSON = 4, 3, 2  # of a small world, and how many rows of one person it goes through
MOST = 60
COUNTS = (0, 1, 30, 99)  # of a level: none, one, many, and close to a threshold of a hundred
LENGTHS = (20, 10_000)  # rows of a long dataset


def pairs(request: Request, schema: Schema) -> list[Pair]:
    """Return neighbouring views, of whatever kind the mechanism asks for."""
    view, relation = request.mechanism.view, request.mechanism.neighbours
    if isinstance(view, InBlocks):
        every = _blocks(view)
    elif isinstance(view, Levels):
        declared = schema.categories[request.columns[0]].labels if view.category else ()
        every = _scores(view.labels(declared), relation)
    else:
        every = _columns(schema.bounds(request.columns[0]), relation, () if is_coarse(request) else LENGTHS)
    return list(islice(every, MOST))


def places(bounds: Bounds) -> list[int]:
    """Return ticks from one end of a declared range to the other."""
    return sorted({round(at * bounds.top / (TICKS - 1)) for at in range(TICKS)})


def _columns(bounds: Bounds, relation: Relation, lengths: Sequence[int]) -> Iterator[Pair]:
    ticks = places(bounds)
    rows = min(relation.rows, PERSON)
    if relation.size is None:
        begun = [*multisets(len(ticks), range(ROWS)), *(rows for size in lengths for rows in _long(len(ticks), size))]
        step = added
    else:
        begun = multisets(len(ticks), [relation.size]) if relation.size <= ROWS else _long(len(ticks), relation.size)
        step = changed
    # one of each first, so that a limit leaves nothing out at its end
    ways = [[(dataset, other) for other in _some(step, dataset, len(ticks), rows)] for dataset in begun]
    for pair in _in_turn(ways):
        yield tuple(_column(bounds, ticks, which) for which in pair)  # type: ignore[misc]


def _some(step: Any, dataset: tuple[int, ...], ticks: int, rows: int) -> list[tuple[int, ...]]:
    """Return neighbours of a dataset; of a long one those that change the end of it."""
    if len(dataset) <= ROWS + 1:
        return sorted(step(dataset, ticks, rows))
    head = dataset[:-rows] if step is changed else dataset
    tails = combinations_with_replacement(range(ticks), rows)
    return sorted({tuple(sorted((*head, *tail))) for tail in tails} - {dataset})


def _long(ticks: int, size: int) -> list[tuple[int, ...]]:
    """Return datasets of many rows: all at one end, all at the other, and half of them each."""
    half = (0,) * (size // 2) + (ticks - 1,) * (size - size // 2)
    return [(0,) * size, (ticks - 1,) * size, half]


def _column(bounds: Bounds, ticks: Sequence[int], rows: Sequence[int]) -> Column:
    return Column.from_ticks(bounds, np.array([ticks[row] for row in rows], dtype=np.int64))


def _scores(labels: tuple[str, ...], relation: Relation) -> Iterator[Pair]:
    """Yield counts of all levels: two levels vary, the others have nobody, one person, or as many as the first."""
    size, many = len(labels), relation.rows
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
    """Yield estimates of all blocks, of which one is another: the others at the ends, between, and mixed."""
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
    """Yield the first of each, then the second of each, until there is no more."""
    for at in range(max(map(len, ways), default=0)):
        yield from (way[at] for way in ways if at < len(way))
