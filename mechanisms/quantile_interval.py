"""The median or any quantile with an interval: two more draws, one on each side of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, BoundedRange, Together
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.vocabulary import Forecast, Public
from discreet.mechanisms.laws.law import Answer, Law, Measured, Product, Runs
from discreet.mechanisms.laws.ranks import Aim, furthest, runs_near
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.noise.protocol import NoiseSource
from discreet.queries import Bounds, Column
from discreet.queries.bounds import FloatArray

DRAWS, MISSED = 3, 0.025  # the probability that an end is on the wrong side, at most


@dataclass(frozen=True, eq=False)
class Enclosed(Law):
    """A draw near a rank, with one below it and one above it; as a number the law is that of the first."""

    middle: Runs = field(repr=False)
    lower: Runs = field(repr=False)
    upper: Runs = field(repr=False)
    low: float
    high: float

    @property
    def everything(self) -> Law:
        """All three draws: the interval is computed from them."""
        return Product((self.middle, self.lower, self.upper))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        return self.middle.cdf(y)

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile of the answer."""
        return self.middle.quantile(p)

    def ends(self, p: Any) -> tuple[FloatArray, FloatArray]:
        """Return the p-quantiles of both ends, within the bounds."""
        first, last = (np.clip(law.quantile(p), self.low, self.high) for law in (self.lower, self.upper))
        return first, last

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw all three; the interval contains the answer, and is clipped to the bounds."""
        answer, lower, upper = (law.draw(noise) for law in (self.middle, self.lower, self.upper))
        assert isinstance(answer, float) and isinstance(lower, float) and isinstance(upper, float)
        return Measured(answer, (max(self.low, min(lower, answer)), min(self.high, max(upper, answer))))


@dataclass(frozen=True)
class QuantileInterval(QuantileExponential):
    """Draw a quantile by the exponential mechanism, and in the same way two ends that enclose it.

    Each draw has a third of epsilon. The ends are drawn near the ranks q n - c and q n + c, where c is
    one unit more than such a draw is off its rank 39 times in 40, whatever the rows are. One more candidate
    on the outer side, which stands for the declared bound, has the rank where it lies outside of the rows.
    Guarantee: epsilon-DP, no delta; with probability at least 95% on every dataset, the interval contains the
    quantile of the rows that were read, and the median.
    Proof: three draws of epsilon / 3 each add up; moving a rank by a constant changes no distance by more
    or less. A lower end with q n rows or more below it is c or more from its rank, which happens once in
    40 at most; every other one has fewer than q n rows below it, so the row at rank ceil(q n) and both middle rows
    of a median are not below it, and the bound never is. The upper end is its mirror image, and the two
    chances add up to one in 20. Reaching for the answer makes the interval wider.
    Reference: McSherry and Talwar 2007 for the draws; ends at a public distance of ranks are derived here.
    Complexity: three times that of one quantile.
    Corner cases: with no rows, or fewer than about c, both ends are the bounds.
    """

    slug: ClassVar[str] = "quantile-interval"
    title: ClassVar[str] = "Median or quantile with an interval, by exponential mechanism"
    compared: ClassVar[bool] = False  # with a third of epsilon: only worth it for the interval
    spanned: ClassVar[bool] = True

    @property
    def own(self) -> float:
        """The epsilon of each of three draws."""
        return self.epsilon / DRAWS

    def end(self, ticks: int, side: int) -> Aim:
        """Return the rank of the lower end (-1) or of the upper one (1)."""
        aim = replace(self.aim, shift=side)
        off = furthest(ticks + 1, self.rate_of(aim), MISSED)
        return replace(aim, shift=side * (off + 1))

    def account(self) -> Account | None:
        """Return bounded range, for each draw."""
        return Together((BoundedRange(self.own),) * DRAWS)

    def law(self, data: Column) -> Law:
        """Return the law of the answer and of both ends."""
        bounds: Bounds = data.bounds
        aims = [(self.end(bounds.top + 1, side), side) for side in (-1, 1)]
        lower, upper = (runs_near(data, aim, self.rate_of(aim), outside=side) for aim, side in aims)
        low = float(bounds.value(0))
        high = float(bounds.value(bounds.top))
        return Enclosed(runs_near(data, self.aim, self.rate), lower, upper, low, high)

    def usual_width(self, data: Column) -> float | None:
        """Return half the distance between the medians of both ends."""
        law = self.law(data)
        assert isinstance(law, Enclosed)
        first, last = law.ends(0.5)
        return float(last - first) / 2

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but a note on the interval, and by how many rows it reaches to each side."""
        inner = super().forecast(public, confidence)
        if public.bounds is None:
            return inner
        aim = self.end(public.bounds.top + 1, 1)
        return Forecast(
            None,
            Phrase(
                "{note} An interval is released with it. Rows on each side (approximate): {rows}.",
                note=inner.note,
                rows=aim.rows(aim.shift),
            ),
        )
