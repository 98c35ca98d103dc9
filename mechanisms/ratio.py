"""Ratio: the law of a mean made of two independent noisy numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mechanisms.anatomy import Anatomy, anatomy
from mechanisms.chances import gauss_legendre
from mechanisms.laws import Answer, Law, Noisy
from mechanisms.source import NoiseSource
from queries.bounds import FloatArray

PANELS = np.concatenate((-np.logspace(1.62, -2, 40), [0.0], np.logspace(-2, 1.62, 40)))
SHARE_GRID = 400
BISECTIONS = 60


@dataclass(frozen=True)
class Ratio(Law):
    """low + width * share, the share clipped into [0, 1].

    `together`: a and b are two soft counts and the share is a/(a+b), 1/2 where a+b <= 0.
    Otherwise a is a sum over the width, b a count, and the share is shift + a/b, 1/2 where b <= 0.
    Given b the share rises with a, so the cdf is one integral over b.
    """

    first: Noisy
    second: Noisy
    together: bool
    low: float
    width: float
    shift: float = 0.0

    @property
    def draws(self) -> int:
        """One uniform for each noisy number."""
        return 2

    def _share(self, a: Any, b: Any) -> FloatArray:
        a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        below = a + b if self.together else b
        safe = np.where(below > 0, below, 1.0)
        share = a / safe if self.together else self.shift + a / safe
        return np.asarray(np.where(below > 0, np.clip(share, 0.0, 1.0), 0.5))

    @cached_property
    def _rule(self) -> tuple[FloatArray, FloatArray]:
        """Nodes of b and weights that hold its density."""
        nodes, weights = gauss_legendre(16)
        half = np.diff(PANELS)[:, None] / 2
        z = (PANELS[:-1, None] + half + half * nodes).ravel()
        density = np.exp(self.second.shape.log_density(z))
        return self.second.centre + self.second.scale * z, (half * weights).ravel() * density

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        t = (np.asarray(y, dtype=np.float64) - self.low) / self.width
        b, weights = self._rule
        flat = np.atleast_1d(t).ravel()[:, None]
        inner = np.clip(flat, 0.0, 1 - 1e-15)
        if self.together:
            nothing = self.first.cdf(-b)
            reach = self.first.cdf(np.maximum(inner * b / (1 - inner), -b)) - nothing
            chance = np.where(b > 0, reach, 0.0) + np.where(flat >= 0.5, nothing, 0.0)
        else:
            chance = np.where(b > 0, self.first.cdf((inner - self.shift) * b), (flat >= 0.5) * 1.0)
        found = np.where(flat[:, 0] < 0, 0.0, np.where(flat[:, 0] >= 1, 1.0, chance @ weights))
        return np.asarray(np.clip(found, 0.0, 1.0).reshape(np.shape(t)))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile by bisection on the cdf."""
        p = np.asarray(p, dtype=np.float64)
        low, high = np.zeros(p.shape), np.ones(p.shape)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            enough = self.cdf(self.low + self.width * middle) >= p
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.asarray(self.low + self.width * high)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return answers made of both noisy numbers."""
        share = self._share(self.first.quantile(uniforms[0]), self.second.quantile(uniforms[1]))
        return np.asarray(self.low + self.width * share)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw both numbers; the rest is post-processing."""
        a, b = self.first.draw(noise), self.second.draw(noise)
        return float(self.low + self.width * self._share(a, b))

    def log_density(self, y: Any) -> FloatArray:
        """Return the log-density inside the range, by the same integral over b."""
        t = ((np.asarray(y, dtype=np.float64) - self.low) / self.width).ravel()[:, None]
        b, weights = self._rule
        inner = np.clip(t, 1e-12, 1 - 1e-12)
        a = inner * b / (1 - inner) if self.together else (inner - self.shift) * b
        slope = b / (1 - inner) ** 2 if self.together else b
        z = (a - self.first.centre) / self.first.scale
        density = np.exp(self.first.shape.log_density(z)) / self.first.scale
        positive = (np.maximum(slope, 0.0) * density) @ weights / self.width
        with np.errstate(divide="ignore"):
            found = np.where((t[:, 0] > 0) & (t[:, 0] < 1), np.log(positive), -np.inf)
        return np.asarray(found.reshape(np.shape(y)))


@anatomy.register
def ratio(law: Ratio) -> Anatomy:
    """Take apart: atoms on both bounds and in the middle, a density between."""
    inner = np.array([0.0, 0.5, 1.0])
    points = law.low + law.width * inner
    before = law.cdf(points - 1e-9 * law.width)
    at = law.cdf(points)
    masses = np.array([at[0], at[1] - before[1], 1.0 - before[2]])
    edges = law.low + law.width * np.linspace(0.0, 1.0, SHARE_GRID + 1)

    def mass(low: FloatArray, high: FloatArray) -> FloatArray:
        inside = law.cdf(high - 1e-12 * law.width) - law.cdf(low)
        return np.asarray(np.maximum(inside, 0.0))

    return Anatomy(0.0, points, masses, edges, law.log_density, mass)
