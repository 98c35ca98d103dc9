"""Query: a statistic with everything a mechanism needs to know about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.plugins import STATISTICS, Registry
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column

# Shares between 0 and 1 as exact fractions, so that ranks are whole numbers.

FINEST = 10**9  # the largest denominator: positions stay exact in 64 bits


def exact_share(given: Fraction | str | float, label: str, most: Fraction = Fraction(1)) -> Fraction:
    """Read a share from its decimal text ("0.9", "9/10") and refuse one outside 0 to `most`."""
    try:
        share = Fraction(str(given))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= most or share.denominator > FINEST:
        raise ParameterError(
            "{label} must be between 0 and {most:g} with at most 9 decimals. Got {given!r}.",
            label=Phrase(label),
            most=float(most),
            given=given,
        )
    return share


MOST_ROWS = 2**40


@dataclass(frozen=True)
class Relation:
    """What makes two datasets neighbours: one person more or less, or (declared) one changed.

    `size` is the public number of rows of change-one and None under add/remove. `rows` is the cap
    on the rows of one person, enforced before anything is computed.
    """

    size: int | None = None
    rows: int = 1

    def __post_init__(self) -> None:
        """Refuse sizes and caps that make no sense."""
        if self.size is not None and not (type(self.size) is int and 1 <= self.size <= MOST_ROWS):
            raise ParameterError(
                "The public size must be a whole number between 1 and 2^40. Got {size}.", size=self.size
            )
        if not (type(self.rows) is int and 1 <= self.rows <= 10_000):
            raise ParameterError("Rows per person must be a whole number between 1 and 10000.")

    @property
    def change_one(self) -> bool:
        """Whether the size is public and a neighbour differs in one person's values."""
        return self.size is not None


ADD_REMOVE = Relation()
MOST_SUMMED = 64
registry: Registry[type[Query]] = Registry(STATISTICS)


def at_level(label: str, level: float | None) -> Phrase:
    """Name a statistic, with its level where it has one."""
    return Phrase(label) if level is None else Phrase("{label} {level}", label=Phrase(label), level=f"{level:g}")


@dataclass(frozen=True)
class Query(ABC):
    """A statistic f of one column: its value, its value on no rows, its sensitivity, its ladder.

    A subclass states f for one row a person (`row_sensitivity`, `row_ladder`); more rows a person
    are composed here. Naming it in a file of this folder registers it.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    additive: ClassVar[bool] = False  # whether m rows move it by exactly m times what one row can, under add/remove
    zeroless: ClassVar[bool] = True  # whether it says something of values whose 0 is not nothing, as days
    relation: Relation = ADD_REMOVE

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every statistic under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            registry.add(cls.name, cls)

    @property
    def size(self) -> int | None:
        """The public number of rows, where there is one: the curator brings the rows to it."""
        return self.relation.size

    @property
    def level(self) -> float | None:
        """The level of a statistic that has one, as an estimator of the same name takes it."""
        return None

    @property
    def words(self) -> Phrase:
        """What a table calls it."""
        return at_level(self.label, self.level)

    def fitted(self, size: int) -> Self:
        """Return the statistic for a public number of rows; only one that resizes depends on it."""
        return self

    def unit(self, column: str) -> str:
        """Return the unit of f, given that of its column: the same, unless it is said here."""
        return column

    @abstractmethod
    def value(self, column: Column) -> float:
        """Return f of the rows, total: an empty column gives `empty`."""

    def brute(self, values: list[float], bounds: Bounds) -> float | None:
        """Return f of some values in plain Python, where it says that: another package must, for its evidence.

        Discreet's own are compared with tests/brute.
        """
        return None

    def exact(self, column: Column) -> Fraction:
        """Return f of the rows as noise is put on it: what `value` is before it is rounded."""
        return Fraction(self.value(column))

    @abstractmethod
    def empty(self, bounds: Bounds) -> float:
        """Return f of no rows: a public constant."""

    @abstractmethod
    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the largest change of f by one row, over all datasets."""

    @abstractmethod
    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return A(k), or a proven upper bound, for each k >= 0: non-decreasing in k."""

    def low(self, bounds: Bounds) -> float:
        """Return the smallest value f can have (minus infinity where nothing limits it)."""
        return float("-inf")

    def high(self, bounds: Bounds) -> float:
        """Return the largest value f can have (infinity where nothing limits it)."""
        return float("inf")

    def span(self, bounds: Bounds) -> float:
        """Return how far two values of f can lie apart at all."""
        return self.high(bounds) - self.low(bounds)

    def global_sensitivity(self, bounds: Bounds) -> float:
        """Return the largest change of f by one person, over all datasets."""
        return min(self.relation.rows * self.row_sensitivity(bounds), self.span(bounds))

    def ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return A(k) in persons: the largest change by one more person within k persons.

        With m rows a person, A_m(k) <= A(km) + ... + A(km + m - 1) by the triangle inequality.
        """
        k = np.asarray(k, dtype=np.int64)
        if self.relation.rows == 1:
            return self.row_ladder(column, k)
        return np.minimum(self.person_ladder(column, k), self.global_sensitivity(column.bounds))

    def person_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Bound A_m(k) by the sum of m rungs; a subclass may know a tighter form.

        Beyond 64 rows a person, m times the highest of these rungs bounds it in the same way.
        """
        m = self.relation.rows
        if m > MOST_SUMMED:
            return m * self.row_ladder(column, k * m + m - 1)
        rungs = self.row_ladder(column, (k[:, None] * m + np.arange(m)).ravel())
        return np.asarray(rungs.reshape(k.size, m).sum(axis=1))


@dataclass(frozen=True)
class Exact(Query):
    """A statistic computed in whole numbers and fractions, and rounded only to be looked at.

    A centre that is rounded before the noise moves by more than f does where bounds lie far from 0.
    """

    @abstractmethod
    def exact(self, column: Column) -> Fraction:
        """Return f of the rows without any rounding."""

    def value(self, column: Column) -> float:
        """Return f of the rows as the nearest double."""
        return float(self.exact(column))


@dataclass(frozen=True)
class Location(Exact):
    """A statistic that lies where the values lie: between the value of tick 0 and of the top."""

    def low(self, bounds: Bounds) -> float:
        """Return the value of tick 0."""
        return float(bounds.value(0))

    def high(self, bounds: Bounds) -> float:
        """Return the value of the top tick."""
        return float(bounds.value(bounds.top))
