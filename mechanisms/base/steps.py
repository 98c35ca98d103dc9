"""Steps: the public ways to join neighbouring bands, and how many rows each of them needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from discreet.queries.bounds import FloatArray

WORTH = 5.0  # half widths that an expected count must have: 4, and room for bands that are not equally full

Span = tuple[int, int]  # from a band to before another one


@dataclass(frozen=True)
class Steps:
    """All bands, then neighbours joined two by two, and so on until one is left; the last of an odd number stays."""

    bands: int

    @cached_property
    def each(self) -> tuple[tuple[Span, ...], ...]:
        """The bands of each step, from the finest to the widest."""
        cuts = [tuple(range(self.bands + 1))]
        while len(cuts[-1]) > 2:
            cuts.append((*cuts[-1][:-1:2], self.bands))
        return tuple(tuple(pairwise(each)) for each in cuts)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Every band of every step once, from the widest: the numbers of an answer."""
        return tuple(dict.fromkeys(span for step in reversed(self.each) for span in step))

    @cached_property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """Of each step, of how many of its bands each number of an answer is the sum; 0 for what is narrower."""
        steps = [{cut for span in step for cut in span} for step in self.each]
        return tuple(
            tuple(sum(low <= cut < high for cut in cuts) if {low, high} <= cuts else 0 for low, high in self.spans)
            for cuts in steps
        )

    def thresholds(self, half: float) -> tuple[float, ...]:
        """Return from how many rows on each step is chosen, given the half width of a count; always for the widest."""
        return (*(WORTH * half * len(step) for step in self.each[:-1]), -math.inf)

    def chosen(self, rows: FloatArray, half: float) -> Any:
        """Return the number of the finest step for which there are enough rows."""
        return np.argmax(np.asarray(rows)[..., None] >= np.array(self.thresholds(half)), axis=-1)


@lru_cache(maxsize=64)
def steps_of(bands: int) -> Steps:
    """Return the steps, computed once."""
    return Steps(bands)
