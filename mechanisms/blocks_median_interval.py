"""Sample and aggregate with an interval: the exponential mechanism's median of the blocks, and two more draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from discreet.budget import Account
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import CONFIDENCE
from discreet.mechanisms.base.vocabulary import Forecast, Public
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.quantile_interval import QuantileInterval
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.queries.column import Blocks


@dataclass(frozen=True)
class BlocksMedianInterval(BlocksMedian):
    """Blocks-median at a third of epsilon, and two ends that enclose the median of the blocks, at a third each.

    Guarantee: epsilon-DP, no delta. With probability at least 95%, the interval contains the median of the estimates
    of the blocks, for every dataset; it says nothing about the estimate from all rows.
    Proof: given the secret blocks the k estimates are asked as quantile-interval asks a column of k
    public numbers, of which a person changes one: that is epsilon-DP and covers their median. Both hold for all
    blocks, so also on average over them.
    Reference: Smith 2011 for the median of blocks; quantile-interval for the ends.
    Complexity: three times that of blocks-median.
    Corner cases: as blocks-median; where there are fewer blocks than an end is off, both ends are those of the
    range of an estimate.
    """

    slug: ClassVar[str] = "blocks-median-interval"
    title: ClassVar[str] = "Sample and aggregate with an interval, exponential median"
    compared: ClassVar[bool] = False  # without an interval the error is smaller
    spanned: ClassVar[bool] = True
    interval_of: ClassVar[Phrase | None] = Phrase(
        "the interval is for the median of the block estimates, not for the estimate from all rows"
    )

    @property
    def inner(self) -> QuantileInterval:
        """The mechanism for a column of k public numbers."""
        return QuantileInterval(epsilon=self.epsilon, relation=self.changed)

    @property
    def rate(self) -> float:
        """The weight of one block in the exponent of the answer, which has a third of epsilon."""
        return self.inner.rate

    def account(self) -> Account | None:
        """Return bounded range, once for each draw."""
        return self.inner.account()

    def law(self, data: Blocks) -> Law:
        """Return the law of the answer and of both ends."""
        return self.inner.law(self.column(data))

    def usual_width(self, data: Blocks) -> float | None:
        """Return half the distance between the medians of both ends."""
        return self.inner.usual_width(self.column(data))

    def forecast(self, public: Public, confidence: float = CONFIDENCE) -> Forecast:
        """Return no width, but by how many blocks the answer may be off, and how far the interval reaches."""
        aim = self.inner.end(self.bounds.top + 1, 1)
        return Forecast(
            None,
            Phrase(
                "{note} An interval is released with it. Blocks on each side (approximate): {blocks}.",
                note=super().forecast(public, confidence).note,
                blocks=aim.rows(aim.shift),
            ),
        )
