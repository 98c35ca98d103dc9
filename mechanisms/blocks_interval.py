"""Sample and aggregate with an interval: a part of epsilon releases how far apart the blocks are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import CONFIDENCE
from discreet.mechanisms.base.scale_interval import Bought, bought, rescaled, spread_of, times
from discreet.mechanisms.base.vocabulary import CORE_TAIL, Forecast, Noise, Public, parameter
from discreet.mechanisms.laws.law import CoreTail, Interval, Measured, Noisy
from discreet.mechanisms.sample_aggregate import BlocksSmoothMedian
from discreet.mechanisms.smooth import M_CHOICES, SmoothCoreTail
from discreet.mechanisms.smooth_interval import share_parameter, sold
from discreet.queries.column import Blocks
from discreet.queries.median import Median


@dataclass(frozen=True)
class BlocksSmoothInterval(BlocksSmoothMedian):
    """Blocks-smooth-median at (1 - share) epsilon, and a noisy bound of its scale at share epsilon.

    Guarantee: epsilon-DP, no delta. With probability at least 95%, the interval contains the median of the estimates
    of the blocks, for every dataset; it says nothing about the estimate from all rows.
    Proof: given the secret blocks the k estimates are asked as smooth-core-tail-interval asks a column
    of k public numbers, which is epsilon-DP and covers their median. Both hold for all blocks, so
    also on average over them.
    Reference: Nissim, Raskhodnikova and Smith 2007; the pivot: see docs/guarantees.md.
    Complexity: that of blocks-smooth-median.
    Corner cases: as blocks-smooth-median; ends beyond the range of an estimate move there.
    """

    slug: ClassVar[str] = "blocks-smooth-interval"
    title: ClassVar[str] = "Sample and aggregate with an interval, smooth median"
    noise: ClassVar[Noise] = CORE_TAIL
    compared: ClassVar[bool] = False  # without an interval the error is smaller
    spanned: ClassVar[bool] = True
    interval_of: ClassVar[Phrase | None] = Phrase(
        "the interval is for the median of the block estimates, not for the estimate from all rows"
    )

    m: int = parameter("Tail", choices=M_CHOICES, default=8, help="β = ε of the result / tail.")
    share: float = share_parameter()

    @property
    def inner(self) -> SmoothCoreTail:
        """The mechanism for a column of k public numbers, with the answer's part of epsilon."""
        return SmoothCoreTail(Median(self.changed), self.epsilon * (1 - self.share), self.m)

    @property
    def epsilon_interval(self) -> float:
        """The part of epsilon that the interval spends."""
        return self.epsilon * self.share

    def law(self, data: Blocks) -> Bought:
        """Return the law of the median of the estimates and of its interval."""
        answer = self.inner.law(self.column(data))
        assert isinstance(answer, Noisy)
        return bought(answer, self.inner.beta, self.epsilon_interval)

    def usual_width(self, data: Blocks) -> float:
        """Return the half width where the noise on the logarithm is 0."""
        return self.law(data).usual_width

    def forecast(self, public: Public, confidence: float = CONFIDENCE) -> Forecast:
        """Return no width, but a note that an interval will be released."""
        return sold(self._times(confidence) * self.inner.kappa)

    def _times(self, confidence: float) -> float:
        return times(CoreTail(self.m), spread_of(self.inner.beta, self.epsilon_interval), confidence)

    def widened(self, answer: Measured, public: Public, confidence: float) -> Interval | None:
        """Return another multiple of that noisy scale."""
        factor = self._times(confidence) / self._times(CONFIDENCE)
        median = Median(self.changed)
        bounds = self.bounds
        return rescaled(answer, (median.low(bounds), median.high(bounds)), factor)
