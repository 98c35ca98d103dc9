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

from discreet.budget.phrase import Phrase
from discreet.queries import Bounds, Column
from discreet.queries.blocks import Blocks
from discreet.queries.scores import Scores


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
