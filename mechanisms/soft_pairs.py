"""Slope, prediction, covariance and correlation of two columns from one draw of soft counts of pairs."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism
from discreet.mechanisms.base.view import TwoColumns
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    GLOBAL,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
    setting,
)
from discreet.mechanisms.laws.law import Laplace, Law, Measured, Noisy
from discreet.mechanisms.laws.moments import Computed, Moments, Scaled, form_width, measured
from discreet.mechanisms.laws.pair_moments import MEASURES, PairMeasure, PairScale
from discreet.queries import Bounds, Relation
from discreet.queries.column import Pairs
from discreet.queries.estimators import registry as estimators

Weights = tuple[tuple[int, ...], ...]
SPLITS: dict[int, Weights] = {2: ((1, -1), (0, 1)), 3: ((1, -2, 1), (0, 2, -2), (0, 0, 1))}  # of powers of t from 0 up
SPREAD = Fraction(1, 7)  # of the range: the standard deviation that a forecast assumes, that of a bell


def topic_of(name: str) -> Topic:
    """Return the topic of a statistic of two columns."""
    return Topic(name, estimators[name].label, estimators[name].columns)


class PairDraw(Mechanism):
    """The common base of statistics of two columns from one draw: sums of pieces of each row, with Laplace noise."""

    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = CLIPPED
    spanned: ClassVar[bool] = True
    measures: ClassVar[Mapping[str, Any]]  # what is computed from the pieces, by the name of a statistic

    estimator: str
    epsilon: float

    @property
    def subject(self) -> str:
        """The statistic."""
        return estimators[self.estimator].words

    @property
    def noise_scale(self) -> float:
        """The scale of the noise of each sum, which the rows of a person move by 1 each in L1."""
        return self.relation.rows / self.epsilon * ROUND_UP

    @property
    def additive(self) -> bool:
        """True: each row moves the pieces by as much as it does alone."""
        return True

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    @property
    @abstractmethod
    def measure(self) -> Computed:
        """What is computed from the pieces."""

    @abstractmethod
    def scale(self, first: Bounds, second: Bounds) -> Scaled:
        """Return the public values of the draw."""

    @abstractmethod
    def sums(self, data: Pairs) -> tuple[Fraction, ...]:
        """Return the exact sums of the pieces."""

    def law(self, data: Pairs) -> Law:
        """Return the law of the statistic, computed from the noisy pieces."""
        parts = tuple(Noisy(each, self.noise_scale, Laplace()) for each in self.sums(data))
        return Moments(parts, self.measure, self.scale(data.first, data.second))

    def usual_width(self, data: Pairs) -> float:
        """Return the half width where no piece has noise."""
        drawn = measured(tuple(map(float, self.sums(data))), self.measure, self.scale(data.first, data.second))
        low, high = drawn.interval
        return (high - low) / 2


class SharedDraw(PairDraw):
    """The common base of draws that rows of a plan share: charged and drawn once, for several statistics."""

    why: ClassVar[Phrase | None] = Phrase("several statistics of the same rows are computed from one draw")
    compared: ClassVar[bool] = False
    joint: ClassVar[bool] = True

    @property
    def shared(self) -> Mechanism:
        """The draw itself, whichever statistic is computed from it."""
        draw: Any = self
        return replace(draw, estimator=type(self).estimator)  # type: ignore[no-any-return]

    @property
    def pieces(self) -> int:
        """The number of pieces, whichever statistic is computed from them."""
        most: int = max(self.measures[topic.name].pieces for topic in self.topics())
        return most

    def measured(self, numbers: Any, public: Public) -> Measured:
        """Return the statistic that noisy pieces give, with its interval and the number of rows."""
        assert public.bounds is not None and public.second is not None
        return measured(numbers, self.measure, self.scale(public.bounds, public.second))


class Pairing(PairDraw):
    """The common base of slope, prediction, covariance and correlation: products of pieces of x and pieces of y."""

    sized: ClassVar[bool] = True
    measures: ClassVar[Mapping[str, Any]] = MEASURES

    def __post_init__(self) -> None:
        """Raise ParameterError for a statistic that is not computed from these pieces, and for a public size."""
        super().__post_init__()
        estimators[self.estimator]  # raises for a value that is no number
        if not self.can_answer(self._base):
            names = ", ".join(topic.name for topic in self.topics())
            raise ParameterError(
                "The estimator must be one of {names}. Got {name!r}.", names=names, name=self.estimator
            )
        if self.relation.change_one:
            raise ParameterError("This method needs a private number of rows. With a public number, use blocks.")

    @property
    def _base(self) -> str:
        """The name of the statistic without the value of x at which a prediction is made."""
        return self.estimator.partition(":")[0]

    @property
    def view(self) -> TwoColumns:
        """Both columns."""
        return TwoColumns(self.estimator)

    @property
    def measure(self) -> PairMeasure:
        """What is computed from the pieces."""
        return MEASURES[self._base]

    @property
    def pieces(self) -> int:
        """The number of pieces of y."""
        return self.measure.pieces

    def check(self, public: Public) -> None:
        """Raise ParameterError for columns whose units differ so much that a slope is no finite number."""
        if public.bounds is None or public.second is None:
            return
        scale = self.scale(public.bounds, public.second)
        if not (scale.ratio > 0 and max(scale.steepest, scale.product, scale.farthest[1]) < math.inf):
            raise ParameterError("The ranges of these columns differ too much. Use another unit for one of them.")
        if not 0 <= scale.at <= 1:
            raise ParameterError(
                "A prediction is made at a value between {low:.15g} and {high:.15g}. Got {given:.15g}.",
                low=float(public.bounds.value(0)),
                high=float(public.bounds.value(public.bounds.top)),
                given=self.view.at,
            )

    def scale(self, first: Bounds, second: Bounds) -> PairScale:
        """Return the public values of the draw."""
        steepest = second.width / float(first.resolution)
        given = self.view.at
        at = 0.0 if given is None else (given - float(first.value(0))) / first.width
        ends = float(second.value(0)), second.width
        return PairScale(self.noise_scale, self.pieces, second.width / first.width, steepest, at, *ends)

    def sums(self, data: Pairs) -> tuple[Fraction, ...]:
        """Return the exact sums of the pieces."""
        first, second = SPLITS[3], SPLITS[self.pieces]
        moments = {
            (up, to): Fraction(data.moment(up, to), data.first.top**up * data.second.top**to)
            for up, to in product(range(len(first)), range(len(second)))
        }
        return tuple(
            sum((one[up] * two[to] * moment for (up, to), moment in moments.items()), Fraction(0))
            for one, two in product(first, second)
        )

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the half width for a guess of n, where both columns spread as a bell does and are not related."""
        if public.bounds is None or public.second is None:
            return Forecast(None, "The bounds are not declared yet.")
        if not public.size_guess:
            return Forecast(None, "Enter the approximate number of rows to get a forecast.")
        scale = self.scale(public.bounds, public.second)
        spread = float(SPREAD) ** 2
        line, lift = (1.0, (scale.at - 0.5) / spread) if self._base == "prediction" else (0.0, 1.0)
        weights = tuple((line + lift * (p - 0.5)) * (q - 0.5) for p, q in zip(*scale.places, strict=True))
        half = scale.noise * form_width(weights, 1 - confidence) / public.size_guess
        ends = {
            "slope": (scale.ratio / spread, scale.steepest),
            "prediction": (scale.width, scale.farthest[1] - scale.low),
            "covariance": (scale.product, scale.product / 4),
            "correlation": (1 / spread, 1.0),
        }
        unit, most = ends[self._base]
        half *= unit
        return Forecast(
            min(half, most),
            Phrase(
                "This assumes that the values spread by a seventh of the bounds. Assumed number of rows: {rows:,}.",
                rows=public.size_guess,
            ),
        )

    def rows_at_least(self, size: float | None, miss: float) -> float | None:
        """Return a lower bound of the number of rows from its noisy value, except with probability `miss`."""
        if size is None:
            return None
        pieces = len(SPLITS[3]) * self.pieces
        return size - self.noise_scale * form_width((1.0,) * pieces, min(1.0, 2 * miss))

    def rows_about(self, answer: object) -> float | None:
        """Return the sum of all pieces."""
        return answer.size if isinstance(answer, Measured) else None


