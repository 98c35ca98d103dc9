"""Exhibit: the textbook's mean by global sensitivity, as printed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from discreet.budget.phrase import Phrase
from discreet.mechanisms.accuracy import Public
from discreet.mechanisms.exhibit import Exhibit, Guarantee
from discreet.mechanisms.families import GLOBAL, Family
from discreet.mechanisms.laws import Law, Noisy
from discreet.mechanisms.ratio import Ratio
from discreet.mechanisms.shapes import Laplace
from discreet.queries import Column


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
        """What is printed."""
        return Guarantee(self.epsilon, 0.0, "epsilon-DP: half for the sum, half for the count.")

    def true_guarantee(self, public: Public) -> Guarantee:
        """Return what holds for the declared bounds."""
        assert public.bounds is not None
        low, high = (float(public.bounds.value(t)) for t in (0, public.bounds.top))
        if high <= 0:
            return Guarantee(math.inf, 0.0, "The noise is scaled to u <= 0: no guarantee at all.")
        times = (1 + max(abs(low), high) / high) / 2
        text = Phrase("{times:.4g} times the claim for these bounds; two soft counts err far less.", times=times)
        return Guarantee(times * self.epsilon, 0.0, text)

    def law(self, data: Column) -> Law:
        """Return the law as printed."""
        bounds = data.bounds
        low, high = (float(bounds.value(t)) for t in (0, bounds.top))
        offset, half = low / bounds.width, self.epsilon / 2
        total = data.total / bounds.top + data.n * offset
        first = Noisy(total, abs(high) / bounds.width / half, Laplace())
        second = Noisy(float(data.n), 1 / half, Laplace())
        return Ratio(first, second, False, low, bounds.width, shift=-offset)
