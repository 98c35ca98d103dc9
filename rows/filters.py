"""Filters: a column, a comparison, a value, and either of several. Never a text that is evaluated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.cells import Mask
from discreet.rows.columns import Ignored, Value
from discreet.rows.schema import Schema

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in")
MOST_CONDITIONS = 100  # each is one more pass over every row


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

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The comparisons that it is made of."""
        return (self,)

    def plain(self) -> list[Any]:
        """Return it as a list that JSON can hold."""
        return [self.column, self.comparison, list(self.value) if isinstance(self.value, tuple) else self.value]

    def check(self, schema: Schema) -> None:
        """Raise a sentence where the filter does not fit the declaration."""
        schema.columns.get(self.column, Ignored()).check(self.column, self.comparison, self.value)

    def mask(self, batch: pa.RecordBatch, schema: Schema) -> Mask:
        """Return which rows pass, each by itself."""
        return schema.columns[self.column].passes(batch.column(self.column), self.comparison, self.value)


@dataclass(frozen=True)
class Either:
    """Keep the rows that one comparison at least lets pass; where all of its cells have no value, none does.

    All conditions of a question must hold, so whatever `and`, `or` and `not` can say is a list of these.
    """

    choices: tuple[Filter, ...]

    def __post_init__(self) -> None:
        """Accept a list as well, and refuse what leaves no choice, or has choices of its own inside."""
        object.__setattr__(self, "choices", tuple(self.choices))
        if not self.choices or not all(isinstance(each, Filter) for each in self.choices):
            raise ParameterError("A condition with alternatives needs one of them at least, each a comparison.")

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The comparisons that it is made of."""
        return self.choices

    def plain(self) -> list[Any]:
        """Return it as a list of comparisons that JSON can hold."""
        return [each.plain() for each in self.choices]

    def check(self, schema: Schema) -> None:
        """Raise a sentence where one of the comparisons does not fit the declaration."""
        for each in self.choices:
            each.check(schema)

    def mask(self, batch: pa.RecordBatch, schema: Schema) -> Mask:
        """Return which rows pass, each by itself."""
        return np.asarray(np.logical_or.reduce([each.mask(batch, schema) for each in self.choices]))


Condition = Filter | Either


def comparisons(where: Iterable[Condition]) -> Iterator[Filter]:
    """Return all comparisons of some conditions, one after another."""
    return (each for condition in where for each in condition.filters)


def condition_of(plain: Sequence[Any]) -> Condition:
    """Read a condition back from its list."""
    if plain and isinstance(plain[0], list):
        return Either(tuple(Filter(*each) for each in plain))
    return Filter(*plain)


def any_of(ways: Iterable[Sequence[Condition]]) -> tuple[Condition, ...]:
    """Return the conditions that hold together where all of one way hold, whichever way it is."""
    ways = [tuple(way) for way in ways]
    if math.prod(map(len, ways)) > MOST_CONDITIONS:
        raise ParameterError("These alternatives make more than {most} conditions. Use fewer.", most=MOST_CONDITIONS)
    chosen = (dict.fromkeys(comparisons(each)) for each in product(*ways))
    return tuple(next(iter(each)) if len(each) == 1 else Either(tuple(each)) for each in chosen)
