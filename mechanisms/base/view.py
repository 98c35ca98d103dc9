"""Views: what a mechanism asks of the rows, as a value that reads it, checks it and names it.

The curator holds the rows and calls `read`; everything else here is made of public things.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries import Bounds, Column, Query
from discreet.queries.bounds import FloatArray
from discreet.queries.column import Bins, Blocks, HowRead, Scores
from discreet.queries.estimators import registry as estimators
from discreet.queries.query import Location, at_level


class Words(Protocol):
    """Where a stand-in takes the blocks of its rows from."""

    def words(self, size: int) -> NDArray[np.uint64]:
        """Return random words."""


class Estimates(Protocol):
    """What rows must know to estimate from secret random blocks."""

    @property
    def estimator(self) -> str:
        """The name of the estimator."""

    @property
    def k(self) -> int:
        """The number of blocks."""

    @property
    def lower(self) -> float:
        """Where estimates are clipped below."""

    @property
    def upper(self) -> float:
        """Where estimates are clipped above."""

    @property
    def default(self) -> float:
        """The estimate from no rows."""


class PrivateRows(Protocol):
    """Rows behind a declaration, and the four things that a view may read of them."""

    def column(self, name: str, where: Any, lots: Any, size: int | None = None) -> Column:
        """Return one number column, brought to a public number of rows where one is given."""

    def scores(self, name: str, where: Any, lots: Any) -> Scores:
        """Return how many rows name each declared level."""

    def how_read(self, name: str, where: Any, lots: Any) -> Scores:
        """Return how many rows of a column are read, or not read, or missing."""

    def blocks(self, asked: Estimates, names: Sequence[str], where: Any, lots: Any) -> Blocks:
        """Return one estimate for each secret random block."""


class Asking(Protocol):
    """What a view must know of the question that it is read for."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def where(self) -> Any:
        """The filters."""

    @property
    def public_rows(self) -> int | None:
        """The public number of rows to which a column is brought."""


@dataclass(frozen=True)
class View(ABC):
    """What a mechanism's law is made of: `groups` says whether every group may have one."""

    groups: ClassVar[bool] = False
    in_blocks: ClassVar[bool] = False

    @property
    def columns(self) -> int:
        """How many columns it takes."""
        return 1

    @property
    def category(self) -> bool:
        """Whether it takes a category; else it takes numbers."""
        return False

    @property
    def every_kind(self) -> bool:
        """Whether it takes any column that can be asked about, whatever it takes else."""
        return False

    @property
    def public_rows(self) -> int | None:
        """The public number of rows to which the column is brought, where there is one.

        Counts of categories, bins and blocks need none: a changed person moves them as they are.
        """
        return None

    @property
    def place(self) -> bool:
        """Whether what is asked lies where the values lie."""
        return False

    @property
    def asks(self) -> Phrase | None:
        """The statistic that is asked, in the words of a table, where it is one."""
        return None

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return what an answer can be at least and at most, by declared things."""
        return -math.inf, math.inf

    def within(self, bounds: Bounds | None, answer: Any, width: float) -> tuple[float, float] | None:
        """Return a number less and more a width, within what it can be; None where it is no number."""
        if not isinstance(answer, (int, float)):
            return None
        low, high = self.range(bounds)
        return min(max(answer - width, low), high), min(max(answer + width, low), high)

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of the bins in which values are counted, where there are any."""
        return ()

    @abstractmethod
    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Any:
        """Read it: the one step in which rows become what a law is made of."""

    def stand_in(self, column: Column, noise: Words) -> Any:
        """Make it of a public column; None where one column is not enough."""
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
        """Say into what shape the rows are brought."""
        return []


# OneColumn: one number column as what a mechanism asks of the rows.