@dataclass(frozen=True)
class SoftPairs(Pairing):
    """Slope of y on x, prediction at a value of x, covariance or correlation of both, from soft counts of pairs.

    With t = (x-l)/R and s likewise of y, each row is split into (1-t)^2, 2t(1-t) and t^2, times 1-s and s, or times
    (1-s)^2, 2s(1-s) and s^2 for a correlation. The sums of these products get Laplace(1/epsilon) each.
    Guarantee: epsilon-DP, no delta: a row moves the sums in L1 exactly by 1.
    Proof: t and s are from 0 to 1, so the pieces of each are at least 0 and add up to 1, and so do their products. The
    m rows of a person move the sums by m in L1 at most, and Laplace noise of scale m/epsilon on each loses at
    most epsilon on that. The result, its interval and the noisy number of rows are post-processing.
    Reference: K-norm mechanisms for sufficient statistics, Awan and Slavkovic 2018; docs/guarantees.md.
    Complexity: O(distinct pairs of ticks).
    Corner cases: only rows with a value in both columns count; where x, or a column of a correlation, may be constant,
    the interval is all of the possible range; no rows, or n <= 0, answer 0, or the middle of y as a prediction; a
    public size is refused.
    """

    slug: ClassVar[str] = "soft-pairs"
    title: ClassVar[str] = "Soft moments of two columns"
    why: ClassVar[Phrase | None] = Phrase("one draw answers for all rows, with an interval")
    answers: ClassVar[tuple[Topic, ...]] = tuple(map(topic_of, MEASURES))

    estimator: str = setting(Phrase("Statistic"), "slope")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it


