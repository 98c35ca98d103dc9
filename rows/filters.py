"""Filters: a column, a comparison, a value. Never a text that is evaluated."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.cells import Mask
from discreet.rows.columns import Ignored, Value
from discreet.rows.schema import Schema

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "in")


@dataclass(frozen=True)
class Filter:
    """Keep the rows whose declared column compares so. Rows without a value are left out."""

    column: str
    comparison: str
    value: Value

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
        schema.columns.get(self.column, Ignored()).check(self.column, self.comparison, self.value)

    def mask(self, batch: pa.RecordBatch, schema: Schema) -> Mask:
        """Return which rows pass, each by itself."""
        return schema.columns[self.column].passes(batch.column(self.column), self.comparison, self.value)
