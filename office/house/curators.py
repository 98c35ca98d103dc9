"""Curators: who answers for rows that are open, by each declaration that they are asked under."""

from __future__ import annotations

from collections.abc import Callable

from discreet.curator.release import Curator
from discreet.rows.dataset import Dataset
from discreet.rows.schema import Schema


class Answerers:
    """The rows of a dataset, opened once: whatever was asked before more was declared is answered as it was asked."""

    def __init__(self, rows: Dataset, answering: Callable[[Dataset], Curator]) -> None:
        """Take rows under their newest declaration, and who shall answer for them."""
        self._rows = rows
        self._answering = answering
        self._each = {rows.schema.digest: answering(rows)}

    def of(self, schema: Schema) -> Curator:
        """Return who answers under one of their declarations."""
        if schema.digest not in self._each:
            self._each.setdefault(schema.digest, self._answering(self._rows.under(schema)))
        return self._each[schema.digest]
