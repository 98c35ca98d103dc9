"""Which categories or bins are above a threshold, from one noisy count of each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism
from discreet.mechanisms.base.view import Levels, View
from discreet.mechanisms.base.vocabulary import (
    AS_DRAWN,
    GEOMETRIC,
    SPARSE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    declared_bins,
    epsilon_parameter,
    own_relation,
)
from discreet.mechanisms.laplace import whole_width
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Law, Product, Whole
from discreet.mechanisms.sparse import ABOVE, misjudged, threshold_parameter
from discreet.noise.protocol import NoiseSource
from discreet.queries import Relation
from discreet.queries.bounds import FloatArray
from discreet.queries.column import Bins, Scores


@dataclass(frozen=True)
class Reached(Law):
    """Whether a noisy count reaches a threshold: 1 or 0, and nothing else about it."""

    inner: Whole
    bar: int

    @property
    def chances(self) -> FloatArray:
        """The probabilities of 0 and of 1, each from its own tail, so that neither loses digits to cancellation."""
        mirrored = Whole(-self.inner.centre, self.inner.scale)
        return np.array([self.inner.cdf(self.bar - 1), mirrored.cdf(-self.bar)], dtype=np.float64)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        y = np.asarray(y, dtype=np.float64)
        return np.asarray(np.where(y < 0, 0.0, np.where(y < 1, self.chances[0], 1.0)))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile."""
        return np.asarray(np.asarray(p) > self.chances[0], dtype=np.float64)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw whether the threshold is reached."""
        return int(noise.geometric(self.inner.centre, self.inner.scale) >= self.bar)


@anatomy.register
def reached(law: Reached) -> Anatomy:
    """Decompose the law: two atoms."""
    return Anatomy(points=np.array([0.0, 1.0]), masses=law.chances)


@dataclass(frozen=True)
class Named(Product):
    """The names of all that reach the threshold; the noisy counts are drawn in one call and not shown."""

    parts: tuple[Reached, ...] = field(repr=False)
    names: tuple[str, ...]
    scale: float

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every count, and return the names of those that are high enough."""
        drawn = noise.geometrics([part.inner.centre for part in self.parts], self.scale)
        each = zip(self.parts, self.names, drawn, strict=True)
        return tuple(name for part, name, count in each if count >= part.bar)


@dataclass(frozen=True)
class CountsAbove(Mechanism):
    """Name all declared categories or bins whose count, with geometric noise, reaches a threshold.

    Every row is in one of them, so all counts together get noise for one epsilon, however many are named; a sparse
    vector, which is for counts that one row may move all together, pays for each name.

    Guarantee: epsilon-DP, no delta.
    Proof: the list follows from the noisy counts of counts-geometric and the public threshold alone,
    and those are epsilon-DP together: m rows of a person move the counts by m in L1, or by 2 m where
    rows may move from one to another, and the scale is that over epsilon.
    Reference: Dwork and Roth 2014, example 3.2; geometric noise as for one count.
    Complexity: O(rows) once, then O(candidates).
    Corner cases: no rows are counts of 0; nothing that is high enough is an empty list, which costs
    the same; of many empty categories some reach a low threshold by chance.
    """

    slug: ClassVar[str] = "counts-above"
    title: ClassVar[str] = "All counts above a threshold"
    family: ClassVar[Family] = SPARSE
    answers: ClassVar[tuple[Topic, ...]] = (ABOVE,)
    single: ClassVar[bool] = False
    noise: ClassVar[Noise] = GEOMETRIC
    after: ClassVar[Phrase] = AS_DRAWN

    epsilon: float = epsilon_parameter()
    threshold: float = threshold_parameter()
    bins: Bins | None = declared_bins()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    @property
    def view(self) -> View:
        """The counts of the candidates."""
        return Levels(self.bins)

    @property
    def scale(self) -> float:
        """The public noise scale of every count."""
        moved = self.relation.rows * (2 if self.relation.change_one else 1)
        return moved / self.epsilon * ROUND_UP

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Scores) -> Law:
        """Return independent laws of yes and no, one per candidate."""
        bar = math.ceil(self.threshold)
        hits = tuple(Reached(Whole(int(count), self.scale), bar) for count in data.counts)
        return Named(hits, tuple(data.labels), self.scale)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but how far from the threshold a wrong answer may be, for any data."""
        number = len(self.bins.edges) - 1 if self.bins is not None else public.labels or 1
        return misjudged(whole_width(self.scale, confidence, number), confidence)
