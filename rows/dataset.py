"""Dataset: a source with its declaration, and the three views that mechanisms need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.queries import Column
from discreet.queries.blocks import Blocks
from discreet.queries.bounds import IntArray
from discreet.queries.estimators import registry as estimators
from discreet.queries.scores import HowRead, Scores
from discreet.rows.counts import Counts
from discreet.rows.estimate import estimate_of
from discreet.rows.filters import Condition
from discreet.rows.lots import Lots
from discreet.rows.resizing import resized
from discreet.rows.schema import Schema
from discreet.rows.shelf import SHELF
from discreet.rows.source import LocalSource, Source
from discreet.rows.task import Task

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.view import Estimates

Where = Sequence[Condition]
T = TypeVar("T")


class Dataset:
    """Rows behind a declaration, protected: nothing of them is ever shown. See `OpenData`."""

    protected: ClassVar[bool] = True

    def __init__(self, source: Source, schema: Schema) -> None:
        """Join a source with its declaration; every column that is read must be there."""
        missing = [name for name in schema.used if name not in source.names]
        if missing:
            raise ParameterError("The data have no column {column!r}. Correct the declaration.", column=missing[0])
        if isinstance(source, LocalSource) and source.is_file and schema.layout not in (None, source.layout):
            raise ParameterError("The file is not read as its declaration says. Read it so, or declare it anew.")
        nested = [name for name in schema.used if name in getattr(source, "unusable", ())]
        if nested:
            raise ParameterError(
                "Column {column!r} cannot be used: it holds lists or objects. Write each part as a column of its own.",
                column=nested[0],
            )
        self._source, self.schema = source, schema
        self._number = SHELF.number(self)

    def __repr__(self) -> str:
        """Show the declaration only."""
        kind = "protected" if self.protected else "open"
        return f"Dataset({kind}, columns={list(self.schema.columns)})"

    def under(self, schema: Schema) -> Dataset:
        """Return the same rows under another declaration."""
        return type(self)(self._source, schema)

    @property
    def digest(self) -> str:
        """A hash of the content: the owner of the session budget. Not for showing."""
        return self._source.digest

    @property
    def read_by(self) -> tuple[type, ...]:
        """The kinds that read these rows: source, address, and the format of a file."""
        source = self._source
        form = source.format if isinstance(source, LocalSource) else None
        return tuple(type(thing) for thing in (source, getattr(source, "where", None), form) if thing is not None)

    @property
    def ground(self) -> str | None:
        """What makes exact answers what they are: content and declaration; None where rows may change."""
        rows = self._source.ground
        return None if rows is None else f"{rows}:{self.schema.digest}"

    def column(self, name: str, where: Where, lots: Lots, size: int | None = None) -> Column:
        """Return one number column, resized to a public number of rows where one is given."""
        task = Task.of(self.schema, (name,), (), where)
        if task.person is None:
            column = self._cached(task, lambda: self._columns(task, lots)[0])
        else:
            (column,) = self._columns(task, lots)
        return column if size is None else resized(column, size, lots)

    def grouped(self, name: str, by: Sequence[str], where: Where, lots: Lots) -> dict[str, Column]:
        """Return one number column per declared level, or pair of levels, whether any row names it or not."""
        crossed = self.crossed(name, by, where, lots)
        return dict(zip(self.schema.crossed(by), crossed.values(), strict=True))

    def crossed(self, name: str, by: Sequence[str], where: Where, lots: Lots) -> dict[tuple[str, ...], Column]:
        """Return one number column for the levels of several categories, each with each, in one look at the rows."""
        task = Task.of(self.schema, (name,), by, where)
        return dict(zip(product(*task.levels), self._columns(task, lots), strict=True))

    def scores(self, name: str, where: Where, lots: Lots) -> Scores:
        """Return how many rows name each declared level."""
        return Scores(self.schema.category(name).labels, self.table((name,), where, lots))

    def how_read(self, name: str, where: Where, lots: Lots) -> Scores:
        """Return how many rows of a column are read, are not, or have nothing there."""
        task = Task.of(self.schema, (), (name,), where, how_read=True)
        return Scores(HowRead().labels, self._counts(task, lots).by_cell())

    def table(self, by: Sequence[str], where: Where, lots: Lots) -> IntArray:
        """Return how many rows name each level of several categories, with one axis for each."""
        task = Task.of(self.schema, (), by, where)
        return self._counts(task, lots).by_cell().reshape(tuple(map(len, task.levels)))

    def blocks(self, asked: Estimates, names: Sequence[str], where: Where, lots: Lots) -> Blocks:
        """Return one estimate per secret random block of persons, each clipped and finite."""
        task = Task.of(self.schema, names, (), where)
        estimate = estimate_of(estimators[asked.estimator], asked.default)
        estimates = self._source.group(estimate, task, lots, asked.k)
        clipped = np.clip(np.array(estimates, dtype=np.float64), asked.lower, asked.upper)
        return Blocks(float(asked.lower), float(asked.upper), clipped)

    def _counts(self, task: Task, lots: Lots) -> Counts:
        """Count all rows, or those of every person that count."""
        return self._source.counts(task) if task.person is None else self._source.capped(task, lots)

    def _columns(self, task: Task, lots: Lots) -> list[Column]:
        """Return the column of every cell."""
        return self._counts(task, lots).columns(self.schema.bounds(task.columns[0]))

    def _cached(self, key: Any, make: Callable[[], T]) -> T:
        """Keep what involves no secret choice, as long as there is room for it."""
        return SHELF.take(self._number, key, make)


def without_rows(schema: Schema) -> Dataset:
    """Return a declaration with nobody behind it."""
    none = {name: pa.array([], pa.large_string()) for name in schema.columns}
    return Dataset(LocalSource(pa.table(none)), schema)
