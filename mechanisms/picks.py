"""Picked: a law over finitely many answers whose probabilities are computed only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from discreet.mechanisms.laws import Answer, Law
from discreet.mechanisms.noise_source import NoiseSource
from discreet.queries.bounds import FloatArray


@dataclass(frozen=True, eq=False)
class Picked(Law):
    """One of a list of candidates, each standing for a number of an ascending list of points.

    A draw asks `pick` for an index and needs no probabilities; a figure or an audit has them all
    from `chances`, computed once.
    """

    candidates: Sequence[Any]
    points: FloatArray = field(repr=False)
    chances: Callable[[], FloatArray] = field(repr=False)
    pick: Callable[[NoiseSource], int] = field(repr=False)

    @cached_property
    def probabilities(self) -> FloatArray:
        """The exact probability of each candidate."""
        return self.chances()

    @cached_property
    def ends(self) -> FloatArray:
        """The probability of each candidate and all before it."""
        return np.cumsum(self.probabilities)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(number of the answer <= y)."""
        below = np.concatenate(([0.0], self.ends))
        return np.asarray(below[np.searchsorted(self.points, np.asarray(y), side="right")])

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest number with at least p of the probability at or below it."""
        place = np.searchsorted(self.ends, np.asarray(p) * self.ends[-1])
        return np.asarray(self.points[np.minimum(place, self.points.size - 1)], dtype=np.float64)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw a candidate."""
        answer: Answer = self.candidates[self.pick(noise)]
        return answer
