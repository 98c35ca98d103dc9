"""Banded: a number or date column as a factor of its bands. It is never declared itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import IntArray
from discreet.rows.columns.bands import Bands, Cuts, semicolons
from discreet.rows.columns.factor import Factor
from discreet.rows.columns.quantity import Quantity

SHOWN = 30  # bands that a sentence lists


@dataclass(frozen=True)
class Banded(Factor):
    """The bands of a column under its declaration: a cell is in the band of its tick, and in no other."""

    of: Quantity
    bands: Bands

    def __post_init__(self) -> None:
        """Raise ParameterError for bands that do not fit the declaration."""
        assert self.cuts

    @cached_property
    def cuts(self) -> Cuts:
        """The map from ticks to bands."""
        try:
            return self.of.cuts(self.bands.edges, self.bands.every)
        except ParameterError as error:
            raise ParameterError("Bands of {name!r}: {why}", name=self.bands.column, why=error.args[0]) from None

    @property
    def labels(self) -> tuple[str, ...]:
        """The public names of the bands, in order."""
        return self.cuts.names

    @property
    def complete(self) -> bool:
        """Whether every row has a value, as its cell is read."""
        return self.of.complete

    def codes(self, cells: Any) -> IntArray:
        """Return the band of each cell; -1 for a cell without a value."""
        ticks, there = self.of.ticks(cells)
        return np.where(there, self.cuts.codes(ticks), -1)

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe the bands, and how cells are rounded to the grid before."""
        names = self.labels if len(self.labels) <= SHOWN else (*self.labels[: SHOWN - 2], "…", self.labels[-1])
        number = len(self.labels)
        words = Phrase("{column} in {number} bands: {bands}", column=column, number=number, bands=semicolons(names))
        return *self.of.as_read(column), words


@lru_cache(maxsize=256)
def banded(of: Quantity, bands: Bands) -> Banded:
    """Return the bands of a column, found once: they are asked for at every step of a query."""
    return Banded(of, bands)
