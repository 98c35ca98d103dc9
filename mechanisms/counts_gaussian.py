"""The counts of all categories or bins, each with Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from scipy import special

from discreet.mechanisms.base.counts import AllCounts
from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.mechanisms.base.vocabulary import (
    GAUSSIAN,
    Forecast,
    Noise,
    Public,
    declared_bins,
    delta_parameter,
    epsilon_parameter,
    own_relation,
)
from discreet.mechanisms.gaussian import NormalNoise
from discreet.mechanisms.laws.law import Gaussian, Law, Noisy, Product
from discreet.queries import Relation
from discreet.queries.column import Bins, HowRead, Scores


@dataclass(frozen=True)
class CountsGaussian(NormalNoise, AllCounts):
    """The count of every declared category or bin, each with Gaussian noise.

    One person's m rows move the counts by at most m in L2, or by sqrt(2) m where rows may move.
    Guarantee: (epsilon, delta)-DP.
    Proof: independent normal noise of one sigma is the same in all directions, so a shift of the
    counts by d in L2 loses what one number shifted by d loses. Sigma is the exact one for the
    largest d (see gaussian); clipping at 0 is post-processing.
    Reference: Balle and Wang 2018 for sigma at an L2 sensitivity.
    Complexity: O(rows) once, then O(candidates).
    Corner cases: as for geometric noise; useful only when many releases are composed.
    """

    slug: ClassVar[str] = "counts-gaussian"
    title: ClassVar[str] = "Counts of all categories, Gaussian noise"
    noise: ClassVar[Noise] = GAUSSIAN
    refines: ClassVar[bool] = True

    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()
    bins: Bins | HowRead | None = declared_bins()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    @property
    def scale(self) -> float:
        """The public sigma of every count."""
        moved = self.relation.rows * (math.sqrt(2) if self.relation.change_one else 1.0)
        return moved * self.sigma * ROUND_UP

    def law(self, data: Scores) -> Law:
        """Return independent laws, one per candidate."""
        low = 0.0
        shape = Gaussian()
        return Product(tuple(Noisy(float(c), self.scale, shape, low) for c in data.counts))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width of each count."""
        width = self.scale * float(special.ndtri((1 + confidence) / 2))
        return Forecast(width, "For each count separately.", exact=True)
