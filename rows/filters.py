"""Filters: a column, a comparison, a value. Never a text that is evaluated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import Bounds
from discreet.rows.coerce import category_codes, number_ticks
from discreet.rows.schema import Category, Number, Schema

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "in")
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Filter:
    """Keep the rows whose declared column compares so. Rows without a value are left out."""

    column: str
    comparison: str
    value: float | str | tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse comparisons that are not on the list."""
        if self.comparison not in COMPARISONS:
            raise ParameterError(
                "A comparison must be one of {choices}. Got {comparison!r}.",
                choices=", ".join(COMPARISONS),
                comparison=self.comparison,
            )
        if isinstance(self.value, list):
            object.__setattr__(self, "value", tuple(self.value))

    def check(self, schema: Schema) -> None:
        """Raise a sentence where the filter does not fit the declaration."""
        declared = schema.columns.get(self.column)
        if isinstance(declared, Number):
            if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
                raise ParameterError("Column {column!r} compares with a number.", column=self.column)
            if self.comparison == "in" or not math.isfinite(self.value):
                raise ParameterError("Column {column!r} compares with one finite number.", column=self.column)
        elif isinstance(declared, Category):
            wanted = self.value if isinstance(self.value, tuple) else (self.value,)
            if self.comparison not in ("=", "!=", "in"):
                raise ParameterError("Category {column!r} compares by =, != or in.", column=self.column)
            if not set(wanted) <= set(declared.labels):
                raise ParameterError("Category {column!r} compares with its declared levels.", column=self.column)
        else:
            raise ParameterError(
                "Column {column!r} is not declared as number or category: no filter on it.", column=self.column
            )

    def mask(self, batch: pa.RecordBatch, schema: Schema) -> Mask:
        """Return which rows pass, each by itself."""
        declared = schema.columns[self.column]
        cells = batch.column(self.column)
        if isinstance(declared, Number):
            ticks, known = number_ticks(cells, declared)
            return known & self._compared(declared.bounds.value(ticks), declared.bounds)
        assert isinstance(declared, Category)
        codes = category_codes(cells, declared)
        wanted = self.value if isinstance(self.value, tuple) else (self.value,)
        inside = np.isin(codes, [declared.labels.index(str(level)) for level in wanted])
        return np.asarray((codes >= 0) & (~inside if self.comparison == "!=" else inside))

    def _compared(self, values: NDArray[np.float64], bounds: Bounds) -> Mask:
        """Compare values on the grid, with a number that is brought to the grid as cells are."""
        assert isinstance(self.value, (int, float))
        number = self.value
        if not bounds.integer and bounds.lower <= number <= bounds.upper:
            number = bounds.value(bounds.ticks(np.array([number])))[0]
        compare = {
            "=": np.equal,
            "!=": np.not_equal,
            "<": np.less,
            "<=": np.less_equal,
            ">": np.greater,
            ">=": np.greater_equal,
        }[self.comparison]
        return np.asarray(compare(values, number))
