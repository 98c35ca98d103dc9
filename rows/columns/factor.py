"""Factor: a column whose cells name one of a few public levels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from discreet.budget.errors import ParameterError, Phrase, commas
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import DOUBTFUL, READ
from discreet.rows.cells import Mask, missing
from discreet.rows.columns.kind import Kind, Value

LISTED = 20  # levels that a sentence names


@dataclass(frozen=True)
class Factor(Kind):
    """Cells that name a level: they are counted, selected from, and grouped by."""

    askable: ClassVar[bool] = True

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The public names of all levels."""

    @property
    def declared(self) -> tuple[str, ...]:
        """The names of the levels that occur in cells; they come first."""
        return self.labels

    @property
    def places(self) -> Mapping[str, int]:
        """The code of each level by its names."""
        return {label: code for code, label in enumerate(self.labels)}

    @property
    def rest(self) -> bool:
        """Whether cells that name no declared level count as well, as one further level."""
        return len(self.declared) < len(self.labels)

    @property
    def complete(self) -> bool:
        """Whether any cell counts, if only as a further level."""
        return self.rest

    @abstractmethod
    def codes(self, cells: Any) -> IntArray:
        """Return the index of each cell's level; -1 is left out."""

    def placed(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return the code of each cell, and which rows have one."""
        codes = self.codes(cells)
        return codes, codes >= 0

    @property
    def readable(self) -> tuple[int, ...]:
        """As a declared level or, if other levels count, as another one."""
        return (READ, DOUBTFUL) if self.rest else (READ,)

    def readings(self, cells: Any) -> IntArray:
        """Return how each cell is read; a cell that counts as another level is doubtful, unless it is missing."""
        codes = self.codes(cells)
        other = np.where(missing(cells), -1, DOUBTFUL)
        return np.where(codes < 0, -1, np.where(codes < len(self.declared), READ, other))

    @property
    def steps(self) -> int:
        """The number of levels, each of which is counted."""
        return len(self.labels)

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe what happens to cells that name no level."""
        return (Phrase("rows with another value of {column} dropped", column=column),)

    def check(self, column: str, comparison: str, value: Value) -> None:
        """Raise ParameterError for a comparison or value that does not fit the levels."""
        if comparison not in ("=", "!=", "in", "not in"):
            raise ParameterError("Category {column!r} can be compared only with =, !=, in or not in.", column=column)
        levels = _levels(value)
        labels = set(self.labels)
        if len(levels) > len(labels) or not all(isinstance(level, str) and level in labels for level in levels):
            raise ParameterError(
                "Category {column!r} can be compared only with its allowed values: {values}.",
                column=column,
                values=commas([*self.labels[:LISTED], *["…"][: len(self.labels) > LISTED]]),
            )

    def passes(self, cells: Any, comparison: str, value: Value) -> Mask:
        """Return which cells name one of the given levels, or with != and `not in` one of the others."""
        codes = self.codes(cells)
        return np.asarray((codes >= 0) & self.met(codes, comparison, value))

    def met(self, places: IntArray, comparison: str, value: Value) -> Mask:
        """Return which codes are of the given levels, or with != and `not in` of others."""
        code = {label: at for at, label in enumerate(self.labels)}
        inside = np.isin(places, [code[str(level)] for level in _levels(value)])
        return ~inside if comparison in ("!=", "not in") else inside

    def evenly(self, values: Sequence[Value]) -> tuple[IntArray, FloatArray]:
        """Return all levels, each as the same part."""
        return np.arange(len(self.labels)), np.full(len(self.labels), 1 / len(self.labels))


def _levels(value: Value) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
