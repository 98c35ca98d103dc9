"""Means with a private number of rows, by global sensitivity alone."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, of_statistics
from discreet.mechanisms.base.view import OneColumn, View
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
)
from discreet.mechanisms.laws.law import Interval, Laplace, Law, Measured, Noisy
from discreet.mechanisms.laws.ratio import Ratio, SoftCounts, rows_at_least, shares
from discreet.noise.protocol import Number
from discreet.queries import Bounds, Column, Relation
from discreet.queries.mean import Mean


def anywhere(rows: int) -> Phrase:
    """Return what the forecast of a mean rests on."""
    return Phrase("This holds for a mean anywhere between the bounds. Assumed number of rows: {rows:,}.", rows=rows)


@dataclass(frozen=True)
class GlobalMean(Mechanism):
    """The common base of the three means: two noisy numbers and their ratio."""

    answers: ClassVar[tuple[Topic, ...]] = of_statistics(Mean.name)
    after: ClassVar[Phrase] = CLIPPED
    refines: ClassVar[bool] = True

    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Raise ParameterError for a public size: then Laplace noise on the mean itself is better."""
        super().__post_init__()
        if self.relation.change_one:
            raise ParameterError("This mean needs a private number of rows. With a public number, use Laplace noise.")

    @property
    def view(self) -> View:
        """The column of the mean."""
        return OneColumn(Mean(self.relation), self.public_rows)

    @property
    def additive(self) -> bool:
        """True: each row moves the two numbers by as much as it does alone."""
        return True

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    @abstractmethod
    def around(self, total: Number, size: Number, bounds: Bounds) -> Ratio:
        """Return the law given the sum of ticks and the number of rows."""

    def law(self, data: Column) -> Law:
        """Return the law of the ratio."""
        return self.around(Fraction(data.total), Fraction(data.n), data.bounds)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the half width that a guess of n predicts, for the mean between the bounds where it is widest."""
        if public.bounds is None or not public.size_guess:
            return Forecast(None, "Enter the approximate number of rows to get a forecast.")
        width = _half_width(self, public.bounds, float(public.size_guess), confidence)
        return Forecast(width, anywhere(public.size_guess))

    def _noisy(self, centre: Number, sensitivity: float, epsilon: float) -> Noisy:
        scale = self.relation.rows * sensitivity / epsilon * ROUND_UP
        return Noisy(centre, scale, Laplace())


@lru_cache(maxsize=1024)  # a form computes this width at every run of its page
def _half_width(mean: GlobalMean, bounds: Bounds, rows: float, confidence: float) -> float:
    """Return the half width at the middle, or near an end if it is wider there.

    Both noises count alike in the middle, at an end almost only one does: there two soft counts are up to 1.42 times as
    wide. Twice the middle's width away from an end, the bound cuts nothing off.
    """

    def at(place: float) -> float:
        ticks = bounds.top * place
        law = mean.around(rows * ticks, rows, bounds)
        return abs(float(law.quantile((1 + confidence) / 2)) - float(bounds.value(ticks)))

    middle = at(0.5)
    inside = min(0.5, 2 * middle / bounds.width)
    return max(middle, at(inside), at(1 - inside))


@dataclass(frozen=True)
class TwoCounts(GlobalMean):
    """The mean from two soft counts: how much of R the rows lie above l, and below u.

    A = sum (x-l)/R and B = sum (u-x)/R get Laplace(1/epsilon) each, the mean is l + R A/(A+B).
    Guarantee: epsilon-DP, no delta: a row moves (A, B) by (t, 1-t), in L1 exactly by 1.
    Proof: with t = (x-l)/R from 0 to 1 a row adds t to A and 1-t to B, so the m rows of a person
    move (A, B) by m in L1 at most. Two Laplace noises of scale m/epsilon lose at most epsilon on
    that. The ratio, its interval (see soft_counts) and A + B, a noisy number of rows, are
    post-processing of both, and all of them are shown.
    Reference: the K-norm mechanism of Hardt and Talwar 2010 for the hull of +-(x, 1).
    Complexity: O(1) on a prepared column.
    Corner cases: no rows, or A + B <= 0, answer the middle of the bounds; a public size is refused.
    """

    slug: ClassVar[str] = "two-counts"
    title: ClassVar[str] = "Mean from two soft counts"
    sized: ClassVar[bool] = True
    spanned: ClassVar[bool] = True
    soft: ClassVar[type[SoftCounts]] = SoftCounts
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE

    def around(self, total: Number, size: Number, bounds: Bounds) -> SoftCounts:
        """Return the law of A/(A+B)."""
        above = total / bounds.top
        first = self._noisy(above, 1.0, self.epsilon)
        second = self._noisy(size - above, 1.0, self.epsilon)
        return self.soft(first, second, True, float(bounds.value(0)), bounds.width)

    def usual_width(self, data: Column) -> float:
        """Return the half width where the noise on both counts is 0."""
        law = self.around(Fraction(data.total), Fraction(data.n), data.bounds)
        return law.usual_width

    def widened(self, answer: Measured, public: Public, confidence: float) -> Interval | None:
        """Return the interval at another confidence, computed from the mean and the number of rows.

        They determine both counts. If the mean was moved to an end, one count was below 0; with 0 instead, more shares
        are likely, so the interval is only wider. Without rows nothing is excluded.
        """
        assert public.bounds is not None
        bounds = public.bounds
        size = answer.size or 0.0
        low = float(bounds.value(0))
        share = (float(answer) - float(bounds.value(0))) / bounds.width
        ends = (0.0, 1.0)
        if size > 0:
            ends = shares(share * size, (1 - share) * size, self._scale, confidence, self.soft.tails)
        return min(low + bounds.width * ends[0], float(answer)), max(low + bounds.width * ends[1], float(answer))

    @property
    def _scale(self) -> float:
        """The public noise scale of both counts."""
        return self._noisy(0.0, 1.0, self.epsilon).scale

    def rows_at_least(self, size: float | None, miss: float) -> float | None:
        """Return a lower bound of the number of rows from its noisy value, except with probability `miss`."""
        return None if size is None else rows_at_least(size, self._scale, miss, self.soft.tails)

    def rows_about(self, answer: Any) -> float | None:
        """Return the sum of both counts."""
        return answer.size if isinstance(answer, Measured) else None


@dataclass(frozen=True)
class SumOverCount(GlobalMean):
    """The mean as noisy sum around the middle over noisy count, two thirds of epsilon on the sum.

    Guarantee: epsilon-DP, no delta: the centred sum moves by at most R/2, the count by 1.
    Proof: in units of R the m rows of a person move the centred sum by at most m/2, the count by m;
    Laplace noise of scale (m/2) / (2 epsilon/3) and m / (epsilon/3) costs two thirds and one third
    of epsilon, which add up. The ratio is post-processing.
    Reference: folklore; centring halves the sensitivity of the sum.
    Complexity: O(1) on a prepared column.
    Corner cases: no rows, or a noisy count <= 0, answer the middle; a public size is refused.
    """

    slug: ClassVar[str] = "sum-over-count"
    title: ClassVar[str] = "Mean as centred sum over count"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE

    def around(self, total: Number, size: Number, bounds: Bounds) -> Ratio:
        """Return the law of 1/2 + sum/count."""
        centred = total / bounds.top - size / 2
        first = self._noisy(centred, 0.5, self.epsilon * 2 / 3)
        second = self._noisy(size, 1.0, self.epsilon / 3)
        return Ratio(first, second, False, float(bounds.value(0)), bounds.width, shift=0.5)


@dataclass(frozen=True)
class TextbookMean(GlobalMean):
    """The mean as noisy sum over noisy count, half of epsilon each, as a textbook has it.

    Unlike the textbook's, the sum's noise is scaled to max(|l|, |u|), which is what one row can
    move it by for every l and u.
    Guarantee: epsilon-DP, no delta.
    Proof: the m rows of a person move the sum by at most m max(|l|, |u|) and the count by m;
    Laplace noise of these over epsilon/2 costs epsilon/2 each, which adds up. The ratio is
    post-processing.
    Reference: Dwork and Roth 2014, section 3.3, with basic composition.
    Complexity: O(1) on a prepared column.
    Corner cases: no rows, or a noisy count <= 0, answer the middle; a public size is refused.
    """

    slug: ClassVar[str] = "textbook-mean"
    title: ClassVar[str] = "Mean as sum over count, textbook form"
    compared: ClassVar[bool] = False  # sum-over-count is this with better centring
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE

    def around(self, total: Number, size: Number, bounds: Bounds) -> Ratio:
        """Return the law of sum/count."""
        low = bounds.exact(0)
        high = bounds.exact(bounds.top)
        largest = max(abs(low), abs(high)) / (high - low)
        offset = low / (high - low)
        first = self._noisy(total / bounds.top + size * offset, float(largest), self.epsilon / 2)
        second = self._noisy(size, 1.0, self.epsilon / 2)
        return Ratio(first, second, False, float(low), bounds.width, shift=-float(offset))
