"""Count, sum, mean, variance and standard deviation of a column from one draw of soft counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, checked_sensitivity, of_statistics
from discreet.mechanisms.base.view import OneColumn, View
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    GAUSSIAN,
    GLOBAL,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    delta_parameter,
    epsilon_parameter,
    statistic,
)
from discreet.mechanisms.gaussian import NormalNoise
from discreet.mechanisms.global_mean import anywhere
from discreet.mechanisms.laws.law import Gaussian, Interval, Laplace, Law, Measured, Noisy, Shape
from discreet.mechanisms.laws.moments import (
    LAPLACES,
    NORMALS,
    Forms,
    Linear,
    Measure,
    Middle,
    Moments,
    Scale,
    Spread,
    measured,
)
from discreet.queries import Bounds, Column, Query
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.queries.variance import StandardDeviation, Variance

MEASURES: dict[str, Measure] = {
    Count.name: Linear(False),
    Sum.name: Linear(True),
    Mean.name: Middle(),
    Variance.name: Spread(False),
    StandardDeviation.name: Spread(True),
}


def piece_sums(data: Column, pieces: int, top: int) -> tuple[Fraction, ...]:
    """Return the exact sums of the pieces of rows whose ticks are at most `top`, which counts as 1."""
    first = Fraction(data.total, top)
    if pieces == 2:
        return data.n - first, first
    second = Fraction(data.squares, top**2)
    return data.n - 2 * first + second, 2 * (first - second), second


class SoftDraw(Mechanism):
    """The common base of these draws: pieces of each row that add up to 1, with noise on their sums.

    Rows of a plan that ask several statistics of the same rows share the draw: it is charged and drawn once, and each
    statistic is computed from it.
    """

    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = CLIPPED
    why: ClassVar[Phrase | None] = Phrase("several statistics of the same rows are computed from one draw")
    compared: ClassVar[bool] = False
    joint: ClassVar[bool] = True
    sized: ClassVar[bool] = True
    spanned: ClassVar[bool] = True
    pieces: ClassVar[int]
    shape: ClassVar[Shape] = Laplace()
    forms: ClassVar[Forms] = LAPLACES

    query: Query
    epsilon: float

    def __post_init__(self) -> None:
        """Raise ParameterError for a statistic that is not computed from these pieces, and for a public size."""
        super().__post_init__()
        if not self.can_answer(self.query.name):
            raise ParameterError("{label} cannot share this draw.", label=Phrase(self.query.label))
        if self.query.relation.change_one:
            raise ParameterError("This mean needs a private number of rows. With a public number, use Laplace noise.")

    @property
    def neighbours(self) -> Any:
        """The neighbour relation of the statistic."""
        return self.query.relation

    @property
    def view(self) -> View:
        """The column of the statistic."""
        return OneColumn(self.query)

    @property
    def subject(self) -> str:
        """The statistic."""
        return self.query.label

    @property
    def measure(self) -> Measure:
        """What is computed from the pieces."""
        return MEASURES[self.query.name]

    @property
    def shared(self) -> Mechanism:
        """The draw itself, whichever statistic is computed from it."""
        draw: Any = self
        return replace(draw, query=Mean(self.query.relation))  # type: ignore[no-any-return]

    @property
    def additive(self) -> bool:
        """True: each row moves the pieces by as much as it does alone."""
        return True

    def check(self, public: Public) -> None:
        """Raise ParameterError for bounds within which the statistic is too large to be computed."""
        if public.bounds is not None:
            checked_sensitivity(self.query, public.bounds)

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    @property
    def _noise(self) -> float:
        """The scale of the noise."""
        return self.query.relation.rows / self.epsilon * ROUND_UP

    def scale(self, bounds: Bounds) -> Scale:
        """Return the public values of the draw."""
        return Scale(self._noise, self.pieces, float(bounds.value(0)), bounds.width, forms=self.forms)

    @classmethod
    def sums(cls, data: Column) -> tuple[Fraction, ...]:
        """Return the exact sums of the pieces."""
        return piece_sums(data, cls.pieces, data.bounds.top)

    def law(self, data: Column) -> Law:
        """Return the law of the statistic, computed from the noisy pieces."""
        scale = self.scale(data.bounds)
        parts = tuple(Noisy(each, scale.noise, self.shape) for each in self.sums(data))
        return Moments(parts, self.measure, scale)

    def measured(self, numbers: Any, public: Public) -> Measured:
        """Return the statistic that noisy pieces give, with its interval and the number of rows."""
        assert public.bounds is not None
        return measured(numbers, self.measure, self.scale(public.bounds))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width of a count or a sum, and the widest one of a mean for a guess of n."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        scale = self.scale(public.bounds)
        half = self.measure.half(scale, public.size_guess, 1 - confidence)
        if self.measure.sure:
            return Forecast(half, "The noise scale is public.", exact=True)
        if not public.size_guess:
            return Forecast(None, "Enter the approximate number of rows to get a forecast.")
        if half is None:
            return Forecast(None, "The margin of error depends on the values.")
        return Forecast(half, anywhere(public.size_guess))

    def usual_width(self, data: Column) -> float:
        """Return the half width where no piece has noise."""
        low, high = self.measured(tuple(map(float, self.sums(data))), Public(data.bounds)).interval
        return (high - low) / 2

    def widened(self, answer: Measured, public: Public, confidence: float) -> Interval | None:
        """Return the interval at another confidence, computed from the value and the number of rows."""
        assert public.bounds is not None
        value = float(answer)
        low, high = self.measure.wider(value, answer.size or 0.0, self.scale(public.bounds), 1 - confidence)
        return min(low, value), max(high, value)

    def rows_at_least(self, size: float | None, miss: float) -> float | None:
        """Return a lower bound of the number of rows from its noisy value, except with probability `miss`."""
        if size is None:
            return None
        return size - self._noise * self.forms.width((1.0,) * self.pieces, min(1.0, 2 * miss))

    def rows_about(self, answer: Any) -> float | None:
        """Return the sum of all pieces."""
        return answer.size if isinstance(answer, Measured) else None


@dataclass(frozen=True)
class JointSoftCounts(SoftDraw):
    """Count, sum and mean from two soft counts: how much of R the rows lie above l, and below u.

    A = sum (x-l)/R and B = sum (u-x)/R get Laplace(1/epsilon) each. The count is A + B, the sum u A + l B, the mean
    l + R A/(A+B).
    Guarantee: epsilon-DP, no delta: a row moves (A, B) by (t, 1-t), in L1 exactly by 1.
    Proof: with t = (x-l)/R from 0 to 1 the m rows of a person move (A, B) by m in L1 at most. Two Laplace noises of
    scale m/epsilon lose at most epsilon on that. All statistics of these rows, their intervals and A + B, a noisy
    number of rows, are post-processing of both, so several of them are charged once.
    Reference: the K-norm mechanism of Hardt and Talwar 2010 for the hull of +-(x, 1).
    Complexity: O(1) on a prepared column.
    Corner cases: no rows, or A + B <= 0, answer the middle of the bounds as a mean; a public size is refused.
    """

    slug: ClassVar[str] = "soft-counts"
    title: ClassVar[str] = "Two soft counts, one draw"
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(*(name for name, each in MEASURES.items() if each.pieces == 2))
    pieces: ClassVar[int] = 2

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()


@dataclass(frozen=True)
class JointSoftMoments(SoftDraw):
    """Count, sum, mean, variance and standard deviation from three soft moments.

    With t = (x-l)/R the sums of (1-t)^2, 2t(1-t) and t^2 get Laplace(1/epsilon) each. All three together are the number
    of rows n, half of the second and the third are the sum of t, and the third is that of t^2.
    Guarantee: epsilon-DP, no delta: a row moves the three sums in L1 exactly by 1.
    Proof: the pieces of a t from 0 to 1 are at least 0 and add up to ((1-t) + t)^2 = 1, so the m rows of a person move
    the sums by m in L1 at most. Three Laplace noises of scale m/epsilon lose at most epsilon on that. All
    statistics, intervals and the noisy number of rows are post-processing, so several of them are charged once.
    Reference: K-norm mechanisms for sufficient statistics, Awan and Slavkovic 2018.
    Complexity: O(1) on a prepared column.
    Corner cases: no rows, or n <= 0, answer the middle as a mean and 0 as a spread; a public size is refused.
    """

    slug: ClassVar[str] = "soft-moments"
    title: ClassVar[str] = "Three soft moments, one draw"
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(*MEASURES)
    pieces: ClassVar[int] = 3

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()


class NormalDraw(NormalNoise, SoftDraw):
    """The common base of those with normal noise, for plans of many queries."""

    noise: ClassVar[Noise] = GAUSSIAN
    shape: ClassVar[Shape] = Gaussian()
    forms: ClassVar[Forms] = NORMALS

    @property
    def _noise(self) -> float:
        """The standard deviation of the noise."""
        return self.query.relation.rows * self.sigma * ROUND_UP


@dataclass(frozen=True)
class JointNormalCounts(NormalDraw):
    """Count, sum and mean from two soft counts, as soft-counts has them, with Normal(0, sigma) noise on each.

    Guarantee: (epsilon, delta)-DP, and rho-zCDP with rho = 1/(2 sigma^2) in units of the rows of a person.
    Proof: a row moves (A, B) by (t, 1-t) with t from 0 to 1, in L2 at most by 1, which is reached at both bounds, so
    the m rows of a person move it by m at most. Normal noise is the same in all directions, and sigma is the exact
    one for that shift (see gaussian). All statistics, intervals and A + B are post-processing of both.
    Reference: Balle and Wang 2018 for sigma; soft-counts for the rest.
    Complexity: O(1) on a prepared column.
    Corner cases: as those of soft-counts.
    """

    slug: ClassVar[str] = "normal-soft-counts"
    title: ClassVar[str] = "Two soft counts, one draw, Gaussian noise"
    answers: ClassVar[tuple[Topic, ...]] = JointSoftCounts.answers
    pieces: ClassVar[int] = 2

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()


@dataclass(frozen=True)
class JointNormalMoments(NormalDraw):
    """Count, sum, mean, variance and standard deviation from three soft moments with Normal(0, sigma) noise on each.

    Guarantee: (epsilon, delta)-DP, and rho-zCDP with rho = 1/(2 sigma^2) in units of the rows of a person.
    Proof: the pieces b(t) of a row, (1-t)^2, 2t(1-t) and t^2, are at least 0 and add up to 1, so the squares of them
    add up to at most 1, which is reached at both bounds: a row moves the sums by 1 in L2 at most, and the m rows of a
    person by m. Normal noise is the same in all directions, and sigma is the exact one for that shift (see gaussian).
    All statistics, intervals and the noisy number of rows are post-processing.
    Reference: Balle and Wang 2018 for sigma; soft-moments for the rest.
    Complexity: O(1) on a prepared column.
    Corner cases: as those of soft-moments. A row that changes from t to s would move the sums by b(t) - b(s), by
    sqrt(2) in L2 at most (from one bound to the other); its number of rows is public, which is refused.
    """

    slug: ClassVar[str] = "normal-soft-moments"
    title: ClassVar[str] = "Three soft moments, one draw, Gaussian noise"
    answers: ClassVar[tuple[Topic, ...]] = JointSoftMoments.answers
    pieces: ClassVar[int] = 3

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()
