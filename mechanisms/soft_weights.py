"""Weighted count, sum, mean, share, variance and standard deviation from one draw of weighted soft counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.view import Weighted
from discreet.mechanisms.base.vocabulary import Forecast, Public, Topic, epsilon_parameter, own_relation, setting
from discreet.mechanisms.laws.moments import Linear, Middle, Scale, Spread
from discreet.mechanisms.soft_pairs import SPLITS, PairDraw, SharedDraw, topic_of
from discreet.queries import Bounds, Relation
from discreet.queries.column import Pairs
from discreet.queries.estimators import USUAL_WEIGHT
from discreet.queries.estimators import registry as estimators

Weighed = Linear | Middle | Spread
MEASURES: dict[str, Weighed] = {
    "weighted-count": Linear(False),
    "weighted-sum": Linear(True),
    "weighted-mean": Middle(),
    "weighted-share": Middle(),
    "weighted-variance": Spread(False),
    "weighted-standard-deviation": Spread(True),
}
JOINT = [name for name in MEASURES if not estimators[name].answers]
SMALLEST, LARGEST = Fraction(10) ** -290, Fraction(10) ** 290  # of a product: its noise is a number and not 0


def weights(data: Pairs) -> tuple[Pairs, Fraction, Fraction]:
    """Return the rows with a weight above 0, and the weight of tick 0 and of one tick more, in parts of the cap.

    The cap is the weight of the largest tick: no row weighs more than 1 part.
    """
    bounds = data.second
    cap = bounds.exact(bounds.top)
    if cap <= 0:
        raise ParameterError("A weight needs an upper bound above 0.")
    first, step = bounds.exact(0) / cap, Fraction(bounds.resolution) / cap
    kept = data.right >= (0 if first >= 0 else -(first // step))
    return replace(data, left=data.left[kept], right=data.right[kept], counts=data.counts[kept]), first, step


class Weighing(PairDraw):
    """The common base of weighted statistics: pieces of each row that add up to its part of the cap, with noise."""

    measures: ClassVar[Mapping[str, Any]] = MEASURES

    def __post_init__(self) -> None:
        """Raise ParameterError for a statistic that is not computed from these pieces, and for a public size."""
        super().__post_init__()
        if not self.can_answer(self.estimator):
            names = ", ".join(topic.name for topic in self.topics())
            raise ParameterError(
                "The estimator must be one of {names}. Got {name!r}.", names=names, name=self.estimator
            )
        if self.relation.change_one:
            raise ParameterError("Weights need a private number of rows.")

    @property
    def view(self) -> Weighted:
        """The column of values and the column of weights."""
        return Weighted(self.estimator)

    @property
    def measure(self) -> Weighed:
        """What is computed from the pieces."""
        return MEASURES[self.estimator]

    @property
    def pieces(self) -> int:
        """The number of pieces of a row."""
        return self.measure.pieces

    def check(self, public: Public) -> None:
        """Raise ParameterError for a cap that is not above 0, and for columns of which the statistic is no number."""
        if public.second is None:
            return
        cap = public.second.exact(public.second.top)
        if cap <= 0:
            raise ParameterError("A weight needs an upper bound above 0.")
        if public.bounds is None:
            return
        first, last = public.bounds.exact(0), public.bounds.exact(public.bounds.top)
        reach = max(abs(first), abs(last), last - first) * max(cap, last - first)
        if not SMALLEST < (last - first) * min(cap, last - first) <= reach < LARGEST:
            raise ParameterError("The ranges of these columns differ too much. Use another unit for one of them.")

    def scale(self, first: Bounds, second: Bounds) -> Scale:
        """Return the public values of the draw: what is counted is one cap each."""
        cap = float(second.value(second.top))
        return Scale(self.noise_scale, self.pieces, float(first.value(0)), first.width, cap)

    def sums(self, data: Pairs) -> tuple[Fraction, ...]:
        """Return the exact sums of the pieces, in caps."""
        data, first, step = weights(data)
        top = data.first.top
        powers = [(first * data.moment(up, 0) + step * data.moment(up, 1)) / top**up for up in range(self.pieces)]
        return tuple(
            sum((factor * power for factor, power in zip(piece, powers, strict=True)), Fraction(0))
            for piece in SPLITS[self.pieces]
        )

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width of a count or a sum, and the widest one of a mean for a guess of the weights."""
        if public.bounds is None or public.second is None:
            return Forecast(None, "The bounds are not declared yet.")
        scale = self.scale(public.bounds, public.second)
        if self.measure.sure:
            return Forecast(self.measure.half(scale, None, 1 - confidence), "The noise scale is public.", exact=True)
        if not public.size_guess:
            return Forecast(None, "Enter the approximate number of rows to get a forecast.")
        half = self.measure.half(scale, public.size_guess * USUAL_WEIGHT, 1 - confidence)
        if half is None:
            return Forecast(None, "The margin of error depends on the values.")
        return Forecast(
            half,
            Phrase(
                "This assumes that weights are a quarter of the largest on average. Assumed number of rows: {rows:,}.",
                rows=public.size_guess,
            ),
        )


