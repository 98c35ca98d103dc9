"""Counts of all categories or bins in one release, and counts whose negative answers become zero."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.base.view import LevelCounts, View
from discreet.mechanisms.base.vocabulary import GLOBAL, Family, Topic
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Law, Product, Whole
from discreet.noise.protocol import NoiseSource
from discreet.queries.bounds import FloatArray
from discreet.queries.column import Bins, HowRead

# --- Counts of all categories or bins: what all mechanisms for them have in common ---

COUNTS = Topic("counts", Phrase("Counts of all categories or bins"), numbers_only=False, zeroless=True)
READINGS = Phrase("How cells are read")


class AllCounts(Mechanism):
    """The common base of both mechanisms for counts: the counts that they take, and what they answer."""

    family: ClassVar[Family] = GLOBAL
    answers: ClassVar[tuple[Topic, ...]] = (COUNTS,)
    single: ClassVar[bool] = False
    after: ClassVar[Phrase] = Phrase(
        "Counts below 0 become 0. Small groups are not suppressed: the noise protects them."
    )

    bins: Bins | HowRead | None

    @property
    def view(self) -> View:
        """The counts."""
        return LevelCounts(self.bins)

    @property
    def subject(self) -> str:
        """What is counted."""
        return READINGS if self.view.every_kind else self.title

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the candidates."""
        return self.view.labels(declared)


# --- NotNegative: the laws of one and of many counts whose negative answers become 0 ---


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
    """Decompose the law: everything negative becomes an atom at 0."""
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