class PairsDraw(SharedDraw, Pairing):
    """The common base of draws that rows of a plan share for several statistics of a pair."""


@dataclass(frozen=True)
class JointSlopes(PairsDraw):
    """Slope, prediction and covariance of two columns from six soft counts of pairs: as soft-pairs has them.

    Guarantee: epsilon-DP, no delta: a row moves the sums in L1 exactly by 1.
    Proof: as that of soft-pairs: one draw of all sums is charged, and all statistics are post-processing of it.
    Reference: K-norm mechanisms for sufficient statistics, Awan and Slavkovic 2018; docs/guarantees.md.
    Complexity: O(distinct pairs of ticks).
    Corner cases: as those of soft-pairs.
    """

    slug: ClassVar[str] = "soft-slopes"
    title: ClassVar[str] = "Six soft counts of pairs, one draw"
    answers: ClassVar[tuple[Topic, ...]] = tuple(topic_of(name) for name, each in MEASURES.items() if each.pieces == 2)

    estimator: str = setting(Phrase("Statistic"), "slope")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it


@dataclass(frozen=True)
class JointCorrelations(PairsDraw):
    """Slope, prediction, covariance and correlation of two columns from nine soft counts of pairs.

    The products of (1-t)^2, 2t(1-t), t^2 and of (1-s)^2, 2s(1-s), s^2, as soft-pairs has them for a correlation. All
    that six show follows from them: half of the second piece of y and the third one add up to s.
    Guarantee: epsilon-DP, no delta: a row moves the sums in L1 exactly by 1.
    Proof: as that of soft-pairs: one draw of all sums is charged, and all statistics are post-processing of it.
    Reference: K-norm mechanisms for sufficient statistics, Awan and Slavkovic 2018; docs/guarantees.md.
    Complexity: O(distinct pairs of ticks).
    Corner cases: as those of soft-pairs.
    """

    slug: ClassVar[str] = "soft-correlations"
    title: ClassVar[str] = "Nine soft counts of pairs, one draw"
    answers: ClassVar[tuple[Topic, ...]] = tuple(map(topic_of, MEASURES))

    estimator: str = setting(Phrase("Statistic"), "slope")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it
