"""Flag: a column that says yes or no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.budget.errors import Phrase
from discreet.queries.bounds import IntArray
from discreet.rows.cells import text
from discreet.rows.columns.factor import Factor

YES, NO = ("yes", "true", "1", "y"), ("no", "false", "0", "n")


@dataclass(frozen=True)
class Flag(Factor):
    """Yes or no, in any of the usual spellings; a row that says neither is left out, or counts as no."""

    name: ClassVar[str] = "flag"

    silent: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """No comes first."""
        return "no", "yes"

    def codes(self, cells: Any) -> IntArray:
        """Return 0 for no and 1 for yes."""
        places = pc.index_in(pc.utf8_lower(text(cells)), value_set=pa.array([*NO, *YES], pa.large_string()))
        code = np.asarray(places.fill_null(-1)).astype(np.int64)
        return np.where(code < 0, 0 if self.silent else -1, code // len(NO))

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Say what becomes of other words."""
        if self.silent:
            return (Phrase("rows in which {column} is neither yes nor no count as no", column=column),)
        return (Phrase("rows in which {column} is neither yes nor no dropped", column=column),)
