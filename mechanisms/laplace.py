"""Global sensitivity with Laplace or geometric noise: the baselines that always work."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from discreet.budget import Account, Cost, LaplaceAccount, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, OneStatistic, checked_sensitivity, of_statistics
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    GEOMETRIC,
    GLOBAL,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    statistic,
)
from discreet.mechanisms.laws.law import Laplace, Law, Whole, around
from discreet.queries import Bounds, Column, Query
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum


def whole_width(scale: float, confidence: float, parts: int = 1) -> float:
    """Return the smallest h with P(|Z| > h) = 2 a^(h+1)/(1+a) at most (1 - confidence) / parts."""
    a = math.exp(-1 / scale)
    return max(0.0, math.ceil(-math.log((1 - confidence) / parts * (1 + a) / 2) * scale) - 1.0)


@dataclass(frozen=True)
class GlobalLaplace(OneStatistic):
    """f(x) + Laplace(GS / epsilon), clipped into the public range of f.

    Guarantee: epsilon-DP, no delta.
    Proof: f moves by at most GS, so by the triangle inequality the densities around f(x) and f(x')
    differ by a factor of at most exp(|f(x) - f(x')| epsilon / GS), at most exp(epsilon). Clipping
    into a public range is post-processing.
    Reference: Dwork, McSherry, Nissim and Smith 2006, "Calibrating noise to sensitivity".
    Complexity: one value of the statistic.
    Corner cases: no rows answer the statistic's public value on no rows, with the same noise; a
    statistic that is public under the relation is refused before a charge.
    """

    slug: ClassVar[str] = "laplace"
    title: ClassVar[str] = "Global sensitivity, Laplace noise"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE
    refines: ClassVar[bool] = True
    after: ClassVar[Phrase] = CLIPPED

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()

    @property
    def additive(self) -> bool:
        """Whether the statistic is: the scale is then m times the sensitivity of one row."""
        return self.query.additive

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return the Laplace curve."""
        return LaplaceAccount(self.epsilon)

    def scale(self, bounds: Bounds) -> float:
        """Return the public noise scale."""
        return checked_sensitivity(self.query, bounds) / self.epsilon * ROUND_UP

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        return around(self.query, data, self.scale(data.bounds), Laplace())

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width: the scale is public."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        width = self.scale(public.bounds) * math.log(1 / (1 - confidence))
        return Forecast(width, "The noise scale is public.", exact=True)


@dataclass(frozen=True)
class Geometric(GlobalLaplace):
    """f(x) + two-sided geometric noise for whole-numbered statistics: counts, sums of integers.

    P(Z = z) is proportional to exp(-|z| epsilon / GS): whole answers, and less noise than Laplace.
    Guarantee: epsilon-DP, no delta.
    Proof: f(x) and f(x') are whole numbers at most GS apart, so by the triangle inequality each
    whole answer has chances that differ by a factor of at most exp(epsilon).
    Reference: Ghosh, Roughgarden and Sundararajan 2009, "Universally utility-maximizing privacy
    mechanisms".
    Complexity: one value of the statistic.
    Corner cases: a sum of a column with fractions is refused before a charge; so is a public size.
    """

    slug: ClassVar[str] = "geometric"
    title: ClassVar[str] = "Global sensitivity, geometric noise"
    noise: ClassVar[Noise] = GEOMETRIC
    after: ClassVar[Phrase] = Phrase("No post-processing: the number is shown as drawn, even if it is negative.")

    query: Query = statistic(Count)

    @classmethod
    def topics(cls) -> tuple[Topic, ...]:
        """Return the statistics with integer values."""
        return of_statistics(Count.name, Sum.name)

    def __post_init__(self) -> None:
        """Raise ParameterError for statistics other than counts and sums."""
        super().__post_init__()
        if not isinstance(self.query, (Count, Sum)):
            self._not_whole()

    def check(self, public: Public) -> None:
        """Raise ParameterError for sums of fractions."""
        super().check(public)
        fractions = public.bounds is not None and not public.bounds.integer
        if isinstance(self.query, Sum) and fractions:
            self._not_whole()

    def _not_whole(self) -> NoReturn:
        raise ParameterError(
            "Geometric noise needs a whole-number statistic: a count, or a sum of an integer column. "
            "Got {label}. Use Laplace noise instead.",
            label=Phrase(self.query.label),
        )

    def account(self) -> Account | None:
        """Return pure epsilon: one more row in a count loses all of it even where Laplace noise loses less."""
        return Pure(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        self.check(Public(data.bounds))
        return Whole(int(self.query.exact(data)), self.scale(data.bounds))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width, an integer."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        width = whole_width(self.scale(public.bounds), confidence)
        return Forecast(width, "The noise scale is public.", exact=True)
