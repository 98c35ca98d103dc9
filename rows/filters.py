"""Filters: a column, a comparison and a value, or a choice of several. Never a text that is evaluated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError, Phrase, kind_of
from discreet.rows.cells import Mask
from discreet.rows.columns import Ignored, Value
from discreet.rows.schema import Schema

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in")
MOST_CONDITIONS = 100  # each is one more pass over every row


@dataclass(frozen=True)
class Filter:
    """A condition that keeps the rows whose column compares as given. Rows without a value are dropped."""

    column: str
    comparison: str
    value: Value

    def __post_init__(self) -> None:
        """Raise ParameterError for a comparison that is not on the list; == is =, as Python writes it."""
        object.__setattr__(self, "comparison", "=" if self.comparison == "==" else self.comparison)
        if self.comparison not in COMPARISONS:
            raise ParameterError(
                "A comparison must be one of {choices}. Got {comparison!r}.",
                choices=", ".join(COMPARISONS),
                comparison=self.comparison,
            )
        if isinstance(self.value, list):
            object.__setattr__(self, "value", tuple(self.value))
        take_numbers(self)

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The comparisons that the condition consists of."""
        return (self,)

    def plain(self) -> list[Any]:
        """Return the condition as a list that JSON can represent."""
        return [self.column, self.comparison, list(self.value) if isinstance(self.value, tuple) else self.value]

    def check(self, schema: Schema) -> None:
        """Raise ParameterError if the filter does not fit the declaration."""
        schema.columns.get(self.column, Ignored()).check(self.column, self.comparison, self.value)

    def mask(self, batch: pa.RecordBatch, schema: Schema) -> Mask:
        """Return which rows pass; each row's result depends on that row only."""
        return schema.columns[self.column].passes(batch.column(self.column), self.comparison, self.value)


@dataclass(frozen=True)
class Either:
    """A condition that keeps the rows that pass at least one comparison; a row without any of the values fails.

    All conditions of a query must be met, so every combination of `and`, `or` and `not` is a list of these.
    """

    choices: tuple[Filter, ...]

    def __post_init__(self) -> None:
        """Accept a list as well; raise ParameterError for no choices or for nested ones."""
        object.__setattr__(self, "choices", tuple(self.choices))
        if not self.choices or not all(isinstance(each, Filter) for each in self.choices):
            raise ParameterError(
                "A condition with alternatives needs at least one alternative, each of them a comparison."
            )

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The comparisons that the condition consists of."""
        return self.choices

    def plain(self) -> list[Any]:
        """Return the condition as a list of comparisons that JSON can represent."""
        return [each.plain() for each in self.choices]

    def check(self, schema: Schema) -> None:
        """Raise ParameterError if one of the comparisons does not fit the declaration."""
        for each in self.choices:
            each.check(schema)

    def mask(self, batch: pa.RecordBatch, schema: Schema) -> Mask:
        """Return which rows pass; each row's result depends on that row only."""
        return np.asarray(np.logical_or.reduce([each.mask(batch, schema) for each in self.choices]))


Condition = Filter | Either


Where = Condition | Mapping[str, Any] | Sequence[Any] | None  # conditions as a caller may write them


def conditions_of(where: Where) -> tuple[Condition, ...]:
    """Return conditions that a caller wrote: none, one, several, or a mapping of columns to a value or a list of them.

    A condition may be written as a column, a comparison and a value: ("age", ">=", 18).
    """
    if where is None:
        return ()
    if isinstance(where, Mapping):
        several = (list, tuple, set)
        return tuple(
            Filter(name, "in" if isinstance(given, several) else "=", tuple(given) if isinstance(given, set) else given)
            for name, given in where.items()
        )
    if isinstance(where, (Filter, Either)) or _is_triple(where):
        where = [where]
    if isinstance(where, str) or not isinstance(where, Iterable):
        raise ParameterError(CONDITION, kind=kind_of(where))
    return tuple(map(_condition, where))


CONDITION = Phrase('A condition must be a column, a comparison and a value: ("age", ">=", 18). Got {kind}.')


def _condition(given: Any) -> Condition:
    if isinstance(given, (Filter, Either)):
        return given
    if not _is_triple(given):
        raise ParameterError(CONDITION, kind=kind_of(given))
    return Filter(*given)


def _is_triple(given: Any) -> bool:
    return isinstance(given, (tuple, list)) and len(given) == 3 and all(isinstance(part, str) for part in given[:2])


def comparisons(where: Iterable[Condition]) -> Iterator[Filter]:
    """Yield all comparisons of some conditions, in order."""
    return (each for condition in where for each in condition.filters)


def condition_of(plain: Sequence[Any]) -> Condition:
    """Rebuild a condition from its list."""
    if plain and isinstance(plain[0], list):
        return Either(tuple(Filter(*each) for each in plain))
    return Filter(*plain)


MOST_COMPARED = 2**20  # combinations of values of several columns


Known = Mapping[str, Sequence[float]]  # the parts of the levels of categories


def even_share(where: Sequence[Condition], schema: Schema, known: Known = MappingProxyType({})) -> float:
    """Return what part of all rows passes if each column has every declared value equally often, whatever the others.

    It is an assumption from the declaration, and from the parts of levels that are known. Conditions must fit.
    """
    share = 1.0
    rest = list(where)
    while rest:
        linked = [rest.pop()]
        while more := [each for each in rest if _columns([each]) & _columns(linked)]:
            linked += more
            rest = [each for each in rest if each not in more]
        share *= _even_share(linked, schema, known)
    return share


def _columns(where: Iterable[Condition]) -> set[str]:
    return {each.column for each in comparisons(where)}


def _even_share(where: Sequence[Condition], schema: Schema, known: Known) -> float:
    """Return the part of all combinations of values that pass; of too many, as if conditions were independent."""
    names = sorted(_columns(where))
    asked = {name: [each.value for each in comparisons(where) if each.column == name] for name in names}
    spread = [schema.columns[name].evenly(values) for name, values in asked.items()]
    if math.prod(places.size for places, _ in spread) > MOST_COMPARED:
        apart = where if len(where) > 1 else where[0].filters
        shares = [_even_share([each], schema, known) for each in apart]
        return math.prod(shares) if len(where) > 1 else 1 - math.prod(1 - share for share in shares)
    grid = dict(zip(names, np.ix_(*(places for places, _ in spread)), strict=True))

    def met(each: Filter) -> Mask:
        return schema.columns[each.column].met(grid[each.column], each.comparison, each.value)

    each = (reduce(np.logical_or, map(met, condition.filters)) for condition in where)
    passed: Any = np.broadcast_to(reduce(np.logical_and, each), tuple(places.size for places, _ in spread))
    for name, (_, even) in reversed(list(zip(names, spread, strict=True))):
        passed = passed @ np.asarray(known.get(name, even))
    return float(passed)


def any_of(ways: Iterable[Sequence[Condition]]) -> tuple[Condition, ...]:
    """Return one list of conditions that is met exactly if all conditions of at least one way are met."""
    ways = [tuple(way) for way in ways]
    if math.prod(map(len, ways)) > MOST_CONDITIONS:
        raise ParameterError("These alternatives make more than {most} conditions. Use fewer.", most=MOST_CONDITIONS)
    chosen = (dict.fromkeys(comparisons(each)) for each in product(*ways))
    return tuple(next(iter(each)) if len(each) == 1 else Either(tuple(each)) for each in chosen)
