"""Exhibit: the textbook's mean by global sensitivity, as printed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.vocabulary import GLOBAL, Family, Public
from discreet.mechanisms.exhibits.exhibit import Exhibit, Guarantee, largest
from discreet.mechanisms.laws.law import Laplace, Law, Noisy
from discreet.mechanisms.laws.ratio import Ratio
from discreet.queries import Bounds, Column
from discreet.queries.mean import Mean


@dataclass(frozen=True)
class TextbookGlobalMean(Exhibit):
    """(sum of rows clipped from above + Laplace(2u/epsilon)) / (n + Laplace(2/epsilon)).

    Guarantee: epsilon/2 (1 + max(|l|, |u|)/u) for u > 0: one row moves the sum by up to
    max(|l|, |u|), so it is epsilon only if l >= -u, and nothing at all if u <= 0.
    Claim: epsilon-DP for every l and u, as "the sensitivity of the sum is u".
    Reference: Dwork and Roth 2014, section 3.3, for the parts.
    Corner cases: a noisy count <= 0 answers the middle of the bounds, where the printed one
    divides by it; rows below l are kept as printed, here they are clipped when they are read.
    """

    slug: ClassVar[str] = "textbook-global-mean"
    title: ClassVar[str] = "Textbook: mean by global sensitivity"
    family: ClassVar[Family] = GLOBAL

    @property
    def claim(self) -> Guarantee:
        """The printed claim."""
        return Guarantee(self.epsilon, 0.0, "ε-DP: half for the sum, half for the count.")

    def true_guarantee(self, public: Public) -> Guarantee:
        """Return the valid guarantee for the declared bounds."""
        assert public.bounds is not None
        low, high = (float(public.bounds.value(t)) for t in (0, public.bounds.top))
        if high <= 0:
            return Guarantee(math.inf, 0.0, "The noise is scaled to u <= 0, which gives no guarantee.")
        times = (1 + max(abs(low), high) / high) / 2
        text = Phrase(
            "{times:.4g} times the claim for these bounds. Two soft counts have much smaller errors.", times=times
        )
        return Guarantee(times * self.epsilon, 0.0, text)

    def law(self, data: Column) -> Law:
        """Return the law as printed."""
        bounds = data.bounds
        low, high = (float(bounds.value(t)) for t in (0, bounds.top))
        offset = low / bounds.width
        half = self.epsilon / 2
        total = data.total / bounds.top + data.n * offset
        first = Noisy(total, abs(high) / bounds.width / half, Laplace())
        second = Noisy(float(data.n), 1 / half, Laplace())
        return Ratio(first, second, False, low, bounds.width, shift=-offset)


# --- The textbook's sensitivity of the mean, which ignores removals and every lower bound ---


@dataclass(frozen=True)
class TextbookLocalMean(Exhibit):
    """The mean plus Laplace noise of scale u/(n+1)/epsilon: the printed local sensitivity.

    Guarantee: with delta = 0 none, because the scale reveals the number of rows. The mean moves by up to (u-l)/n,
    which is (n+1)/n (u-l)/u times the printed number: twice as much for l = -u, without limit as u nears 0.
    `true_guarantee` computes the delta at the claimed epsilon.
    Claim: a local sensitivity of u/(n+1), hence epsilon-DP.
    Reference: Nissim, Raskhodnikova and Smith 2007, for why local sensitivity cannot be a noise scale.
    Corner cases: no rows give the middle of the bounds; u <= 0 would be noise of scale 0 or less
    (printed: no noise at all) and is refused; the printed u/|n-k+1| divides by 0 at k = n+1, and
    is not evaluated there.
    """

    slug: ClassVar[str] = "textbook-local-mean"
    title: ClassVar[str] = "Textbook: local sensitivity of the mean"
    family: ClassVar[Family] = GLOBAL

    def printed(self, bounds: Bounds, n: int) -> float:
        """Return the printed local sensitivity."""
        upper = float(bounds.value(bounds.top))
        if upper <= 0:
            raise ParameterError("The textbook sensitivity u/(n+1) needs an upper bound above 0. Raise the bound.")
        return upper / (n + 1)

    def check(self, public: Public) -> None:
        """Raise ParameterError for bounds for which the printed noise scale would not be positive."""
        if public.bounds is not None:
            self.printed(public.bounds, 0)

    @property
    def claim(self) -> Guarantee:
        """The printed claim."""
        return Guarantee(self.epsilon, 0.0, "The local sensitivity of the mean is u/(n+1).")

    def true_guarantee(self, public: Public) -> Guarantee:
        """Return the delta at the claimed epsilon for the guessed number of rows, n at least 1."""
        if public.bounds is None:
            return Guarantee(float("inf"), 0.0, "No guarantee: the noise scale reveals the number of rows.")
        n = max(public.size_guess or 1, 1)
        bounds = public.bounds
        moved = bounds.width / max(n, 2)
        this = Noisy(moved, self.printed(bounds, n) / self.epsilon, Laplace())
        other = Noisy(0.0, self.printed(bounds, n - 1) / self.epsilon, Laplace())
        delta = largest([(this, other)], self.epsilon)
        times = moved / self.printed(bounds, n)
        text = Phrase(
            "The mean of {n} rows can change by {times:.4g} times the textbook value. At this ε, δ is "
            "{delta:.3g}. With δ = 0, no ε is valid.",
            n=n,
            times=times,
            delta=delta,
        )
        return Guarantee(self.epsilon, delta, text)

    def law(self, data: Column) -> Law:
        """Return the law as printed."""
        scale = self.printed(data.bounds, data.n) / self.epsilon
        return Noisy(Mean().exact(data), scale, Laplace())
