"""InBlocks: estimates of secret random blocks of persons, as what a mechanism asks of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from discreet.budget.phrase import Phrase
from discreet.mechanisms.view import Asking, PrivateRows, View, Words
from discreet.queries import Column
from discreet.queries.blocks import Blocks
from discreet.queries.bounds import FloatArray
from discreet.queries.estimators import registry as estimators
from discreet.queries.query import at_level


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
