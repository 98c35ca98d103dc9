"""The textbook's smooth sensitivity with Laplace noise: loose, and without the first rung."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import OneStatistic
from discreet.mechanisms.base.vocabulary import SMOOTH, Family, Public, statistic
from discreet.mechanisms.exhibits.exhibit import ApproximateExhibit, Guarantee, largest
from discreet.mechanisms.laws.law import Laplace, Law, Noisy
from discreet.mechanisms.smooth import FLOOR, window
from discreet.queries import Column, Query
from discreet.queries.mean import Mean


@dataclass(frozen=True)
class TextbookSmooth(OneStatistic, ApproximateExhibit):
    """f(x) + Laplace(2 S/epsilon), S the maximum of exp(-beta k) A(k) over k from 1 on.

    beta = epsilon / (2 ln(2/delta)). The printed maximum leaves k = 0 out, so that S may be below
    the local sensitivity, but never by more than exp(beta): A(x, 0) <= A(x', 1).
    Guarantee: (epsilon, delta') with delta' the exact divergence of the worst pair, a dilation by
    exp(-beta) with a shift of exp(beta) min(S, S'); most often far below delta, above it if beta
    is large (epsilon 8, delta 0.01).
    Claim: (epsilon, delta)-DP.
    Reference: Nissim, Raskhodnikova and Smith 2007, where k = 0 is in the maximum.
    Corner cases: no rows leave the printed maximum empty and ties can make it 0, which ends in an
    error; here the public window and floor of smooth sensitivity are used.
    """

    slug: ClassVar[str] = "textbook-smooth"
    title: ClassVar[str] = "Textbook: smooth sensitivity"
    family: ClassVar[Family] = SMOOTH

    query: Query = statistic(Mean)

    @property
    def beta(self) -> float:
        """The printed smoothing parameter."""
        return self.epsilon / (2 * math.log(2 / self.delta))

    def bound(self, column: Column) -> float:
        """Return S as printed, without k = 0."""
        k = np.arange(1, window(self.beta) + 1)
        rungs = np.exp(-self.beta * k) * self.query.ladder(column, k)
        return max(float(rungs.max()), FLOOR * self.query.global_sensitivity(column.bounds))

    @property
    def claim(self) -> Guarantee:
        """The printed claim."""
        return Guarantee(self.epsilon, self.delta, "(ε, δ)-DP.")

    def true_guarantee(self, public: Public) -> Guarantee:
        """Return the divergence of the worst pair that this S allows."""
        kappa = 2 / self.epsilon
        grown = math.exp(self.beta)
        shifted = Noisy(0.0, kappa, Laplace())
        pairs = [(shifted, Noisy(grown * min(1.0, rho), kappa * rho, Laplace())) for rho in (1 / grown, 1.0, grown)]
        delta = largest(pairs, self.epsilon)
        word = Phrase("within") if delta <= self.delta else Phrase("above")
        return Guarantee(
            self.epsilon,
            delta,
            Phrase(
                "δ is at most {delta:.3g}, {word} the claim ({times:.3g} times).",
                delta=delta,
                word=word,
                times=delta / self.delta,
            ),
        )

    def law(self, data: Column) -> Law:
        """Return the law as printed."""
        scale = 2 * self.bound(data) / self.epsilon
        return Noisy(self.query.exact(data), scale, Laplace())
