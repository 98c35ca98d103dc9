"""Postprocessing: what rounding does to the answers of two neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.lab.lessons.composition import PEOPLE
from discreet.lab.lessons.differencing import law
from discreet.mechanisms.anatomy import Anatomy, anatomy
from discreet.mechanisms.divergence import loss
from discreet.mechanisms.exhibit import largest
from discreet.mechanisms.laws import Answer, Law, Whole
from discreet.mechanisms.noise_source import NoiseSource
from discreet.queries.bounds import FloatArray


@dataclass(frozen=True)
class Rounded(Law):
    """A whole answer rounded to the nearest multiple of a unit, halves upwards."""

    inner: Whole
    unit: int

    def to(self, y: Any) -> FloatArray:
        """Return numbers rounded as this law rounds."""
        return np.floor(np.asarray(y, dtype=np.float64) / self.unit + 0.5) * self.unit

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y): all whole numbers below the next half."""
        last = np.floor(np.asarray(y, dtype=np.float64) / self.unit) * self.unit
        return self.inner.cdf(np.ceil(last + self.unit / 2) - 1)

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile."""
        return self.to(self.inner.quantile(p))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        return int(self.to(self.inner.draw(noise)))


@anatomy.register
def rounded(law: Rounded) -> Anatomy:
    """Take apart: whole answers that round to the same number are one."""
    whole = anatomy(law.inner)
    points, where = np.unique(law.to(whole.points), return_inverse=True)
    return Anatomy(points=points, masses=np.bincount(where, whole.masses).astype(float))


@dataclass(frozen=True)
class Afterwards:
    """Rounded answers of two neighbours: chances, and what tells them apart before and after."""

    answers: FloatArray
    with_: FloatArray
    without: FloatArray
    loss_before: float
    loss_after: float
    delta_before: float
    delta_after: float


def afterwards(epsilon: float, unit: int, reach: int = 40) -> Afterwards:
    """Return what rounding does to one count of two neighbours; delta is at half of epsilon."""
    this, other = counted(PEOPLE, epsilon), counted(PEOPLE - 1, epsilon)
    p, q = Rounded(this, unit), Rounded(other, unit)
    around = p.to(np.arange(PEOPLE - reach, PEOPLE + reach + 1))
    answers = np.unique(around[np.abs(around - PEOPLE) <= reach])
    return Afterwards(
        answers,
        _chances(p, answers),
        _chances(q, answers),
        max(loss(this, other), loss(other, this)),
        max(loss(p, q), loss(q, p)),
        largest([(this, other)], epsilon / 2),
        largest([(p, q)], epsilon / 2),
    )


def counted(count: int, epsilon: float) -> Whole:
    """Return the law of one noisy count, in whole numbers."""
    count_law = law(count, epsilon)
    assert isinstance(count_law, Whole)
    return count_law


def _chances(law: Rounded, answers: FloatArray) -> FloatArray:
    parts = anatomy(law)
    places = np.searchsorted(parts.points, answers)
    places = np.minimum(places, parts.points.size - 1)
    return np.where(parts.points[places] == answers, parts.masses[places], 0.0)
