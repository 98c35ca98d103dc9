"""Runs: a law over the points of a grid, in stretches that weigh the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.mechanisms.laws import Answer, Law
from discreet.mechanisms.noise_source import NoiseSource
from discreet.queries.bounds import FloatArray, IntArray


def runs_of(log_weights: FloatArray) -> FloatArray:
    """Turn log-weights into probabilities without overflow."""
    weights = np.exp(log_weights - log_weights.max())
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Runs(Law):
    """A choice among grid points in runs: uniform inside a run, weight widths exp(-rate distance).

    `starts` are the first points, `widths` how many points follow; point t is offset + unit t.
    """

    starts: IntArray = field(repr=False)
    widths: IntArray = field(repr=False)
    distances: IntArray = field(repr=False)
    rate: float
    unit: float = 1.0
    offset: float = 0.0

    @property
    def probabilities(self) -> FloatArray:
        """The exact probability of each run."""
        return runs_of(np.log(self.widths) - self.rate * self.distances)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        t = np.floor((np.asarray(y, dtype=np.float64) - self.offset) / self.unit + 1e-9)
        p = self.probabilities
        below = np.concatenate(([0.0], np.cumsum(p)))
        run = np.searchsorted(self.starts, t, side="right") - 1
        inside = np.clip((t - self.starts[run] + 1) / self.widths[run], 0, 1)
        return np.asarray(np.where(run < 0, 0.0, below[run] + p[run] * inside))

    def ticks(self, p: Any) -> IntArray:
        """Return the number of the smallest point with at least p of the probability at or below it."""
        weights = self.probabilities
        ends = np.cumsum(weights)
        p = np.asarray(p, dtype=np.float64) * ends[-1]
        run = np.minimum(np.searchsorted(ends, p), ends.size - 1)
        share = (p - (ends[run] - weights[run])) / np.maximum(weights[run], 1e-300)
        step = np.clip(np.ceil(share * self.widths[run]) - 1, 0, self.widths[run] - 1)
        return np.asarray(self.starts[run] + step, dtype=np.int64)

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest point with at least p of the probability at or below it."""
        return np.asarray(self.offset + self.unit * self.ticks(p))

    def pick(self, noise: NoiseSource) -> int:
        """Draw a run exactly, then the number of a point in it."""
        run = noise.exponential(self.distances.tolist(), self.widths.tolist(), self.rate)
        return int(self.starts[run]) + noise.below(int(self.widths[run]))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw a point."""
        return float(self.offset + self.unit * self.pick(noise))