@dataclass(frozen=True)
class OneColumn(View):
    """One number column, for a statistic, or without one for what a mechanism asks by itself."""

    groups: ClassVar[bool] = True

    query: Query | None = None
    size: int | None = None

    @property
    def public_rows(self) -> int | None:
        """The public number of rows, where there is one."""
        return self.size

    @property
    def asks(self) -> Phrase | None:
        """The statistic, with its level where it has one."""
        return None if self.query is None else self.query.words

    @property
    def place(self) -> bool:
        """Whether the statistic is one."""
        return isinstance(self.query, Location)

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return between what the statistic lies for every column within the bounds."""
        if self.query is None or bounds is None:
            return super().range(bounds)
        return float(self.query.low(bounds)), float(self.query.high(bounds))

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Column:
        """Read the column."""
        (name,) = question.columns
        return rows.column(name, question.where, lots, size=question.public_rows)

    def stand_in(self, column: Column, noise: Words) -> Column:
        """Take the column itself."""
        return column

    def truth(self, data: Column) -> float | None:
        """Return the value of the statistic."""
        return None if self.query is None else float(self.query.value(data))

    def unit(self, column: str) -> str:
        """Return the unit of the statistic."""
        return column if self.query is None else self.query.unit(column)

    def shaped(self) -> list[Phrase]:
        """Say to how many rows the column is brought."""
        if self.size is None:
            return []
        return [Phrase("cut by secret chance, or filled up with a public value, to {size} rows", size=self.size)]


# InBlocks: estimates of secret random blocks of persons, as what a mechanism asks of the rows.


@dataclass(frozen=True)
class InBlocks(View):
    """One estimate for each of k secret random blocks of persons, within a public range."""

    in_blocks: ClassVar[bool] = True

    estimator: str
    k: int
    lower: float
    upper: float
    default: float

    @property
    def columns(self) -> int:
        """How many columns the estimator takes."""
        return estimators[self.estimator].columns

    @property
    def asks(self) -> Phrase | None:
        """The estimate of a block, with its level where it has one."""
        asked = estimators[self.estimator]
        return at_level(asked.label, asked.level)

    @property
    def place(self) -> bool:
        """Whether the estimate is one."""
        return estimators[self.estimator].place

    def read(self, rows: PrivateRows, question: Asking, lots: Any) -> Blocks:
        """Estimate from every block."""
        return rows.blocks(self, question.columns, question.where, lots)

    def stand_in(self, column: Column, noise: Words) -> Blocks | None:
        """Deal the rows of one column into blocks."""
        return self.split(column.values()[None, :], noise) if self.columns == 1 else None

    def split(self, rows: FloatArray, noise: Words) -> Blocks:
        """Return simulated blocks of public rows, one line for each column of the estimator."""
        estimator = estimators[self.estimator]
        labels = (noise.words(rows.shape[1]) % np.uint64(self.k)).astype(np.int64)
        order = np.argsort(labels, kind="stable")
        ends = np.searchsorted(labels[order], np.arange(self.k + 1))
        ordered = rows[:, order]
        with np.errstate(all="ignore"):
            raw = [estimator(*ordered[:, a:b]) for a, b in zip(ends[:-1], ends[1:], strict=True)]
        estimates = np.nan_to_num(np.array(raw, dtype=np.float64), nan=self.default)
        return Blocks(self.lower, self.upper, np.clip(estimates, self.lower, self.upper))

    def truth(self, data: Blocks) -> float | None:
        """Return the estimate from all rows, where one block holds them."""
        return float(data.estimates[0]) if self.k == 1 else None

    def unit(self, column: str) -> str:
        """Return the unit of an estimate."""
        return estimators[self.estimator].unit(column)


# Levels: how many rows name each declared level or bin, as what a mechanism asks of the rows.


@dataclass(frozen=True)
class Levels(View):
    """How many rows name each declared level, or fall into each bin of a number column."""

    instead: ClassVar[tuple[type, ...]] = ()  # of bins

    bins: Bins | HowRead | None = None

    def __post_init__(self) -> None:
        """Refuse what are no bins."""
        if not isinstance(self.bins, (Bins, *self.instead, type(None))):
            raise ParameterError("Bins must be given as Bins, by their edges. Leave them out to count levels.")

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
        """Return none: an answer is a choice or a share."""
        return ""

    def shaped(self) -> list[Phrase]:
        """Say what becomes of values outside of all bins."""
        return [Phrase("values outside of all bins in the nearest one")] if self.edges else []


@dataclass(frozen=True)
class LevelCounts(Levels):
    """The same counts, where the answer is the counts themselves; or of how the cells of any column are read."""

    instead: ClassVar[tuple[type, ...]] = (HowRead,)

    def shaped(self) -> list[Phrase]:
        """Say what each count is of, where it is of how cells are read."""
        if not self.every_kind:
            return super().shaped()
        return [Phrase("each row by how its cell is read: whether it is, is doubtful, is not, or is missing")]

    @property
    def every_kind(self) -> bool:
        """Whether it is counted how cells are read."""
        return isinstance(self.bins, HowRead)

    def range(self, bounds: Bounds | None) -> tuple[float, float]:
        """Return from 0 on."""
        return 0.0, math.inf

    def unit(self, column: str) -> str:
        """Return rows."""
        return Phrase("rows")


@dataclass(frozen=True)
class Reports(Levels):
    """The same counts, as the answers of a public number of people."""

    people: int = 1

    def shaped(self) -> list[Phrase]:
        """Say who is missing, and who is too many."""
        return [
            Phrase(
                "as answers of {people}: who is missing counts as no, who is too many is left out", people=self.people
            )
        ]
