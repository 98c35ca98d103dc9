"""NotNegative: the law of a count whose negative answers become 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mechanisms.anatomy import Anatomy, anatomy
from mechanisms.laws import Answer, Law, Whole
from mechanisms.source import NoiseSource
from queries.bounds import FloatArray


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
    told = anatomy(law.inner)
    points, where = np.unique(np.maximum(told.points, 0.0), return_inverse=True)
    return Anatomy(points=points, masses=np.bincount(where, told.masses).astype(float))
