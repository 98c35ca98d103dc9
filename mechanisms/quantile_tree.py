"""Several quantiles of one column together: the middle level first, then those on each side of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from discreet.budget import Account, BoundedRange, Pure, Together
from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.laws.ranks import SAFE, RankTree, Stretch, furthest
from discreet.mechanisms.several_quantiles import SeveralQuantiles
from discreet.queries import Column

DIVISION = Fraction(1, 4)  # cost of dividing the rows on a cut, in draws


def noise_beyond(scale: float, alpha: float) -> int:
    """Return a bound of |geometric noise|, except with probability alpha."""
    odds = 2 / (alpha * (1 + math.exp(-1 / scale)))
    return max(0, math.ceil(math.log(odds) * scale + SAFE) - 1)


@dataclass(frozen=True)
class QuantileTree(SeveralQuantiles):
    """Draw the middle of k levels, cut the rows there, and go on on both sides with half of the levels each.

    Between cuts at levels a and b a level c is the share (c - a) / (b - a) of the rows between, and is
    drawn by the exponential mechanism among the ticks from cut to cut. Rows that stand on a cut are divided
    by a number with geometric noise, so that the lower side gets its share where many rows are equal:
    the first so many of them go down, the others up. There are D = ceil(log2(k + 1)) draws one
    after the other, each with e = epsilon / (D + (D - 1) / 4), and each division costs e / 4.
    Guarantee: epsilon-DP, no delta; ascending by construction.
    Proof: let the m rows of a person be more in one dataset (change-one: m rows less and m rows more, so
    2 m in all), and go from the top, what was drawn before held fixed. A cut and a noisy number send each row of the
    one dataset to a side, and one row more on a side is one row more of one of its sides and of no
    other: below and above the cut it is its own, on the cut the last of those that go down or of those that go
    up. So at every depth the parts differ by m rows (2 m) in all. A row more in a part moves the log-weights of
    two of its ticks apart by e / m (e / 2 m) at most, and the noisy number's centre, floor of the share of its rows
    less the rows below the cut, by 1 at most. The parts of one depth are drawn independently, so their losses
    add up to an interval of length e around 0, and to e / 4 for the divisions; the depths compose.
    Reference: Kaplan, Schnapp and Stemmer 2022, "Differentially private approximate quantiles", for the
    tree; rows on a cut, exact ranks on a grid and persons with several rows are derived here.
    Complexity: that of k single quantiles.
    Corner cases: no rows make every answer uniform between its cuts; equal rows are found at every
    level, because a cut among them leaves each side its share.
    """

    slug: ClassVar[str] = "quantile-tree"
    title: ClassVar[str] = "Several quantiles together, from the middle to the sides"

    @property
    def span(self) -> Stretch:
        """All levels, in the order of drawing."""
        return Stretch(self.shares)

    @property
    def own(self) -> float:
        """The epsilon of one draw."""
        depth = self.span.depth
        return self.epsilon / float(depth + (depth - 1) * DIVISION)

    @property
    def moved(self) -> int:
        """The number of rows by which neighbours differ."""
        return self.relation.rows * (2 if self.relation.change_one else 1)

    @property
    def rate(self) -> float:
        """The weight of one row in the exponent, rounded towards more noise."""
        return self.own / self.moved / ROUND_UP

    @property
    def scale(self) -> float:
        """The public noise scale of a division."""
        return self.moved / (self.own * float(DIVISION)) * ROUND_UP

    def account(self) -> Account | None:
        """Return bounded range for each depth, and a pure part for each division."""
        depth = self.span.depth
        return Together((BoundedRange(self.own),) * depth + (Pure(self.own * float(DIVISION)),) * (depth - 1))

    def law(self, data: Column) -> Law:
        """Return the joint law of all levels."""
        return RankTree(data, self.shares, self.rate, self.scale)

    def off(self, ticks: int, confidence: float) -> tuple[int, ...]:
        """Return by how many rows each level may be off: by its own draw, and by the errors of the cuts around it.

        With cuts of rank a n + x and b n + y, the rank that is aimed at is off by the mean of x and y weighted by the
        share. A cut is off by its draw or by the noise of its division, whichever is larger, and by the errors of its
        own cuts. None of the 1 + 2 d events on the way to a level of depth d happens, except with the probability that
        is divided among them.
        """
        return tuple(self._off(self.span, at, ticks, 1 - confidence) for at in range(len(self.levels)))

    def _off(self, span: Stretch, at: int, ticks: int, alpha: float) -> int:
        way = list(_way(span, at))
        each = alpha / (2 * len(way) - 1)
        low = Fraction(0)
        high = Fraction(0)
        for span, lower in way:
            aim = span.aim
            cuts = (1 - aim.q) * low + aim.q * high
            drawn = Fraction(furthest(ticks, self.rate / aim.spread, each), aim.unit)
            if lower is None:
                break
            cut = cuts + max(drawn, Fraction(noise_beyond(self.scale, each) + 1))
            low, high = (low, cut) if lower else (cut, high)
        return math.ceil(cuts + drawn)


def _way(span: Stretch, at: int) -> list[tuple[Stretch, bool | None]]:
    """Return the spans on the way to a level, and whether it continues on the lower side."""
    if at == span.middle:
        return [(span, None)]
    lower, upper = span.sides
    if at < span.middle:
        return [(span, True), *_way(lower, at)]
    return [(span, False), *_way(upper, at - span.middle - 1)]
