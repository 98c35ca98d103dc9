"""Dataset: a source with its declaration, and the three views that mechanisms need."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.queries import Column
from discreet.queries.blocks import Blocks
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import DENSE
from discreet.queries.estimators import registry as estimators
from discreet.queries.scores import Scores
from discreet.rows.coerce import Mask, category_codes, number_ticks
from discreet.rows.filters import Filter
from discreet.rows.lots import Lots
from discreet.rows.persons import Means, Rows, nothing
from discreet.rows.schema import Category, Number, Schema
from discreet.rows.source import LocalSource, Source

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.view import Estimates

Where = Sequence[Filter]
Reader = Callable[[pa.RecordBatch], tuple[IntArray, Mask]]
MOST_CACHED = 64
T = TypeVar("T")


class Dataset:
    """Rows behind a declaration. Protected is the default: nothing of the rows is ever shown."""

    def __init__(self, source: Source, schema: Schema, protected: bool = True) -> None:
        """Join a source with its declaration; every declared column must be there."""
        missing = [name for name in schema.columns if name not in source.names]
        if missing:
            raise ParameterError("The data have no column {column!r}. Correct the declaration.", column=missing[0])
        self._source, self.schema, self.protected = source, schema, protected
        self._cache: dict[Any, Any] = {}

    def __repr__(self) -> str:
        """Show the declaration only."""
        kind = "protected" if self.protected else "open"
        return f"Dataset({kind}, columns={list(self.schema.columns)})"

    @property
    def digest(self) -> str:
        """A hash of the content: the owner of the session budget. Not for showing."""
        return self._source.digest

    def head(self, most: int) -> pa.Table:
        """Return the first declared rows of open data."""
        if self.protected:
            raise ParameterError("Protected data are never shown. Choose a sample or open data.")
        return self._source.head(list(self.schema.columns), most)

    def opened(self, key: Any, make: Callable[[], T]) -> T:
        """Keep what is made of open data: with lots that nobody keeps secret it is made once."""
        if self.protected:
            raise ParameterError("Protected data are never shown. Choose a sample or open data.")
        return self._cached(("opened", key), make)

    def column(self, name: str, where: Where, lots: Lots, size: int | None = None) -> Column:
        """Return one number column, resized to a public number of rows where one is given."""
        declared = self._number(name)
        if self.schema.person is None:
            column = self._cached((name, tuple(where)), lambda: self._counted(name, declared, where))
        else:
            ticks = self._persons([self._ticks(name)], where, lots)[0]
            column = Column.from_ticks(self.schema.bounds(name), ticks)
        return column if size is None else _resized(column, size, lots)

    def grouped(self, name: str, by: str, where: Where, lots: Lots) -> dict[str, Column]:
        """Return one number column per declared level, whether any row names it or not."""
        bounds, labels = self.schema.bounds(name), self._category(by).labels
        ticks, codes = self._rows([self._ticks(name), self._codes(by)], where, lots)
        return {label: Column.from_ticks(bounds, ticks[codes == code]) for code, label in enumerate(labels)}

    def scores(self, name: str, where: Where, lots: Lots) -> Scores:
        """Return how many rows name each declared level."""
        labels = self._category(name).labels
        (codes,) = self._rows([self._codes(name)], where, lots)
        return Scores(labels, np.bincount(codes, minlength=len(labels)).astype(np.int64))

    def blocks(self, asked: Estimates, names: Sequence[str], where: Where, lots: Lots) -> Blocks:
        """Return one estimate per secret random block of persons, each clipped and finite."""
        estimator = estimators[asked.estimator]
        bounds = [self._number(name).bounds for name in names]
        k = asked.k
        readers = [self._ticks(name) for name in names]

        def assign(batch: pa.RecordBatch) -> tuple[IntArray, Sequence[FloatArray]]:
            words, ticks = self._read(batch, readers, where, lots)
            labels = words[0] if self.schema.person else words[1]
            values = [b.value(t).astype(np.float64) for b, t in zip(bounds, ticks, strict=True)]
            return np.asarray(labels % k, dtype=np.int64), values

        def estimate(*values: FloatArray) -> float | None:
            return _tried(estimator, values)

        told = self._source.group(estimate, assign, self._needed(names, where), k)
        found = [asked.default if value is None else value for value in told]
        clipped = np.clip(np.array(found, dtype=np.float64), asked.lower, asked.upper)
        return Blocks(float(asked.lower), float(asked.upper), clipped)

    def _number(self, name: str) -> Number:
        declared = self.schema.columns.get(name)
        if not isinstance(declared, Number):
            raise ParameterError("Column {name!r} is not declared as a number.", name=name)
        return declared

    def _category(self, name: str) -> Category:
        declared = self.schema.columns.get(name)
        if not isinstance(declared, Category):
            raise ParameterError("Column {name!r} is not declared as a category.", name=name)
        return declared

    def _ticks(self, name: str) -> tuple[str, Reader]:
        declared = self._number(name)
        return name, lambda batch: number_ticks(batch.column(name), declared)

    def _codes(self, name: str) -> tuple[str, Reader]:
        declared = self._category(name)

        def read(batch: pa.RecordBatch) -> tuple[IntArray, Mask]:
            codes = category_codes(batch.column(name), declared)
            return codes, codes >= 0

        return name, read

    def _needed(self, names: Sequence[str], where: Where) -> list[str]:
        person = [self.schema.person[0]] if self.schema.person else []
        return list(dict.fromkeys([*names, *person, *(f.column for f in where)]))

    def _kept(self, batch: pa.RecordBatch, known: Sequence[Mask], where: Where) -> Mask:
        masks = [*known, *(f.mask(batch, self.schema) for f in where)]
        return np.asarray(np.logical_and.reduce(masks))

    def _cached(self, key: Any, make: Callable[[], T]) -> T:
        """Keep what involves no secret choice; it is made once."""
        if key not in self._cache:
            if len(self._cache) >= MOST_CACHED:
                self._cache.pop(next(iter(self._cache)))
            self._cache[key] = make()
        found: T = self._cache[key]
        return found

    def _counted(self, name: str, declared: Number, where: Where) -> Column:
        """Count ticks batch by batch; nothing of a batch outlives it."""
        bounds = declared.bounds

        def kernel(batch: pa.RecordBatch) -> Any:
            ticks, known = number_ticks(batch.column(name), declared)
            kept = self._kept(batch, [known], where)
            ticks = ticks if kept.all() else ticks[kept]
            return np.bincount(ticks, minlength=bounds.top + 1) if dense else [ticks]

        dense = bounds.top < DENSE
        start: Any = np.zeros(bounds.top + 1, dtype=np.int64) if dense else []
        told = self._source.map(kernel, self._needed([name], where), start)
        if dense:
            return Column.from_counts(bounds, told)
        return Column.from_ticks(bounds, np.concatenate([np.zeros(0, np.int64), *told]))

    def _rows(self, readers: Sequence[tuple[str, Reader]], where: Where, lots: Lots) -> tuple[IntArray, ...]:
        """Return the values of all rows that count, persons capped or reduced."""
        if self.schema.person is not None:
            return self._persons(readers, where, lots)

        def kernel(batch: pa.RecordBatch) -> list[tuple[IntArray, ...]]:
            told = [read(batch) for _, read in readers]
            kept = self._kept(batch, [known for _, known in told], where)
            return [tuple(values[kept] for values, _ in told)]

        names = [name for name, _ in readers]
        start: list[tuple[IntArray, ...]] = []
        parts = self._source.map(kernel, self._needed(names, where), start)
        empty = (np.zeros(0, dtype=np.int64),) * len(readers)
        return tuple(np.concatenate(piece) for piece in zip(empty, *parts, strict=True))

    def _read(
        self, batch: pa.RecordBatch, readers: Sequence[tuple[str, Reader]], where: Where, lots: Lots
    ) -> tuple[tuple[IntArray, Any], list[IntArray]]:
        """Return person word, row word and values of the rows of a batch that count."""
        told = [read(batch) for _, read in readers]
        row_words = lots.rows(batch.num_rows)
        words, named = row_words.astype(np.int64), np.ones(batch.num_rows, dtype=bool)
        if self.schema.person is not None:
            name, person = self.schema.person
            words, named = lots.persons(batch.column(name), person.fold)
        kept = self._kept(batch, [named, *(known for _, known in told)], where)
        return (words[kept], row_words[kept]), [values[kept] for values, _ in told]

    def _persons(self, readers: Sequence[tuple[str, Reader]], where: Where, lots: Lots) -> tuple[IntArray, ...]:
        assert self.schema.person is not None
        declared = self.schema.person[1]

        def kernel(batch: pa.RecordBatch) -> Rows:
            (persons, keys), values = self._read(batch, readers, where, lots)
            return Rows(persons, keys, tuple(values))

        names = [name for name, _ in readers]
        rows = self._source.map(kernel, self._needed(names, where), nothing(len(readers)))
        number = self.schema.columns[names[0]]
        if declared.reduce == "mean" and isinstance(number, Number):
            return rows.mean_of_each(Means(number.bounds))
        return rows.at_most(1 if declared.reduce else declared.rows)


def without_rows(schema: Schema) -> Dataset:
    """Return a declaration with nobody behind it."""
    none = {name: pa.array([], pa.large_string()) for name in schema.columns}
    return Dataset(LocalSource(pa.table(none)), schema)


def _tried(estimator: Callable[..., Any], values: Sequence[FloatArray]) -> float | None:
    """Run an estimator on its own block; whatever goes wrong is no estimate."""
    if not values or not values[0].size:
        return None
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = float(estimator(*values))
    except Exception:
        return None
    return value if np.isfinite(value) else None


def _resized(column: Column, size: int, lots: Lots) -> Column:
    """Keep a secret choice of the rows, or pad with the middle of the bounds.

    One row more or less changes at most one row of the result. Counts stay counts: a public number
    of rows costs nothing by its size.
    """
    levels, counts, missing = column.levels, column.counts, max(0, size - column.n)
    if column.n > size:
        kept = np.searchsorted(column.ends, lots.kept(column.n, size), side="right")
        counts = np.bincount(kept, minlength=levels.size)
    padded = np.append(levels, column.bounds.top // 2), np.append(counts, missing)
    return Column.from_pairs(column.bounds, *padded)
