"""The counts of all categories or bins, each with geometric noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from discreet.budget import Account, Cost, Pure
from discreet.mechanisms.base.counts import AllCounts, NoisyCounts
from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.mechanisms.base.vocabulary import (
    GEOMETRIC,
    Forecast,
    Noise,
    Public,
    declared_bins,
    epsilon_parameter,
    own_relation,
)
from discreet.mechanisms.laplace import whole_width
from discreet.mechanisms.laws.law import Law
from discreet.queries import Relation
from discreet.queries.column import Bins, HowRead, Scores


@dataclass(frozen=True)
class CountsGeometric(AllCounts):
    """The count of every declared category or bin, each with geometric noise; never below 0.

    One person's m rows move the counts by m in all (L1), or by 2 m where a row may move from one
    count to another, so one epsilon pays for all counts.
    Guarantee: epsilon-DP, no delta.
    Proof: the chances of a list of answers multiply, so those of two neighbours differ by a factor
    of at most exp(L1 distance of the counts / scale). The scale is the largest such distance, m or
    2 m, over epsilon; clipping at 0 is post-processing.
    Reference: Dwork and Roth 2014, example 3.2; geometric noise as for one count.
    Complexity: O(rows) once, then O(candidates).
    Corner cases: levels no one names are counted like any other; rows outside all bins count in the nearest; clipping
    at 0 makes small counts too large on average.
    """

    slug: ClassVar[str] = "counts-geometric"
    title: ClassVar[str] = "Counts of all categories, geometric noise"
    noise: ClassVar[Noise] = GEOMETRIC
    refines: ClassVar[bool] = True

    epsilon: float = epsilon_parameter()
    bins: Bins | HowRead | None = declared_bins()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def cost(self) -> Cost:
        """Return epsilon: the counts compose in parallel."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    @property
    def scale(self) -> float:
        """The public noise scale of every count."""
        moved = self.relation.rows * (2 if self.relation.change_one else 1)
        return moved / self.epsilon * ROUND_UP

    def law(self, data: Scores) -> Law:
        """Return independent laws, one per candidate."""
        return NoisyCounts.around(data.counts, self.scale)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width of each count."""
        width = whole_width(self.scale, confidence)
        return Forecast(width, "For each count separately.", exact=True)