@dataclass(frozen=True)
class SoftWeights(Weighing):
    """Count, sum, mean, variance or standard deviation of x, or share of yes, in which each row counts with its weight.

    The weight w is a column with a public upper bound, its cap W. With t = (x-l)/R each row is split into w/W times
    1-t and t, or w/W times (1-t)^2, 2t(1-t) and t^2 for a variance. The sums of these get Laplace(1/epsilon) each.
    Guarantee: epsilon-DP, no delta: a row moves the sums in L1 by w/W, at most by 1.
    Proof: the pieces of a t from 0 to 1 are at least 0 and add up to 1, so those of a row add up to w/W. It is from 0
    to 1, because a weight above W counts as W and a row without a weight above 0 is left out. The m rows of a person
    move the sums by m in L1 at most, and Laplace noise of scale m/epsilon on each loses at most epsilon on that. The
    statistic and its interval are post-processing.
    Reference: K-norm mechanisms for sufficient statistics, Awan and Slavkovic 2018; docs/guarantees.md.
    Complexity: O(distinct pairs of ticks).
    Corner cases: only rows with a value in both columns count; without any weight, the answer is the middle of the
    bounds as a mean, and 0 as anything else; a public size is refused.
    """

    slug: ClassVar[str] = "soft-weights"
    title: ClassVar[str] = "Weighted soft counts"
    why: ClassVar[Phrase | None] = Phrase("each row counts with its weight, with an interval")
    answers: ClassVar[tuple[Topic, ...]] = tuple(map(topic_of, MEASURES))

    estimator: str = setting(Phrase("Statistic"), "weighted-mean")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it


class WeightedDraw(SharedDraw, Weighing):
    """The common base of draws that rows of a plan share for several weighted statistics."""


@dataclass(frozen=True)
class JointWeightedCounts(WeightedDraw):
    """Weighted count, sum and mean from two weighted soft counts: as soft-weights has them.

    Guarantee: epsilon-DP, no delta: a row moves the sums in L1 by w/W, at most by 1.
    Proof: as that of soft-weights: one draw of both sums is charged, and all statistics are post-processing of it.
    Reference: K-norm mechanisms for sufficient statistics, Awan and Slavkovic 2018; docs/guarantees.md.
    Complexity: O(distinct pairs of ticks).
    Corner cases: as those of soft-weights.
    """

    slug: ClassVar[str] = "soft-weighted-counts"
    title: ClassVar[str] = "Two weighted soft counts, one draw"
    answers: ClassVar[tuple[Topic, ...]] = tuple(map(topic_of, JOINT[:3]))

    estimator: str = setting(Phrase("Statistic"), "weighted-mean")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it


@dataclass(frozen=True)
class JointWeightedMoments(WeightedDraw):
    """Weighted count, sum, mean, variance and standard deviation from three weighted soft moments.

    The sums of w/W times (1-t)^2, 2t(1-t) and t^2, as soft-weights has them, get Laplace(1/epsilon) each.
    Guarantee: epsilon-DP, no delta: a row moves the sums in L1 by w/W, at most by 1.
    Proof: as that of soft-weights: one draw of all sums is charged, and all statistics are post-processing of it.
    Reference: K-norm mechanisms for sufficient statistics, Awan and Slavkovic 2018; docs/guarantees.md.
    Complexity: O(distinct pairs of ticks).
    Corner cases: as those of soft-weights.
    """

    slug: ClassVar[str] = "soft-weighted-moments"
    title: ClassVar[str] = "Three weighted soft moments, one draw"
    answers: ClassVar[tuple[Topic, ...]] = tuple(map(topic_of, JOINT))

    estimator: str = setting(Phrase("Statistic"), "weighted-mean")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it
