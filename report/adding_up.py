"""Adding up: counts of several queries, adjusted to one table of non-negative integers.

Counts are drawn independently, so those of two groups do not add up to that of both. The nearest table that has all of
them as sums is computed from released numbers alone. Nothing is read for it, and it costs nothing; it is shown beside
the released counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from discreet.curator.request import Request
from discreet.curator.result import Release
from discreet.report.numbers import Datum, data
from discreet.report.words import counted, numbers_of
from discreet.rows.columns.grouping import Grouping, source_of
from discreet.rows.columns.recode import Recode
from discreet.rows.schema import Schema

MOST_CELLS = 600  # of a table: a page that shows one recomputes it at every click
READ = ("",)  # the single level of a column of which only readable cells count
Wholes = Mapping[str, tuple[int | None, ...]]


@dataclass(frozen=True)
class Margin:
    """The counts of one query as sums of a table's cells: the columns that it groups by, and their levels."""

    release: Release
    schema: Schema

    @property
    def rows(self) -> tuple[Any, ...]:
        """The rows that are counted, before grouping: equal for all margins of one table."""
        return self.schema.digest, frozenset(self.release.request.where)

    @property
    def asked(self) -> str:
        """The column whose cells are counted."""
        return self.release.request.columns[0]

    @cached_property
    def numbers(self) -> tuple[Datum, ...]:
        """Every count, as it was released."""
        return data(self.release, self.schema)

    @cached_property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The levels of each column involved; for a column that is only counted, those that its cells must have."""
        request = self.release.request
        parts = numbers_of(request, self.schema) or READ
        return {source_of(by): self._levels(by) for by in request.groups} | {self.asked: parts}

    def _levels(self, by: Grouping) -> tuple[str, ...]:
        """Return the levels of a grouping; merged ones by their list, as other lists may use the same names."""
        labels = self.schema.category(by).labels
        return tuple(f"{label} of {by}" for label in labels) if isinstance(by, Recode) else labels

    @property
    def fits(self) -> bool:
        """Whether all counts exist and have an interval, and no column is grouped by twice."""
        request = self.release.request
        good = all(each.interval is not None and math.isfinite(_width(each)) for each in self.numbers)
        return good and self.asked not in request.group_names


def counts_rows(request: Request) -> bool:
    """Return whether an answer counts rows of a column as read, grouped by levels."""
    public = request.public_rows is not None or request.mechanism.neighbours.change_one
    view = request.mechanism.view
    return counted(request) and not (public or view.in_blocks or view.every_kind or view.nested)


def _width(datum: Datum) -> float:
    low, high = datum.interval or (-math.inf, math.inf)
    return float(high - low)


@dataclass(frozen=True)
class Table:
    """Several margins of the same rows, and the columns that define all of their cells."""

    margins: tuple[Margin, ...]

    @cached_property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The levels of every column; the finest that any query uses."""
        every: dict[str, tuple[str, ...]] = {}
        for margin in self.margins:
            every |= {name: levels for name, levels in margin.levels.items() if every.get(name, READ) == READ}
        return every

    @property
    def agrees(self) -> bool:
        """Whether no column is grouped in two ways, and the table is not too large."""
        several = ((name, levels) for margin in self.margins for name, levels in margin.levels.items())
        alike = all(levels in (READ, self.levels[name]) for name, levels in several)
        return alike and math.prod(len(self._inside(name)) for name in self.levels) <= MOST_CELLS

    def linked(self, margin: Margin) -> bool:
        """Return whether some of its counts and some of a margin are sums of common cells."""
        own = _told_apart(margin)
        rows = self.margins[0].rows
        others = map(_told_apart, self.margins)
        return rows == margin.rows and any(not own or not other or set(own) & set(other) for other in others)

    def _inside(self, name: str) -> NDArray[np.bool_]:
        """Return for each level of a column whether it is declared; a last entry stands for the rows left out."""
        rest = [] if name in self._full else [False]
        return np.array([True] * len(self.levels[name]) + rest)

    @cached_property
    def _full(self) -> set[str]:
        """The columns of which no row is left out, because undeclared levels count as a further one."""
        schema = self.margins[0].schema
        return {name for name in self.levels if name in schema.categories and schema.categories[name].rest}

    def rows_of(self, margin: Margin) -> NDArray[np.float64]:
        """Return, for each count of a margin, the cells of the table of which it is the sum."""
        lines: Any = np.ones((1, 1))
        for name in self.levels:
            lines = np.kron(lines, self._of(name, margin.levels.get(name)))
        order = [name for name in self.levels if margin.levels.get(name, READ) != READ]
        return np.asarray(lines if order == _told_apart(margin) else lines[_turned(margin, order)])

    def _of(self, name: str, levels: tuple[str, ...] | None) -> NDArray[np.float64]:
        inside = self._inside(name)
        if levels is None:
            return np.ones((1, inside.size))
        return inside[None, :].astype(float) if levels == READ else np.eye(inside.size)[inside]

    def wholes(self) -> Iterator[tuple[str, tuple[int | None, ...]]]:
        """Yield the counts of every query as sums of one table of integers.

        The table is the one whose sums are nearest to all counts, each weighted by its interval. Its cells are rounded
        one after the other, so that each cumulative sum is off by at most a half.
        """
        each = [self.rows_of(margin) for margin in self.margins]
        drawn = [datum for margin in self.margins for datum in margin.numbers]
        widths = np.array([max(_width(datum), 1.0) for datum in drawn])
        answers = np.array([datum.answer for datum in drawn], dtype=float)
        try:
            cells = nnls(np.concatenate(each) / widths[:, None], answers / widths, maxiter=100 * MOST_CELLS)[0]
        except RuntimeError:  # no convergence in time: answers matter more than sums of them
            return
        whole = np.diff(np.rint(np.cumsum(cells)), prepend=0.0)
        for margin, lines in zip(self.margins, each, strict=True):
            yield margin.release.id, tuple(int(count) for count in np.rint(lines @ whole))


def _told_apart(margin: Margin) -> list[str]:
    """Return the columns that a query groups its counts by, in the order of its counts."""
    return [name for name, levels in margin.levels.items() if levels != READ]


def _turned(margin: Margin, order: Sequence[str]) -> NDArray[np.intp]:
    """Return the positions of a query's counts in a table with another order of columns."""
    own = _told_apart(margin)
    places = np.arange(math.prod(len(margin.levels[name]) for name in order))
    cube = places.reshape([len(margin.levels[name]) for name in order])
    return cube.transpose([order.index(name) for name in own]).ravel()


def adding_up(answers: Sequence[tuple[Release, Schema]]) -> Wholes:
    """Return counts that add up, by release id; omit those that are alone."""
    each = (Margin(*answer) for answer in answers if counts_rows(answer[0].request))
    margins = sorted((margin for margin in each if margin.fits), key=lambda margin: len(margin.numbers))
    apart: list[Table] = []
    several = [table for table in reduce(_placed, margins, apart) if len(table.margins) > 1]
    return dict(pair for table in several for pair in table.wholes())


def _placed(tables: list[Table], margin: Margin) -> list[Table]:
    """Return tables with one more margin, merged with all that it is linked to unless that is too large."""
    apart = []
    joined = Table((margin,))
    for table in tables:
        wider = Table((*table.margins, *joined.margins))
        if table.linked(margin) and wider.agrees:
            joined = wider
        else:
            apart.append(table)
    return [*apart, joined]
