"""NotNegative: the laws of one and of many counts whose negative answers become 0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.mechanisms.anatomy import Anatomy, anatomy
from discreet.mechanisms.composed import Product
from discreet.mechanisms.laws import Answer, Law, Whole
from discreet.mechanisms.noise_source import NoiseSource
from discreet.queries.bounds import FloatArray


@dataclass(frozen=True)
class NotNegative(Law):
    """A law whose negative answers become 0: post-processing of a count."""

    inner: Whole

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        return np.asarray(np.where(np.asarray(y) < 0, 0.0, self.inner.cdf(y)))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile."""
        return np.maximum(self.inner.quantile(p), 0.0)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        drawn = self.inner.draw(noise)
        assert isinstance(drawn, int)
        return max(drawn, 0)


@anatomy.register
def not_negative(law: NotNegative) -> Anatomy:
    """Take apart: all that was negative lies on 0."""
    whole = anatomy(law.inner)
    points, where = np.unique(np.maximum(whole.points, 0.0), return_inverse=True)
    return Anatomy(points=points, masses=np.bincount(where, whole.masses).astype(float))


@dataclass(frozen=True)
class NoisyCounts(Product):
    """Independent geometric noise of one scale on every count; drawn in one call of the sampler."""

    parts: tuple[NotNegative, ...] = field(repr=False)
    scale: float

    @classmethod
    def around(cls, counts: Iterable[int], scale: float) -> NoisyCounts:
        """Return the law of the counts."""
        return cls(tuple(NotNegative(Whole(int(c), scale)) for c in counts), scale)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every count."""
        drawn = noise.geometrics([part.inner.centre for part in self.parts], self.scale)
        return tuple(max(count, 0) for count in drawn)
