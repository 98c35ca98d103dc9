"""Several quantiles of one column, each drawn separately for an equal part of epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from discreet.budget import Account, BoundedRange, Together
from discreet.mechanisms.laws.law import Law, Product
from discreet.mechanisms.laws.ranks import furthest
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.several_quantiles import SeveralQuantiles
from discreet.queries import Column


@dataclass(frozen=True)
class QuantilesApart(SeveralQuantiles):
    """Draw each of k quantiles by the exponential mechanism with epsilon / k.

    Guarantee: epsilon-DP, no delta.
    Proof: each draw costs epsilon / k and the k costs add up to epsilon; the draws are independent.
    Reference: McSherry and Talwar 2007 for one draw; Dwork and Roth 2014, theorem 3.16, for the sum.
    Complexity: k times that of one quantile.
    Corner cases: as those of one quantile; two that lie close may come out in the wrong order.
    """

    slug: ClassVar[str] = "quantiles-apart"
    title: ClassVar[str] = "Several quantiles, each drawn separately"

    @property
    def single_draws(self) -> tuple[QuantileExponential, ...]:
        """The mechanism of each level."""
        part = self.epsilon / len(self.levels)
        return tuple(QuantileExponential(q=level, epsilon=part, relation=self.relation) for level in self.levels)

    def account(self) -> Account | None:
        """Return bounded range, once for each draw."""
        return Together((BoundedRange(self.epsilon / len(self.levels)),) * len(self.levels))

    def law(self, data: Column) -> Law:
        """Return independent laws, one per level."""
        return Product(tuple(each.law(data) for each in self.single_draws))

    def off(self, ticks: int, confidence: float) -> tuple[int, ...]:
        """Return by how many rows each draw may be off."""
        return tuple(each.aim.rows(furthest(ticks, each.rate, 1 - confidence)) for each in self.single_draws)
