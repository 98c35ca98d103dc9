"""Views: what a mechanism needs of the rows, as a value that reads, checks and describes it.

The curator has the rows and calls `read`; everything else here depends on public values only.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.steps import steps_of
from discreet.queries import Bounds, Column, Query
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Bins, Blocks, HowRead, Pairs, Scores
from discreet.queries.estimators import registry as estimators
from discreet.queries.query import Location

EQUAL = 8  # bins, where none are given


class Words(Protocol):
    """The source of a stand-in's random blocks."""

    def words(self, size: int) -> NDArray[np.uint64]:
        """Return random words."""


class Estimates(Protocol):
    """The parameters for estimating from secret random blocks."""

    @property
    def estimator(self) -> str:
        """The name of the estimator."""

    @property
    def k(self) -> int:
        """The number of blocks."""

    @property
    def lower(self) -> float:
        """The lower end of the range into which estimates are clipped."""

    @property
    def upper(self) -> float:
        """The upper end of the range into which estimates are clipped."""

    @property
    def default(self) -> float:
        """The estimate from no rows."""


class PrivateRows(Protocol):
    """Rows behind a declaration, and the five things that a view may read of them."""

    def column(self, name: str, where: Any, lots: Any, size: int | None = None) -> Column:
        """Return one number column, resized to a public number of rows if `size` is given."""

    def scores(self, name: str, where: Any, lots: Any) -> Scores:
        """Return the number of rows of each declared level."""

    def how_read(self, name: str, where: Any, lots: Any) -> Scores:
        """Return how many rows of a column are parsed, are not, or are missing."""

    def pairs(self, names: Sequence[str], where: Any, lots: Any) -> Pairs:
        """Return two number columns of the same rows."""

    def blocks(self, asked: Estimates, names: Sequence[str], where: Any, lots: Any) -> Blocks:
        """Return one estimate for each secret random block."""


