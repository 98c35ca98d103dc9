"""Dataset: a source with its declaration, and the three views that mechanisms need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.queries import Column
from discreet.queries.blocks import Blocks
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import DENSE
from discreet.queries.estimators import registry as estimators
from discreet.queries.scores import Scores
from discreet.rows.estimate import estimate_of
from discreet.rows.kernel import Kernel, Where
from discreet.rows.lots import Lots
from discreet.rows.persons import Means, nothing
from discreet.rows.resizing import resized
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource, Source

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.view import Estimates

MOST_CACHED = 64
T = TypeVar("T")


class Dataset:
    """Rows behind a declaration, protected: nothing of them is ever shown. See `OpenData`."""

    protected: ClassVar[bool] = True

    def __init__(self, source: Source, schema: Schema) -> None:
        """Join a source with its declaration; every declared column must be there."""
        missing = [name for name in schema.columns if name not in source.names]
        if missing:
            raise ParameterError("The data have no column {column!r}. Correct the declaration.", column=missing[0])
        self._source, self.schema = source, schema
        self._cache: dict[Any, Any] = {}

    def __repr__(self) -> str:
        """Show the declaration only."""
        kind = "protected" if self.protected else "open"
        return f"Dataset({kind}, columns={list(self.schema.columns)})"

    @property
    def digest(self) -> str:
        """A hash of the content: the owner of the session budget. Not for showing."""
        return self._source.digest

    def column(self, name: str, where: Where, lots: Lots, size: int | None = None) -> Column:
        """Return one number column, resized to a public number of rows where one is given."""
        kernel = Kernel.of_numbers(self.schema, [name], where)
        if self.schema.person is None:
            column = self._cached((name, tuple(where)), lambda: self._counted(kernel, self.schema.number(name).bounds))
        else:
            column = Column.from_ticks(self.schema.bounds(name), self._persons(kernel, lots)[0])
        return column if size is None else resized(column, size, lots)

    def grouped(self, name: str, by: str, where: Where, lots: Lots) -> dict[str, Column]:
        """Return one number column per declared level, whether any row names it or not."""
        bounds, labels = self.schema.bounds(name), self.schema.category(by).labels
        ticks, codes = self._values(Kernel.of_numbers(self.schema, [name], where).with_category(by), lots)
        return {label: Column.from_ticks(bounds, ticks[codes == code]) for code, label in enumerate(labels)}

    def scores(self, name: str, where: Where, lots: Lots) -> Scores:
        """Return how many rows name each declared level."""
        labels = self.schema.category(name).labels
        (codes,) = self._values(Kernel(self.schema, (), where).with_category(name), lots)
        return Scores(labels, np.bincount(codes, minlength=len(labels)).astype(np.int64))

    def blocks(self, asked: Estimates, names: Sequence[str], where: Where, lots: Lots) -> Blocks:
        """Return one estimate per secret random block of persons, each clipped and finite."""
        bounds = [self.schema.number(name).bounds for name in names]
        kernel = Kernel.of_numbers(self.schema, names, where)

        def assign(batch: pa.RecordBatch) -> tuple[IntArray, Sequence[FloatArray]]:
            rows = kernel.rows(batch, lots)
            words = rows.persons if self.schema.person else rows.keys
            values = [b.value(ticks).astype(np.float64) for b, ticks in zip(bounds, rows.values, strict=True)]
            return np.asarray(words % asked.k, dtype=np.int64), values

        estimate = estimate_of(estimators[asked.estimator], asked.default)
        estimates = self._source.group(estimate, assign, kernel.columns, asked.k)
        clipped = np.clip(np.array(estimates, dtype=np.float64), asked.lower, asked.upper)
        return Blocks(float(asked.lower), float(asked.upper), clipped)

    def _cached(self, key: Any, make: Callable[[], T]) -> T:
        """Keep what involves no secret choice; it is made once."""
        if key not in self._cache:
            if len(self._cache) >= MOST_CACHED:
                self._cache.pop(next(iter(self._cache)))
            self._cache[key] = make()
        thing: T = self._cache[key]
        return thing

    def _counted(self, kernel: Kernel, bounds: Bounds) -> Column:
        """Count ticks batch by batch where they are few; nothing of a batch outlives it."""
        if bounds.top >= DENSE:
            return Column.from_ticks(bounds, self._joined(kernel)[0])

        def count(batch: pa.RecordBatch) -> IntArray:
            ((ticks,),) = kernel.values(batch)
            return np.bincount(ticks, minlength=bounds.top + 1)

        start = np.zeros(bounds.top + 1, dtype=np.int64)
        return Column.from_counts(bounds, self._source.map(count, kernel.columns, start))

    def _values(self, kernel: Kernel, lots: Lots) -> tuple[IntArray, ...]:
        """Return the values of all rows that count, persons capped or reduced."""
        return self._joined(kernel) if self.schema.person is None else self._persons(kernel, lots)

    def _joined(self, kernel: Kernel) -> tuple[IntArray, ...]:
        """Return the values of all rows, of whomever they are."""
        parts: list[tuple[IntArray, ...]] = self._source.map(kernel.values, kernel.columns, [])
        return tuple(np.concatenate(piece) for piece in zip(kernel.empty, *parts, strict=True))

    def _persons(self, kernel: Kernel, lots: Lots) -> tuple[IntArray, ...]:
        """Return the values of the rows that count of every person, or of the one that they become."""
        assert self.schema.person is not None
        declared, (first, *_) = self.schema.person[1], kernel.readers
        start = nothing(len(kernel.readers))
        rows = self._source.map(lambda batch: kernel.rows(batch, lots), kernel.columns, start)
        if declared.reduce == "mean" and first[0] in self.schema.numbers:
            return rows.mean_of_each(Means(self.schema.number(first[0]).bounds))
        return rows.at_most(1 if declared.reduce else declared.rows)


def without_rows(schema: Schema) -> Dataset:
    """Return a declaration with nobody behind it."""
    none = {name: pa.array([], pa.large_string()) for name in schema.columns}
    return Dataset(LocalSource(pa.table(none)), schema)
