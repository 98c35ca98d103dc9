"""Push-down: PostgreSQL brings equal cells together, and one row of each lot is read here like any other.

The kernel alone says where a row stands; the question only must never bring rows together that it
would tell apart. Whole numbers beyond the bounds are moved to the bounds, texts are compared byte by
byte, and floats are brought together by their tick, by the same operations on the same doubles; what
comes back is a cell of each lot, never the tick. A float that only filters look at is brought together
by what they can say of it. Where all that would make many lots, by what is declared alone, rows are
streamed. No value stands in a question: statements are logged.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import sqlalchemy as sa

from discreet.queries.bounds import Bounds
from discreet.rows import selecting
from discreet.rows.filters import Filter, comparisons
from discreet.rows.selecting import TEXTS
from discreet.rows.task import Task

MOST_LOTS = 2**16  # more are not worth it
SIDES = 4  # on which a cell may lie of what it is compared with: nowhere, below, at it, above
WHOLE, BOTH = -(2**63), (pa.int64(), pa.bool_())
FLOATS = (pa.float64(), pa.float32())


def question(task: Task, where: tuple[str, str], kinds: Mapping[str, Any]) -> Any:
    """Return how to ask for one row of each lot and how many they are; None where rows are to be streamed."""
    if math.prod(lots(task, name, kind) for name, kind in kinds.items()) > MOST_LOTS or not kinds:
        return None
    floats = [at for at, kind in enumerate(kinds.values()) if kind in FLOATS]
    rows = _once(selecting.select(*where, dict(kinds), None), floats)
    ticks = [_tick(rows.c[at], _grid(task, at)).label(f"t{at}") for at in floats]
    ticked = _once(sa.select(*rows.c, *ticks), floats)
    keys, cells = list[Any](), list[Any]()
    for at, (name, kind) in enumerate(kinds.items()):
        own = _keys(task, name, kind, ticked.c[f"c{at}"], ticked.c.get(f"t{at}"))
        keys += own
        cells.append(sa.func.min(ticked.c[f"c{at}"]) if kind in FLOATS else own[0])
    return sa.select(*cells, sa.func.count()).select_from(ticked).group_by(*keys)


def _once(asked: Any, floats: list[int]) -> Any:
    """Return a question as rows of another one; with floats its cells are computed once and not wherever they stand."""
    return (asked.offset(sa.literal_column("0")) if floats else asked).subquery()


def _grid(task: Task, at: int) -> Bounds:
    grid = task.schema.columns[task.reads[at]].grid
    assert grid is not None
    return grid


def lots(task: Task, name: str, kind: Any) -> float:
    """Return how many lots the cells of a column make, by its type and declaration alone."""
    grid, filters = task.schema.columns[name].grid, _filters(task, name)
    if task.how_read and name in task.by:
        return math.inf  # cells that count alike are not equal
    if name in task.schema.categories:
        return math.inf if kind in FLOATS else len(task.schema.category(name).labels) + 1
    if grid is None:
        return math.inf
    if kind in BOTH:
        lower, upper = _whole(grid)
        return upper - lower + 2
    if kind in FLOATS:
        return grid.top + 2 if name in task.columns else SIDES ** len(filters)
    return math.inf if kind in TEXTS else 1


def batches(asked: Iterator[list[list[Any]]], kinds: Mapping[str, Any]) -> Iterator[Any]:
    """Yield one row of each lot as batches, and how many rows the lots have."""
    for *columns, rows in asked:
        read = zip(kinds.items(), columns, strict=True)
        cells = {name: selecting.array(values, kind) for (name, kind), values in read}
        yield pa.record_batch(cells), rows


def _keys(task: Task, name: str, kind: Any, cell: Any, tick: Any) -> list[Any]:
    """Return what rows of one lot have in common in a column."""
    grid = task.schema.columns[name].grid
    if kind in TEXTS:
        return [cell.collate("C")]
    if kind == pa.int64() and grid is not None:
        return [_moved(cell, *_whole(grid))]
    if kind not in FLOATS:
        return [cell]
    if name in task.columns:
        return [tick]
    return [_side(tick, task, condition) for condition in _filters(task, name)]


def _filters(task: Task, name: str) -> list[Filter]:
    return [each for each in comparisons(task.where) if each.column == name]


def _whole(grid: Bounds) -> tuple[int, int]:
    """Return whole numbers around the bounds, as far as a column has them."""
    return max(math.floor(grid.lower), WHOLE), min(math.ceil(grid.upper), -WHOLE - 1)


def _moved(cell: Any, lower: int, upper: int) -> Any:
    """Move a whole number to the bounds; what is missing stays so."""
    low, high = (sa.literal(end, sa.BigInteger()) for end in (lower, upper))
    return sa.case((cell <= low, low), (cell >= high, high), else_=cell)


def _tick(cell: Any, grid: Bounds) -> Any:
    """Return the tick of a float, as `Bounds` computes it; nothing where there is none.

    Rows near the lower bound are not divided: PostgreSQL ends a question where a quotient is too small
    for a double, and one row must not end it.
    """
    lower, upper, step, half = (_float(number) for number in (grid.lower, grid.upper, grid.resolution, 0.5))
    inside = sa.case((cell <= lower, lower), (cell >= upper, upper), else_=cell)
    above = (sa.func.floor(inside) if grid.integer else inside) - lower
    cells = sa.case((above < _float(float(grid.resolution) / 4), _float(0.0)), else_=above / step)
    tick = sa.func.floor(sa.func.least(cells if grid.integer else cells + half, _float(grid.top)))
    no_number = [(cell == _float(odd), sa.null()) for odd in (math.nan, math.inf, -math.inf)]
    return sa.case(*no_number, (cell.is_(None), sa.null()), else_=tick)


def _side(tick: Any, task: Task, condition: Filter) -> Any:
    """Return whether a tick lies below, at or above what a filter compares with, whichever way it does."""
    declared = task.schema.number(condition.column)
    number, grid = declared.number(condition.value), declared.bounds
    assert number is not None

    def first(comparison: str) -> int:
        ticks = range(grid.top + 1)
        return bisect_left(ticks, True, key=lambda t: bool(declared.compared(grid.value(t), comparison, number)))

    at, beyond = (_float(first(comparison)) for comparison in (">=", ">"))
    return sa.case((tick.is_(None), sa.null()), (tick < at, 0), (tick < beyond, 1), else_=2)


def _float(number: float) -> Any:
    return sa.literal(float(number), sa.Double())
