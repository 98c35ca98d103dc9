"""Ladders: what has been computed of the ladders of one column, each rung once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from discreet.queries.bounds import FloatArray

MOST = 8  # statistics of a column
MOST_BOUNDS = 512  # of a statistic


@dataclass
class Climbed:
    """One statistic: its rungs (no number where nobody has asked yet), and the smooth bounds by beta."""

    rungs: FloatArray = field(default_factory=lambda: np.zeros(0))
    bounds: dict[float, float] = field(default_factory=dict)


@dataclass
class Ladders:
    """The ladders of a column, for a few statistics: who asks for many gets them computed again."""

    climbed: dict[Hashable, Climbed] = field(default_factory=dict)

    def of(self, query: Hashable) -> Climbed:
        """Return the ladder of a statistic, with what is known of it."""
        if query not in self.climbed and len(self.climbed) >= MOST:
            self.climbed.clear()
        ladder = self.climbed.setdefault(query, Climbed())
        if len(ladder.bounds) >= MOST_BOUNDS:
            ladder.bounds.clear()
        return ladder
