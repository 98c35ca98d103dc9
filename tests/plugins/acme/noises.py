"""Two mechanisms: one with more noise than it needs, one with less."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from discreet.budget import Cost, Phrase
from discreet.mechanisms.base.mechanism import OneStatistic, checked_sensitivity
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    GLOBAL,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    epsilon_parameter,
    statistic,
)
from discreet.mechanisms.laws.law import Laplace, Law, around
from discreet.queries import Column, Query
from discreet.queries.mean import Mean


@dataclass(frozen=True)
class Wide(OneStatistic):
    """f(x) + Laplace(2 GS / epsilon).

    Guarantee: epsilon-DP, with room to spare.
    Proof: that of Laplace noise, whose scale is half as large.
    Reference: none.
    Corner cases: those of Laplace noise.
    """

    slug: ClassVar[str] = "wide"
    title: ClassVar[str] = "Wide noise"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = CLIPPED
    wide: ClassVar[float] = 2.0

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        return around(
            self.query, data, self.wide * checked_sensitivity(self.query, data.bounds) / self.epsilon, Laplace()
        )

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return nothing."""
        return Forecast(None, "It is wide.")


@dataclass(frozen=True)
class Narrow(Wide):
    """f(x) + Laplace(GS / 3 epsilon), which is too little.

    Guarantee: none that is true.
    Proof: none.
    Reference: none.
    Corner cases: none.
    """

    slug: ClassVar[str] = "narrow"
    title: ClassVar[str] = "Narrow noise"
    wide: ClassVar[float] = 1 / 3
