"""Readings: how each cell of a column is read, as a factor of any declared column. It is never declared itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.queries.bounds import IntArray
from discreet.queries.column import MISSING, UNREAD, HowRead
from discreet.rows.cells import flat, missing
from discreet.rows.columns.factor import Factor
from discreet.rows.columns.kind import Kind


@dataclass(frozen=True)
class Readings(Factor):
    """How a cell is read as its declared column, by its own text alone."""

    of: Kind

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of all ways to be read."""
        return HowRead().labels

    def codes(self, cells: Any) -> IntArray:
        """Return the way in which each cell is read; a cell that is read is not missing, whatever it looks like."""
        cells = flat(cells)
        codes = self.of.readings(cells)
        left = np.flatnonzero(codes < 0)
        codes[left] = np.where(missing(cells.take(pa.array(left))), MISSING, UNREAD)
        return codes
