"""Query: the base class of statistics, with everything that a mechanism needs to know about one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.plugins import STATISTICS, Registry
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import Column

# --- Shares between 0 and 1 as exact fractions, so that ranks are integers ---

FINEST = 10**9  # the largest denominator: positions stay exact in 64 bits


def exact_share(given: Fraction | str | float, label: str, most: Fraction = Fraction(1)) -> Fraction:
    """Parse a share from its decimal text ("0.9", "9/10"); raise ParameterError for one outside 0 to `most`."""
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
    """The neighbour relation of datasets: one person more or less, or (if a size is declared) one changed.

    `size` is the public number of rows of change-one and None under add/remove. `rows` is the cap on the rows of one
    person, enforced before anything is computed.
    """

    size: int | None = None
    rows: int = 1

    def __post_init__(self) -> None:
        """Raise ParameterError for an invalid size or cap."""
        take_numbers(self)
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
    """Return the name of a statistic, with its level if it has one."""
    return Phrase(label) if level is None else Phrase("{label} {level}", label=Phrase(label), level=f"{level:g}")


@dataclass(frozen=True)
class Query(ABC):
    """A statistic f of one column: its value, its value on no rows, its sensitivity, its ladder.

    A subclass states f for one row per person (`row_sensitivity`, `row_ladder`); several rows per person are composed
    here. A subclass with a `name` in a file of this folder is registered automatically.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    additive: ClassVar[bool] = False  # whether m rows move it by exactly m times what one row can, under add/remove
    zeroless: ClassVar[bool] = True  # whether it is meaningful for values whose 0 does not mean "none", such as dates
    relation: Relation = ADD_REMOVE

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every statistic under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            registry.add(cls.name, cls)

    @property
    def size(self) -> int | None:
        """The public number of rows, if there is one: the curator samples or pads the rows to it."""
        return self.relation.size

    @property
    def level(self) -> float | None:
        """The level of a statistic that has one, as the estimator of that name takes it."""
        return None

    @property
    def words(self) -> Phrase:
        """The name of the statistic in tables."""
        return at_level(self.label, self.level)

    def fitted(self, size: int) -> Self:
        """Return the statistic for a public number of rows; only one that resizes depends on it."""
        return self

    def unit(self, column: str) -> str:
        """Return the unit of f, given that of its column: equal, unless overridden."""
        return column

    @abstractmethod
    def value(self, column: Column) -> float:
        """Return f of the rows, for every column: an empty one gives `empty`."""

    def brute(self, values: list[float], bounds: Bounds) -> float | None:
        """Return f of some values in plain Python, or None; another package must implement it, as evidence.

        Discreet's own statistics are compared with tests/brute.
        """
        return None

    def exact(self, column: Column) -> Fraction:
        """Return f of the rows before rounding, as noise is added to it."""
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
        """Return the smallest value that f can have (minus infinity if there is no limit)."""
        return float("-inf")

    def high(self, bounds: Bounds) -> float:
        """Return the largest value that f can have (infinity if there is no limit)."""
        return float("inf")

    def span(self, bounds: Bounds) -> float:
        """Return the largest distance between two values of f."""
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
        """Bound A_m(k) by the sum of m rungs; a subclass may have a tighter form.

        Beyond 64 rows per person, m times the highest of these rungs is a bound, too.
        """
        m = self.relation.rows
        if m > MOST_SUMMED:
            return m * self.row_ladder(column, k * m + m - 1)
        rungs = self.row_ladder(column, (k[:, None] * m + np.arange(m)).ravel())
        return np.asarray(rungs.reshape(k.size, m).sum(axis=1))


@dataclass(frozen=True)
class Exact(Query):
    """A statistic computed in integers and fractions, and rounded only for display.

    If bounds are far from 0, rounding a centre before adding noise would move it by more than f changes.
    """

    @abstractmethod
    def exact(self, column: Column) -> Fraction:
        """Return f of the rows without any rounding."""

    def value(self, column: Column) -> float:
        """Return f of the rows as the nearest double."""
        return float(self.exact(column))


@dataclass(frozen=True)
class Location(Exact):
    """A statistic in the range of the values: between the value of tick 0 and that of the top."""

    def low(self, bounds: Bounds) -> float:
        """Return the value of tick 0."""
        return float(bounds.value(0))

    def high(self, bounds: Bounds) -> float:
        """Return the value of the top tick."""
        return float(bounds.value(bounds.top))
