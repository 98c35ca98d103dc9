"""Dataset: a source with its declaration, and the three views that mechanisms need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.queries import Column
from discreet.queries.blocks import Blocks
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import DENSE
from discreet.queries.estimators import registry as estimators
from discreet.queries.scores import Scores
from discreet.rows.cells import Mask
from discreet.rows.columns import Quantity
from discreet.rows.estimate import estimate_of
from discreet.rows.filters import Filter
from discreet.rows.lots import Lots
from discreet.rows.persons import Means, Rows, nothing
from discreet.rows.resizing import resized
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource, Source

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.view import Estimates

Where = Sequence[Filter]
Reader = Callable[[pa.RecordBatch], tuple[IntArray, Mask]]
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
        declared = self.schema.number(name)
        if self.schema.person is None:
            column = self._cached((name, tuple(where)), lambda: self._counted(name, declared, where))
        else:
            ticks = self._persons([self._ticks(name)], where, lots)[0]
            column = Column.from_ticks(self.schema.bounds(name), ticks)
        return column if size is None else resized(column, size, lots)

    def grouped(self, name: str, by: str, where: Where, lots: Lots) -> dict[str, Column]:
        """Return one number column per declared level, whether any row names it or not."""
        bounds, labels = self.schema.bounds(name), self.schema.category(by).labels
        ticks, codes = self._rows([self._ticks(name), self._codes(by)], where, lots)
        return {label: Column.from_ticks(bounds, ticks[codes == code]) for code, label in enumerate(labels)}

    def scores(self, name: str, where: Where, lots: Lots) -> Scores:
        """Return how many rows name each declared level."""
        labels = self.schema.category(name).labels
        (codes,) = self._rows([self._codes(name)], where, lots)
        return Scores(labels, np.bincount(codes, minlength=len(labels)).astype(np.int64))

    def blocks(self, asked: Estimates, names: Sequence[str], where: Where, lots: Lots) -> Blocks:
        """Return one estimate per secret random block of persons, each clipped and finite."""
        bounds = [self.schema.number(name).bounds for name in names]
        readers = [self._ticks(name) for name in names]

        def assign(batch: pa.RecordBatch) -> tuple[IntArray, Sequence[FloatArray]]:
            words, ticks = self._read(batch, readers, where, lots)
            labels = words[0] if self.schema.person else words[1]
            values = [b.value(t).astype(np.float64) for b, t in zip(bounds, ticks, strict=True)]
            return np.asarray(labels % asked.k, dtype=np.int64), values

        estimate = estimate_of(estimators[asked.estimator], asked.default)
        estimates = self._source.group(estimate, assign, self._needed(names, where), asked.k)
        clipped = np.clip(np.array(estimates, dtype=np.float64), asked.lower, asked.upper)
        return Blocks(float(asked.lower), float(asked.upper), clipped)

    def _ticks(self, name: str) -> tuple[str, Reader]:
        declared = self.schema.number(name)
        return name, lambda batch: declared.ticks(batch.column(name))

    def _codes(self, name: str) -> tuple[str, Reader]:
        declared = self.schema.category(name)

        def read(batch: pa.RecordBatch) -> tuple[IntArray, Mask]:
            codes = declared.codes(batch.column(name))
            return codes, codes >= 0

        return name, read

    def _needed(self, names: Sequence[str], where: Where) -> list[str]:
        person = [self.schema.person[0]] if self.schema.person else []
        return list(dict.fromkeys([*names, *person, *(f.column for f in where)]))

    def _counting(self, batch: pa.RecordBatch, there: Sequence[Mask], where: Where) -> Mask:
        """Return which rows of a batch count: those with all values that pass all filters."""
        masks = [*there, *(f.mask(batch, self.schema) for f in where)]
        return np.asarray(np.logical_and.reduce(masks))

    def _cached(self, key: Any, make: Callable[[], T]) -> T:
        """Keep what involves no secret choice; it is made once."""
        if key not in self._cache:
            if len(self._cache) >= MOST_CACHED:
                self._cache.pop(next(iter(self._cache)))
            self._cache[key] = make()
        thing: T = self._cache[key]
        return thing

    def _counted(self, name: str, declared: Quantity, where: Where) -> Column:
        """Count ticks batch by batch; nothing of a batch outlives it."""
        bounds = declared.bounds

        def kernel(batch: pa.RecordBatch) -> Any:
            ticks, there = declared.ticks(batch.column(name))
            counting = self._counting(batch, [there], where)
            ticks = ticks if counting.all() else ticks[counting]
            return np.bincount(ticks, minlength=bounds.top + 1) if dense else [ticks]

        dense = bounds.top < DENSE
        start: Any = np.zeros(bounds.top + 1, dtype=np.int64) if dense else []
        counts = self._source.map(kernel, self._needed([name], where), start)
        if dense:
            return Column.from_counts(bounds, counts)
        return Column.from_ticks(bounds, np.concatenate([np.zeros(0, np.int64), *counts]))

    def _rows(self, readers: Sequence[tuple[str, Reader]], where: Where, lots: Lots) -> tuple[IntArray, ...]:
        """Return the values of all rows that count, persons capped or reduced."""
        if self.schema.person is not None:
            return self._persons(readers, where, lots)

        def kernel(batch: pa.RecordBatch) -> list[tuple[IntArray, ...]]:
            columns = [read(batch) for _, read in readers]
            counting = self._counting(batch, [there for _, there in columns], where)
            return [tuple(values[counting] for values, _ in columns)]

        names = [name for name, _ in readers]
        start: list[tuple[IntArray, ...]] = []
        parts = self._source.map(kernel, self._needed(names, where), start)
        empty = (np.zeros(0, dtype=np.int64),) * len(readers)
        return tuple(np.concatenate(piece) for piece in zip(empty, *parts, strict=True))

    def _read(
        self, batch: pa.RecordBatch, readers: Sequence[tuple[str, Reader]], where: Where, lots: Lots
    ) -> tuple[tuple[IntArray, Any], list[IntArray]]:
        """Return person word, row word and values of the rows of a batch that count."""
        columns = [read(batch) for _, read in readers]
        row_words = lots.rows(batch.num_rows)
        words, named = row_words.astype(np.int64), np.ones(batch.num_rows, dtype=bool)
        if self.schema.person is not None:
            name, person = self.schema.person
            words, named = lots.persons(batch.column(name), person.fold)
        counting = self._counting(batch, [named, *(there for _, there in columns)], where)
        return (words[counting], row_words[counting]), [values[counting] for values, _ in columns]

    def _persons(self, readers: Sequence[tuple[str, Reader]], where: Where, lots: Lots) -> tuple[IntArray, ...]:
        assert self.schema.person is not None
        declared = self.schema.person[1]

        def kernel(batch: pa.RecordBatch) -> Rows:
            (persons, keys), values = self._read(batch, readers, where, lots)
            return Rows(persons, keys, tuple(values))

        names = [name for name, _ in readers]
        rows = self._source.map(kernel, self._needed(names, where), nothing(len(readers)))
        if declared.reduce == "mean" and names[0] in self.schema.numbers:
            return rows.mean_of_each(Means(self.schema.number(names[0]).bounds))
        return rows.at_most(1 if declared.reduce else declared.rows)


def without_rows(schema: Schema) -> Dataset:
    """Return a declaration with nobody behind it."""
    none = {name: pa.array([], pa.large_string()) for name in schema.columns}
    return Dataset(LocalSource(pa.table(none)), schema)