class Asking(Protocol):
    """The parts of a query that a view needs."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def where(self) -> Any:
        """The filters."""

    @property
    def public_rows(self) -> int | None:
        """The public number of rows to which a column is resized."""


@dataclass(frozen=True)
class View(ABC):
    """What a mechanism's law is computed from; `groups` states whether every group may have one."""

    groups: ClassVar[bool] = False
    in_blocks: ClassVar[bool] = False
    nested: ClassVar[bool] = False  # whether some numbers of an answer are sums of others

    @property
    def columns(self) -> int:
        """The number of columns that it takes."""
        return 1

    @property
    def on(self) -> bool:
        """Whether it is of the second column on the first, as a regression is."""
        return False

    @property
    def at(self) -> float | None:
        """The value of the first column at which the second one is predicted; None for everything else."""
        return None

    @property
    def weighs(self) -> bool:
        """Whether the second column is the weight of each row."""
        return False

    @property
    def answers(self) -> bool:
        """Whether the first column is one of yes and no."""
        return False

    @property
    def category(self) -> bool:
        """Whether it takes a category; otherwise it takes numbers."""
        return False

    @property
    def every_kind(self) -> bool:
        """Whether it takes every column that can be queried, of any kind."""
        return False

    @property
    def public_rows(self) -> int | None:
        """The public number of rows to which the column is resized, or None.

        Counts of categories, bins and blocks need none: a changed person moves them directly.
        """
        return None

    @property
    def place(self) -> bool:
        """Whether the value asked for is in the range of the column's values."""
        return False

    @property
    def asks(self) -> Phrase | None:
        """The name in tables of the statistic asked for, if it is one."""
        return None

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return the smallest and the largest possible answer, from the declaration."""
        return -math.inf, math.inf

    def within(self, bounds: Bounds | None, answer: Any, width: float) -> tuple[float, float] | None:
        """Return a number minus and plus a width, clipped to the possible range; None for anything but a number."""
        if not isinstance(answer, (int, float)):
            return None
        low, high = self.range(bounds)
        return min(max(answer - width, low), high), min(max(answer + width, low), high)

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of the bins in which values are counted; empty if there are none."""
        return ()

    def joined(self, bounds: Bounds) -> tuple[tuple[float, float], ...]:
        """Return the edges of each bin that has a count."""
        return tuple(pairwise(self.edges))

    @abstractmethod
    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Any:
        """Read the view: the one step in which rows become what a law is computed from."""

    def stand_in(self, column: Column, noise: Words) -> Any:
        """Build the view from a public column; None if one column is not enough."""
        return None

    def truth(self, data: Any) -> float | None:
        """Return the exact value that is asked of open data; None if it is no number."""
        return None

    def labels(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the public names of the candidates, given the declared levels of the column."""
        return declared

    @abstractmethod
    def unit(self, column: str) -> str:
        """Return the unit of an answer, given that of the column."""

    def shaped(self) -> list[Phrase]:
        """Return phrases for how the rows are transformed."""
        return []


# --- OneColumn: one number column ---


@dataclass(frozen=True)
class OneColumn(View):
    """One number column, for a statistic, or without one for mechanisms that need none."""

    groups: ClassVar[bool] = True

    query: Query | None = None
    size: int | None = None

    @property
    def public_rows(self) -> int | None:
        """The public number of rows, where there is one."""
        return self.size

    @property
    def asks(self) -> Phrase | None:
        """The statistic's name, with its level if it has one."""
        return None if self.query is None else self.query.words

    @property
    def place(self) -> bool:
        """Whether the statistic is a location."""
        return isinstance(self.query, Location)

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return the smallest and the largest value of the statistic over all columns within the bounds."""
        if self.query is None or bounds is None:
            return super().range(bounds)
        return float(self.query.low(bounds)), float(self.query.high(bounds))

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Column:
        """Read the column."""
        (name,) = question.columns
        return rows.column(name, question.where, lots, size=question.public_rows)

    def stand_in(self, column: Column, noise: Words) -> Column:
        """Return the column itself."""
        return column

    def truth(self, data: Column) -> float | None:
        """Return the value of the statistic."""
        return None if self.query is None else float(self.query.value(data))

    def unit(self, column: str) -> str:
        """Return the unit of the statistic."""
        return column if self.query is None else self.query.unit(column)

    def shaped(self) -> list[Phrase]:
        """Return a phrase for the number of rows to which the column is resized."""
        if self.size is None:
            return []
        return [Phrase("cut at random, or filled up with a public value, to {size} rows", size=self.size)]


@dataclass(frozen=True)
class BinCounts(OneColumn):
    """The counts of bins of a number column, and of neighbours that are joined; eight equal ones if none are given."""

    nested: ClassVar[bool] = True

    bins: Bins | None = None

    def __post_init__(self) -> None:
        """Raise ParameterError for anything but bins."""
        if not isinstance(self.bins, Bins | None):
            raise ParameterError("Give bins as Bins, by their edges. Leave them out for {many} equal ones.", many=EQUAL)

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of the bins, where they are given."""
        return self.bins.edges if self.bins else ()

    def bands(self, bounds: Bounds) -> Bins:
        """Return the bins."""
        return self.bins or Bins.equal(bounds, EQUAL, bounds.integer)

    def joined(self, bounds: Bounds) -> tuple[tuple[float, float], ...]:
        """Return the edges of each bin that has a count, from the widest."""
        edges = self.bands(bounds).edges
        return tuple((edges[low], edges[high]) for low, high in steps_of(len(edges) - 1).spans)

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return 0 to infinity."""
        return 0.0, math.inf

    def labels(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of all bins that have a count; of equal ones only that they are."""
        if self.bins is None:
            return (Phrase("equal bands"),)
        edges = self.bins.edges
        return tuple(f"{edges[low]:.15g} to {edges[high]:.15g}" for low, high in steps_of(len(edges) - 1).spans)

    def unit(self, column: str) -> str:
        """Return rows."""
        return Phrase("rows")

    def shaped(self) -> list[Phrase]:
        """Return a phrase for how values outside of all bins are counted."""
        return [Phrase("values outside all bins count in the nearest bin")]


# --- ByEstimator: what an estimator reads, of all rows or of each block ---


@dataclass(frozen=True)
class ByEstimator(View):
    """A view for an estimator."""

    estimator: str

    @property
    def on(self) -> bool:
        """Whether it is a regression."""
        return estimators[self.estimator].on

    @property
    def at(self) -> float | None:
        """The value of the first column of a prediction."""
        asked = estimators[self.estimator]
        return asked.level if asked.free else None

    @property
    def asks(self) -> Phrase | None:
        """The estimator's name, with its level if it has one."""
        return estimators[self.estimator].words


# --- TwoColumns: two number columns of the same rows ---


@dataclass(frozen=True)
class TwoColumns(ByEstimator):
    """Two number columns of the rows that have a value in both, for an estimator of two columns."""

    groups: ClassVar[bool] = True

    @property
    def columns(self) -> int:
        """Two."""
        return 2

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Pairs:
        """Read both columns."""
        return rows.pairs(question.columns, question.where, lots)

    def truth(self, data: Pairs) -> float | None:
        """Return the estimate from all rows; None if they give none."""
        with np.errstate(all="ignore"):
            value = estimators[self.estimator](*data.values())
        return value if math.isfinite(value) else None

    def unit(self, column: str) -> str:
        """Return the unit of the estimate."""
        return estimators[self.estimator].unit(column)


@dataclass(frozen=True)
class Weighted(TwoColumns):
    """A number column, and the weight of each row: a row without a weight above 0 is left out."""

    @property
    def weighs(self) -> bool:
        """Whether the second column is the weight of each row."""
        return True

    @property
    def answers(self) -> bool:
        """Whether the first column is one of yes and no."""
        return estimators[self.estimator].answers

    @property
    def place(self) -> bool:
        """Whether it is a mean."""
        return estimators[self.estimator].place

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return the smallest and the largest possible answer: of a count, from 0; of a sum, by the sign of values."""
        if self.estimator == "weighted-count":
            return 0.0, math.inf
        if bounds is None and not self.answers:
            return super().range(bounds)
        low, high = (0.0, 1.0) if bounds is None else (float(bounds.value(0)), float(bounds.value(bounds.top)))
        if self.estimator == "weighted-sum":
            return (0.0 if low >= 0 else -math.inf), (0.0 if high <= 0 else math.inf)
        return estimators[self.estimator].usual(low, high)

    def truth(self, data: Pairs) -> float | None:
        """Return the statistic of the rows with a weight above 0."""
        weights = np.maximum(data.second.value(data.right), 0.0) * data.counts
        with np.errstate(all="ignore"):
            value = estimators[self.estimator](data.first.value(data.left), weights)
        return value if math.isfinite(value) else None


# --- InBlocks: estimates of secret random blocks of persons ---


@dataclass(frozen=True)
class InBlocks(ByEstimator):
    """One estimate for each of k secret random blocks of persons, within a public range."""

    in_blocks: ClassVar[bool] = True

    k: int
    lower: float
    upper: float
    default: float

    @property
    def columns(self) -> int:
        """The number of columns that the estimator takes."""
        return estimators[self.estimator].columns

    @property
    def place(self) -> bool:
        """Whether the estimate is a location."""
        return estimators[self.estimator].place

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Blocks:
        """Estimate from every block."""
        return rows.blocks(self, question.columns, question.where, lots)

    def stand_in(self, column: Column, noise: Words) -> Blocks | None:
        """Distribute the rows of one column to random blocks."""
        return self.split(column.values()[None, :], noise) if self.columns == 1 else None

    def dealt(self, rows: int, noise: Words) -> IntArray:
        """Return the simulated block of each public row."""
        return np.asarray((noise.words(rows) % np.uint64(self.k)).astype(np.int64))

    def split(self, rows: FloatArray, noise: Words) -> Blocks:
        """Return simulated blocks of public rows, one line for each column of the estimator."""
        estimator = estimators[self.estimator]
        labels = self.dealt(rows.shape[1], noise)
        order = np.argsort(labels, kind="stable")
        ends = np.searchsorted(labels[order], np.arange(self.k + 1))
        ordered = rows[:, order]
        with np.errstate(all="ignore"):
            raw = [estimator(*ordered[:, a:b]) for a, b in zip(ends[:-1], ends[1:], strict=True)]
        estimates = np.nan_to_num(np.array(raw, dtype=np.float64), nan=self.default)
        return Blocks(self.lower, self.upper, np.clip(estimates, self.lower, self.upper))

    def truth(self, data: Blocks) -> float | None:
        """Return the estimate from all rows, if there is only one block."""
        return float(data.estimates[0]) if self.k == 1 else None

    def unit(self, column: str) -> str:
        """Return the unit of an estimate."""
        return estimators[self.estimator].unit(column)


# --- Levels: the number of rows of each declared level or bin ---


@dataclass(frozen=True)
class Levels(View):
    """The number of rows of each declared level, or in each bin of a number column."""

    instead: ClassVar[tuple[type, ...]] = ()  # of bins

    bins: Bins | HowRead | None = None

    def __post_init__(self) -> None:
        """Raise ParameterError for anything but bins."""
        if not isinstance(self.bins, (Bins, *self.instead, type(None))):
            raise ParameterError("Give bins as Bins, by their edges. Leave them out to count allowed values.")

    @property
    def category(self) -> bool:
        """Whether there are no bins."""
        return self.bins is None

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of the bins."""
        return self.bins.edges if isinstance(self.bins, Bins) else ()

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Scores:
        """Count the rows of every level or bin."""
        (name,) = question.columns
        if self.bins is None:
            return rows.scores(name, question.where, lots)
        if isinstance(self.bins, HowRead):
            return rows.how_read(name, question.where, lots)
        return self.bins.scores(rows.column(name, question.where, lots, size=question.public_rows))

    def labels(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the bins, or the declared levels."""
        return declared if self.bins is None else self.bins.labels

    def unit(self, column: str) -> str:
        """Return an empty text: an answer is a choice or a share."""
        return ""

    def shaped(self) -> list[Phrase]:
        """Return a phrase for how values outside of all bins are counted."""
        return [Phrase("values outside all bins count in the nearest bin")] if self.edges else []


@dataclass(frozen=True)
class LevelCounts(Levels):
    """The counts of levels or bins, for mechanisms that answer with counts; or of how cells of any column are read."""

    instead: ClassVar[tuple[type, ...]] = (HowRead,)

    def shaped(self) -> list[Phrase]:
        """Return a phrase for what each count means, if it is of how cells are read."""
        if not self.every_kind:
            return super().shaped()
        return [Phrase("each row by the reading of its cell: read, doubtful, not read or missing")]

    @property
    def every_kind(self) -> bool:
        """Whether it counts how cells are read."""
        return isinstance(self.bins, HowRead)

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return 0 to infinity."""
        return 0.0, math.inf

    def unit(self, column: str) -> str:
        """Return rows."""
        return Phrase("rows")


@dataclass(frozen=True)
class Reports(Levels):
    """The counts of levels or bins, as the reports of a public number of people."""

    people: int = 1

    def shaped(self) -> list[Phrase]:
        """Return a phrase for how missing and surplus people are handled."""
        return [
            Phrase(
                "as reports of {people} people: a missing person counts as no, and extra people are left out",
                people=self.people,
            )
        ]
